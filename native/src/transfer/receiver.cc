// Messages, phases and choices. Entries and segments: receiver_entries.cc, receiver_segments.cc.
#include "transfer/receiver.h"

#include <algorithm>
#include <cassert>
#include <ranges>

#include "transfer/breach.h"
#include "transfer/index_chunks.h"

namespace thru {

namespace {

/// Three bytes of a gap are 4,096 entries, which take 100 bytes each before they are in the table:
/// more than 18 MB of them never wait at once.
constexpr std::size_t kManifestBytesAtOnce = 128;

} // namespace

Receiver::Receiver(std::string own_name, WireId receive)
    : manifest_(std::make_shared<ManifestTable>()) {
    messages_.emplace_back(Hello{.name = std::move(own_name), .id = receive});
}

Result<> Receiver::on_control(const ControlMessage &message) {
    const bool first =
        std::holds_alternative<Hello>(message) || std::holds_alternative<Bye>(message);
    if (phase_ == Phase::Greeting && !first) {
        return breach("message before HELLO");
    }
    return std::visit([this](const auto &content) { return on(content); }, message);
}

template <class Other> Result<> Receiver::on(const Other &) {
    return breach("message of a receiver from a sender");
}

Result<> Receiver::on(const Hello &hello) {
    if (phase_ != Phase::Greeting) {
        return breach("second HELLO");
    }
    if (hello.version != Hello{}.version && hello.version != kStreamVersion) {
        return fail(ErrorCode::PeerVersion, static_cast<std::int64_t>(hello.version));
    }
    version_ = hello.version;
    phase_ = Phase::Listing;
    events_.emplace_back(ReceiverGreeted{.name = hello.name, .share = hello.id});
    return {};
}

Result<> Receiver::on(const Offer &offer) {
    if (offer_) {
        return breach("second OFFER");
    }
    offer_ = offer;
    return check_offered();
}

Result<> Receiver::on_manifest_bytes(ByteView bytes) {
    const auto note_first_checkpoint = [this] {
        if (!checkpoint_totals_ && decoder_.checkpoint() == manifest_->size()) {
            checkpoint_totals_ = Offer{.files = manifest_->files(),
                                       .folders = manifest_->folders(),
                                       .links = manifest_->links(),
                                       .bytes = manifest_->bytes()};
        }
    };
    std::vector<ManifestEntry> entries;
    while (!bytes.empty()) {
        const auto some = bytes.first(std::min(bytes.size(), kManifestBytesAtOnce));
        bytes = bytes.subspan(some.size());
        entries.clear();
        if (auto fed = decoder_.feed(some, entries); !fed) {
            return fed;
        }
        note_first_checkpoint();
        for (const ManifestEntry &entry : entries) {
            if (auto added = manifest_->add(entry); !added) {
                return added;
            }
            note_first_checkpoint();
        }
    }
    states_.resize(std::max(states_.size(), manifest_->size()));
    return check_offered();
}

/// Manifest and offer travel on different streams: either can be complete first.
Result<> Receiver::check_offered() {
    const auto checkpoint = decoder_.checkpoint();
    if (!offer_ || !checkpoint || phase_ == Phase::Greeting) {
        return {};
    }
    if (manifest_->stream() && version_ != kStreamVersion) {
        return breach("stream from a sender that did not announce one");
    }
    if (phase_ == Phase::Listing) {
        const Offer &totals = *checkpoint_totals_;
        if (offer_->files != totals.files || offer_->folders != totals.folders ||
            offer_->links != totals.links || offer_->bytes != totals.bytes) {
            return breach("OFFER does not match the manifest");
        }
        phase_ = Phase::Offered;
    } else if (*checkpoint == offered_) {
        return {};
    } else if (phase_ == Phase::Offered) {
        return breach("second checkpoint before REQUEST");
    }
    offered_ = *checkpoint;
    events_.emplace_back(ReceiverOffered{offered_});
    return {};
}

Result<> Receiver::on(const EntryFailed &failure) {
    if (failure.index >= accepted_ || manifest_->kind(failure.index) == EntryKind::Gone) {
        return breach("ENTRY_FAILED for an entry that was not requested");
    }
    if (++failures_received_ > accepted_) {
        return breach("more ENTRY_FAILEDs than entries");
    }
    const EntryState state = states_[failure.index];
    if (state == EntryState::Skipped || state == EntryState::Unwanted) {
        unreadable_.set(failure.index, failure.code);
    } else if (mark_failed(failure.index, failure.code)) {
        check_complete();
    }
    return {};
}

Result<> Receiver::on(const Bye &bye) {
    if (!bye.code && phase_ != Phase::Finished) {
        return breach("BYE before DONE");
    }
    if (phase_ != Phase::Finished) {
        return fail(*bye.code, 0, "reason given by the sender");
    }
    if (std::exchange(released_, true)) {
        return breach("second BYE");
    }
    events_.emplace_back(ReceiverReleased{});
    return {};
}

Result<> Receiver::on(const Origin &origin) {
    if (origin_shown_ || offer_) {
        return breach("ORIGIN after OFFER, or a second one");
    }
    origin_shown_ = true;
    events_.emplace_back(ReceiverOriginShown{origin});
    return {};
}

Result<> Receiver::on(const FindPath &find) {
    events_.emplace_back(ReceiverPathSought{find});
    return {};
}

Result<> Receiver::on(const ContactRequest &request) {
    events_.emplace_back(ReceiverContactRequested{request});
    return {};
}

Result<> Receiver::on(const ApprovalWanted &) {
    if (approval_awaited_ || offer_) {
        return breach("APPROVAL_WANTED after OFFER, or a second one");
    }
    approval_awaited_ = true;
    events_.emplace_back(ReceiverApprovalAwaited{});
    return {};
}

Result<> Receiver::on(const LeftOut &left_out) {
    if (++left_out_received_ > kMaxLeftOutMessages) {
        return breach("too many LEFT_OUTs");
    }
    events_.emplace_back(ReceiverLeftOut{left_out});
    return {};
}

Result<> Receiver::on(const Confirm &confirm) {
    const auto answered = match_answer(confirm.index);
    if (!answered || !*answered) {
        return answered ? Result<>{} : std::unexpected(answered.error());
    }
    PartialFile &file = partial_.at(confirm.index);
    const auto &different = confirm.different;
    if (!different.empty() && different.back().offset + different.back().length > *file.have) {
        return breach("CONFIRM names bytes that were not claimed");
    }
    file.have.reset();
    file.extents = {};
    for (const ByteRange &range : different) {
        file.missing.add(range.offset, range.offset + range.length);
    }
    std::vector<ByteRange> missing;
    for (const IndexRange &range : std::exchange(file.missing, {}).indexes()) {
        missing.push_back({.offset = range.first, .length = range.count});
    }
    if (!missing.empty()) {
        events_.emplace_back(ReceiverOutdated{confirm.index, missing});
    }
    for (const ByteRange &range : missing) {
        on_bytes_lost(confirm.index, range.offset, range.length);
    }
    if (states_[confirm.index] == EntryState::Partial) {
        check_file_complete(confirm.index);
    }
    return {};
}

Result<> Receiver::on(const Compare &compare) {
    if (!accepted_file(compare.index) || compares_ == 0) {
        return breach("COMPARE for an entry without a HAVE, or too many");
    }
    --compares_;
    Extents known{.index = compare.index, .offset = compare.offset};
    const auto found = partial_.find(compare.index);
    if (found != partial_.end() && found->second.have) {
        PartialFile &file = found->second;
        if (compare.offset != file.extents_end) {
            return breach("COMPARE out of its order");
        }
        while (file.extents_sent < file.extents.size() && known.runs.size() < kMaxExtents) {
            known.runs.push_back(file.extents[file.extents_sent++]);
            file.extents_end += known.runs.back().length;
        }
    }
    // Also when the file does not matter any more: the sender waits for an answer.
    messages_.emplace_back(std::move(known));
    return {};
}

Result<> Receiver::on(const Restart &restart) {
    const auto answered = match_answer(restart.index);
    if (answered && *answered) {
        restart_file(restart.index);
    }
    return answered ? Result<>{} : std::unexpected(answered.error());
}

/// True when the Have waits for this answer; false when the answer no longer matters.
Result<bool> Receiver::match_answer(std::uint64_t index) {
    if (!accepted_file(index)) {
        return breach("CONFIRM or RESTART for an entry that is not a requested file");
    }
    const auto found = partial_.find(index);
    const bool waits = found != partial_.end() && found->second.have;
    const EntryState state = states_[index];
    const bool stale = !waits && (stale_haves_.erase(index) > 0 || state == EntryState::Failed ||
                                  state == EntryState::Removed);
    if ((!waits && !stale) || ++answers_ > haves_) {
        return breach("CONFIRM or RESTART without a HAVE");
    }
    return waits;
}

Result<> Receiver::on(const Validator &validator) {
    if (!accepted_file(validator.index)) {
        return breach("VALIDATOR for an entry that is not a requested file");
    }
    if (++validators_received_ > accepted_ + unskips_) {
        return breach("more VALIDATORs than files");
    }
    if (accepts(validator.index)) {
        events_.emplace_back(ReceiverValidator{validator});
    }
    return {};
}

Result<> Receiver::on(const Hole &hole) {
    const Piece piece{.index = hole.index, .offset = hole.offset, .length = hole.length};
    if (!accepted_file(hole.index) || !manifest_->sparse(hole.index)) {
        return breach("HOLE for an entry that is not a requested sparse file");
    }
    const bool to_end = hole.offset + hole.length == manifest_->file_size(hole.index);
    if ((hole.length < kMinHoleBytes && !to_end) || ++holes_ > kMaxHoles) {
        return breach("HOLE too small, or too many");
    }
    if (auto started = claim(piece, true); !started) {
        return started;
    }
    if (accepts(hole.index)) {
        events_.emplace_back(ReceiverHole{hole});
    }
    on_segment_written({piece});
    return {};
}

Result<> Receiver::on(const Pause &pause) {
    if (pause.why == Pause::Why::DiskFull) {
        return breach("PAUSE for a full disk from a sender");
    }
    peer_paused_ = true;
    events_.emplace_back(ReceiverPeerPaused{pause});
    return {};
}

Result<> Receiver::on(const Resume &) {
    if (std::exchange(peer_paused_, false)) {
        events_.emplace_back(ReceiverPeerPaused{});
    }
    return {};
}

Result<> Receiver::on(const Removed &removed) {
    if (!offer_) {
        return breach("REMOVED before OFFER");
    }
    if (removed.ranges.empty()) {
        return {};
    }
    const std::uint64_t end = removed.ranges.back().first + removed.ranges.back().count;
    if (end > kMaxManifestEntries) {
        return breach("REMOVED beyond the largest index");
    }
    states_.resize(std::max<std::size_t>(states_.size(), end));
    bool again = false;
    for_each_index(removed.ranges, [&](std::uint64_t index) {
        again = again || states_[index] == EntryState::Removed;
        withdraw(index, EntryState::Removed);
    });
    if (again) {
        return breach("REMOVED twice for an entry");
    }
    for (const IndexRange &range : removed.ranges) {
        removed_.add(range.first, range.first + range.count);
    }
    check_complete();
    return {};
}

void Receiver::accept(std::uint64_t end, const ReceiverChoices &choices) {
    assert(phase_ != Phase::Greeting && phase_ != Phase::Listing);
    assert(end <= offered_ && (end > accepted_ || phase_ == Phase::Offered));
    const std::uint64_t begin = accepted_;
    cover(end);
    const auto choose = [&](const IndexRanges &ranges, EntryState state) {
        for_each_index(ranges, [&](std::uint64_t index) {
            if (index >= begin && accepted_file(index) && states_[index] == EntryState::Waiting) {
                // Two empty files have nothing that could differ.
                const bool empty =
                    state == EntryState::Uncompared && manifest_->file_size(index) == 0;
                set_state(index, empty ? EntryState::Identical : state);
            }
        });
    };
    choose(choices.unwanted, EntryState::Unwanted);
    choose(choices.present, EntryState::Present);
    choose(choices.uncompared, EntryState::Uncompared);
    send_skip(Skip::Why::Unwanted, choices.unwanted);
    send_skip(Skip::Why::Present, choices.present);
    send_skip(Skip::Why::Present, choices.uncompared);
    for (const Have &have : choices.have) {
        // What of a stream came before is of no use: it comes from its start or not at all.
        if (have.index >= begin && accepted_file(have.index) && !manifest_->stream(have.index) &&
            states_[have.index] == EntryState::Waiting) {
            const auto known = choices.extents.find(have.index);
            resume_from(have, known == choices.extents.end() ? std::vector<Extents::Run>{}
                                                             : known->second);
            ++haves_;
            messages_.emplace_back(have);
        }
    }
    for (const Piece &piece : choices.missing) {
        if (const auto file = partial_.find(piece.index); file != partial_.end()) {
            file->second.missing.add(piece.offset, piece.offset + piece.length);
        }
    }
    // A later Prioritize goes before the earlier ones.
    for (const IndexRanges &set : choices.first | std::views::reverse) {
        for (IndexRanges &chunk : chunks_of(set) | std::views::reverse) {
            messages_.emplace_back(Prioritize{std::move(chunk)});
        }
    }
    messages_.emplace_back(Request{end});
    phase_ = Phase::Receiving;
    complete_ = false;
    check_complete();
}

void Receiver::send_skip(Skip::Why why, const IndexRanges &ranges) {
    for (IndexRanges &chunk : chunks_of(ranges)) {
        messages_.emplace_back(Skip{.why = why, .ranges = std::move(chunk)});
    }
}

void Receiver::check_complete() {
    if (phase_ == Phase::Receiving && missing_ == 0 && !complete_) {
        complete_ = true;
        events_.emplace_back(ReceiverComplete{});
    }
}

void Receiver::on_all_durable() {
    // More may have been accepted or wanted meanwhile.
    if (!complete()) {
        return;
    }
    phase_ = Phase::Finished;
    const Done done{.entries = accepted_,
                    .files = progress_.files,
                    .bytes = progress_.bytes,
                    .problems = problems_,
                    .renamed = std::min(renamed_, progress_.files),
                    .identical = identical_,
                    .identical_bytes = identical_bytes_,
                    .uncompared = uncompared_};
    messages_.emplace_back(done);
    events_.emplace_back(ReceiverFinished{done});
}

void Receiver::pause(const Pause &pause) {
    paused_ = true;
    messages_.emplace_back(pause);
}

void Receiver::resume() {
    for (const auto &[place, length] : std::exchange(lost_, {})) {
        request_resend({.index = place.first, .offset = place.second, .length = length});
    }
    if (std::exchange(paused_, false)) {
        messages_.emplace_back(Resume{});
    }
}

void Receiver::set_rate(std::uint64_t bytes_per_second) {
    messages_.emplace_back(Rate{bytes_per_second});
}

void Receiver::set_leaves_room(bool leaves) {
    if (std::exchange(room_wanted_, leaves) != leaves) {
        messages_.emplace_back(LeaveRoom{leaves ? LeaveRoom::Wanted::Yes : LeaveRoom::Wanted::No});
    }
}

std::shared_ptr<const ManifestTable> Receiver::manifest() const { return manifest_; }
std::uint64_t Receiver::files() const { return progress_.files; }
std::uint64_t Receiver::bytes() const { return progress_.bytes; }
std::uint64_t Receiver::total_files() const { return total_files_; }
std::uint64_t Receiver::total_bytes() const { return total_bytes_; }

std::vector<ControlMessage> Receiver::take_messages() {
    const bool changed = progress_.files != reported_.files || progress_.bytes != reported_.bytes;
    if (phase_ == Phase::Receiving && changed) {
        reported_ = progress_;
        messages_.emplace_back(progress_);
    }
    return std::exchange(messages_, {});
}

std::vector<ReceiverEvent> Receiver::take_events() {
    if (!removed_.empty()) {
        events_.emplace_back(ReceiverRemoved{std::exchange(removed_, {}).indexes()});
    }
    // Files can be skipped, removed or fail between completion and this report.
    std::erase_if(complete_files_,
                  [this](std::uint64_t index) { return states_[index] != EntryState::Complete; });
    if (!complete_files_.empty()) {
        events_.emplace_back(ReceiverFilesComplete{std::exchange(complete_files_, {})});
    }
    return std::exchange(events_, {});
}

} // namespace thru
