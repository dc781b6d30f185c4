#include "transfer/receiver.h"

#include <algorithm>
#include <cassert>
#include <ranges>

#include "transfer/index_chunks.h"
#include "transfer/protocol_error.h"

namespace thru {

namespace {

/// Limits waiting entries to 18 MB: a 3-byte gap describes 4,096, which take 100 bytes each.
constexpr std::size_t kManifestBytesAtOnce = 128;

} // namespace

Receiver::Receiver(std::string own_name, WireId receive, bool browser, std::uint64_t takes)
    : takes_(takes) {
    out_.messages.emplace_back(Hello{1, std::move(own_name), receive, browser, takes});
}

Result<> Receiver::on_control(const ControlMessage &message) {
    const bool first =
        std::holds_alternative<Hello>(message) || std::holds_alternative<Bye>(message);
    if (phase_ == Phase::Greeting && !first) {
        return protocol_error("message before HELLO");
    }
    return std::visit([this](const auto &content) { return on(content); }, message);
}

template <class Other> Result<> Receiver::on(const Other &) {
    return protocol_error("message of a receiver from a sender");
}

Result<> Receiver::report(ReceiverEvent event) {
    out_.events.push_back(std::move(event));
    return {};
}

Result<> Receiver::on(const Hello &hello) {
    if (phase_ != Phase::Greeting) {
        return protocol_error("second HELLO");
    }
    if (hello.version != Hello{}.version && hello.version != kStreamVersion) {
        return fail(ErrorCode::PeerVersion, static_cast<std::int64_t>(hello.version));
    }
    version_ = hello.version;
    phase_ = Phase::Listing;
    return report(ReceiverGreeted{.name = hello.name, .share = hello.id, .browser = hello.browser});
}

Result<> Receiver::on(const Offer &offer) {
    if (offer_) {
        return protocol_error("second OFFER");
    }
    offer_ = offer;
    return check_offered();
}

Result<> Receiver::on_manifest_bytes(ByteView bytes) {
    const auto note_first_checkpoint = [this] {
        if (!checkpoint_totals_ && decoder_.checkpoint() == entries_.manifest().size()) {
            checkpoint_totals_ = Offer{.files = entries_.manifest().files(),
                                       .folders = entries_.manifest().folders(),
                                       .links = entries_.manifest().links(),
                                       .bytes = entries_.manifest().bytes()};
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
            if (auto added = entries_.add(entry); !added) {
                return added;
            }
            note_first_checkpoint();
        }
    }
    return check_offered();
}

/// Manifest and offer travel on different streams: either may be complete first.
Result<> Receiver::check_offered() {
    const auto checkpoint = decoder_.checkpoint();
    if (!offer_ || !checkpoint || phase_ == Phase::Greeting) {
        return {};
    }
    if (entries_.manifest().stream() && version_ != kStreamVersion) {
        return protocol_error("stream from a sender that did not announce one");
    }
    if (phase_ == Phase::Listing) {
        const Offer &totals = *checkpoint_totals_;
        if (offer_->files != totals.files || offer_->folders != totals.folders ||
            offer_->links != totals.links || offer_->bytes != totals.bytes) {
            return protocol_error("OFFER does not match the manifest");
        }
        if (auto linked = entries_.link(*checkpoint, (takes_ & kTakesThoseOfFolders) != 0);
            !linked) {
            return linked;
        }
        phase_ = Phase::Offered;
    } else if (*checkpoint == offered_) {
        return {};
    } else if (phase_ == Phase::Offered) {
        return protocol_error("second checkpoint before REQUEST");
    }
    offered_ = *checkpoint;
    return report(ReceiverOffered{offered_});
}

Result<> Receiver::on(const EntryFailed &failure) {
    if (failure.index >= entries_.accepted_end() ||
        entries_.manifest().kind(failure.index) == EntryKind::Gone) {
        return protocol_error("ENTRY_FAILED for an entry that was not requested");
    }
    if (++failures_received_ > entries_.accepted_end()) {
        return protocol_error("more ENTRY_FAILEDs than entries");
    }
    const EntryState state = entries_.state(failure.index);
    if (state == EntryState::Skipped || state == EntryState::Unwanted) {
        unreadable_.set(failure.index, failure.code);
    } else {
        mark_failed(failure.index, failure.code);
    }
    return {};
}

Result<> Receiver::on(const Bye &bye) {
    if (!bye.code && phase_ != Phase::Finished) {
        return protocol_error("BYE before DONE");
    }
    if (phase_ != Phase::Finished) {
        return fail(*bye.code, 0, "reason given by the sender");
    }
    if (std::exchange(released_, true)) {
        return protocol_error("second BYE");
    }
    return report(ReceiverReleased{});
}

Result<> Receiver::on(const Origin &origin) {
    if (origin_shown_ || offer_) {
        return protocol_error("ORIGIN after OFFER, or a second one");
    }
    origin_shown_ = true;
    return report(origin);
}

Result<> Receiver::on(const ApprovalRequested &) {
    if (approval_awaited_ || offer_) {
        return protocol_error("APPROVAL_REQUESTED after OFFER, or a second one");
    }
    approval_awaited_ = true;
    return report(ReceiverApprovalAwaited{});
}

Result<> Receiver::on(const LeftOut &left_out) {
    if (++left_out_received_ > kMaxLeftOutMessages) {
        return protocol_error("too many LEFT_OUTs");
    }
    return report(left_out);
}

Result<> Receiver::on(const Confirm &confirm) {
    auto have = haves_.take(confirm);
    if (!have || !*have) {
        return have ? Result<>{} : std::unexpected(have.error());
    }
    const auto &different = confirm.different;
    if (!different.empty() && different.back().offset + different.back().length > (*have)->end) {
        return protocol_error("CONFIRM names bytes that were not claimed");
    }
    for (const ByteRange &range : different) {
        (*have)->missing.add(range.offset, range.offset + range.length);
    }
    reused_bytes_ += (*have)->reused_bytes();
    std::vector<ByteRange> missing;
    for (const IndexRange &range : (*have)->missing.indexes()) {
        missing.push_back({.offset = range.first, .length = range.count});
    }
    if (!missing.empty()) {
        out_.events.emplace_back(ReceiverOutdated{confirm.index, missing});
    }
    for (const ByteRange &range : missing) {
        on_bytes_lost({.index = confirm.index, .offset = range.offset, .length = range.length});
    }
    pieces_.check_complete(confirm.index);
    return {};
}

Result<> Receiver::on(const Restart &restart) {
    const auto have = haves_.take(restart.index);
    if (have && *have) {
        pieces_.restart(restart.index, (*have)->end);
    }
    return have ? Result<>{} : std::unexpected(have.error());
}

Result<> Receiver::on(const Validator &validator) {
    if (!entries_.is_accepted_file(validator.index)) {
        return protocol_error("VALIDATOR for an entry that is not a requested file");
    }
    if (++validators_received_ > entries_.accepted_end() + pieces_.wanted_again()) {
        return protocol_error("more VALIDATORs than files");
    }
    // It would vouch for claimed bytes that the sender has not confirmed.
    if (entries_.accepts(validator.index) && !haves_.unanswered(validator.index)) {
        out_.events.emplace_back(validator);
    }
    return {};
}

Result<> Receiver::on(const Hole &hole) {
    const Piece piece{.index = hole.index, .offset = hole.offset, .length = hole.length};
    if (!entries_.is_accepted_file(hole.index) || !entries_.manifest().sparse(hole.index)) {
        return protocol_error("HOLE for an entry that is not a requested sparse file");
    }
    const bool to_end = hole.offset + hole.length == entries_.manifest().file_size(hole.index);
    if ((hole.length < kMinHoleBytes && !to_end) || ++holes_ > kMaxHoles) {
        return protocol_error("HOLE too small, or too many");
    }
    if (auto started = on_segment_started({piece}); !started) {
        return started;
    }
    if (entries_.accepts(hole.index)) {
        out_.events.emplace_back(hole);
    }
    on_segment_written({piece});
    return {};
}

Result<> Receiver::on(const Pause &pause) {
    if (pause.why == Pause::Why::DiskFull) {
        return protocol_error("PAUSE for a full disk from a sender");
    }
    peer_paused_ = true;
    return report(ReceiverPeerPaused{pause});
}

Result<> Receiver::on(const Resume &) {
    if (std::exchange(peer_paused_, false)) {
        out_.events.emplace_back(ReceiverPeerPaused{});
    }
    return {};
}

Result<> Receiver::on(const Removed &removed) {
    if (!offer_) {
        return protocol_error("REMOVED before OFFER");
    }
    if (removed.ranges.empty()) {
        return {};
    }
    const std::uint64_t end = removed.ranges.back().first + removed.ranges.back().count;
    if (end > kMaxManifestEntries) {
        return protocol_error("REMOVED beyond the largest index");
    }
    entries_.reach(end);
    bool again = false;
    for_each_index(removed.ranges, [&](std::uint64_t index) {
        again = again || entries_.state(index) == EntryState::Removed;
        pieces_.withdraw(index, EntryState::Removed);
    });
    if (again) {
        return protocol_error("REMOVED twice for an entry");
    }
    for (const IndexRange &range : removed.ranges) {
        removed_.add(range.first, range.first + range.count);
    }
    return {};
}

bool Receiver::prefetch(std::uint64_t bytes) {
    if (phase_ > Phase::Offered || pieces_.prefetching()) {
        return false;
    }
    pieces_.set_prefetching();
    out_.messages.emplace_back(Prefetch{bytes});
    return true;
}

void Receiver::accept(std::uint64_t end, const ReceiverChoices &choices) {
    assert(phase_ != Phase::Greeting && phase_ != Phase::Listing);
    assert(end <= offered_ && (end > entries_.accepted_end() || phase_ == Phase::Offered));
    const std::uint64_t begin = entries_.accepted_end();
    entries_.accept(end);
    const auto choose = [&](const IndexRanges &ranges, EntryState state) {
        for_each_index(ranges, [&](std::uint64_t index) {
            if (index >= begin && entries_.is_accepted_file(index) &&
                entries_.state(index) == EntryState::Waiting) {
                // Two empty files can't differ.
                const bool empty =
                    state == EntryState::Uncompared && entries_.manifest().file_size(index) == 0;
                entries_.set_state(index, empty ? EntryState::Identical : state);
            }
        });
    };
    choose(choices.unwanted, EntryState::Unwanted);
    choose(choices.present, EntryState::Present);
    choose(choices.uncompared, EntryState::Uncompared);
    choose(choices.linked, EntryState::Linked);
    send_skip(Skip::Why::Unwanted, choices.unwanted);
    send_skip(Skip::Why::Present, choices.present);
    send_skip(Skip::Why::Present, choices.uncompared);
    send_skip(Skip::Why::Present, choices.linked);
    for (const Have &have : choices.have) {
        // A stream can't be resumed: it is sent from its start or not at all.
        if (have.index >= begin && entries_.is_accepted_file(have.index) &&
            !entries_.manifest().stream(have.index) &&
            entries_.state(have.index) == EntryState::Waiting) {
            const auto known = choices.extents.find(have.index);
            const auto copied = choices.of_basis.find(have.index);
            pieces_.resume_from(
                have, known == choices.extents.end() ? std::vector<Extents::Run>{} : known->second,
                copied == choices.of_basis.end() ? std::nullopt : std::optional(copied->second));
        }
    }
    for (const Piece &piece : choices.missing) {
        haves_.add_missing(piece);
    }
    // A later Prioritize precedes the earlier ones.
    for (const IndexRanges &set : choices.first | std::views::reverse) {
        send_prioritize(set);
    }
    out_.messages.emplace_back(Request{end});
    phase_ = Phase::Receiving;
}

void Receiver::send_skip(Skip::Why why, const IndexRanges &ranges) {
    for (IndexRanges &chunk : chunks_of(ranges)) {
        out_.messages.emplace_back(Skip{.why = why, .ranges = std::move(chunk)});
    }
}

void Receiver::skip(const IndexRanges &ranges) {
    IndexRanges skipped;
    for_each_index(ranges, [&](std::uint64_t index) {
        if (!entries_.is_accepted_file(index) || !entries_.is_missing(index)) {
            return;
        }
        // Files not requested yet need no SKIP.
        if (entries_.state(index) != EntryState::Unskipping) {
            append_index(skipped, index);
        }
        pieces_.withdraw(index, EntryState::Skipped);
    });
    send_skip(Skip::Why::Unwanted, skipped);
}

void Receiver::send_whole(const IndexRanges &ranges, bool linked) {
    if (phase_ != Phase::Receiving) {
        return;
    }
    IndexRanges wanted;
    for_each_index(ranges, [&](std::uint64_t index) {
        const EntryState state = entries_.state(index);
        const bool skipped = linked ? state == EntryState::Linked
                                    : state == EntryState::Skipped || state == EntryState::Unwanted;
        // A skipped stream can't be restored.
        if (!skipped || entries_.manifest().stream(index)) {
            return;
        }
        if (const auto failed = unreadable_.get(index)) {
            entries_.set_state(index, EntryState::Waiting);
            mark_failed(index, *failed);
        } else if (pieces_.want(index)) {
            append_index(wanted, index);
        }
    });
    send_skip(Skip::Why::Wanted, wanted);
}

void Receiver::prioritize(const IndexRanges &ranges) {
    if (phase_ != Phase::Receiving) {
        return;
    }
    IndexRanges missing;
    for_each_index(ranges, [&](std::uint64_t index) {
        if (entries_.is_accepted_file(index) && entries_.accepts(index)) {
            append_index(missing, index);
        }
    });
    send_prioritize(missing);
}

void Receiver::send_prioritize(const IndexRanges &ranges) {
    for (IndexRanges &chunk : chunks_of(ranges) | std::views::reverse) {
        out_.messages.emplace_back(Prioritize{std::move(chunk)});
    }
}

void Receiver::on_segment_damaged(const SegmentPlan &plan) {
    for (const std::uint64_t index : pieces_.on_damaged(plan)) {
        on_entry_failed(index, ErrorCode::HashMismatch);
    }
}

void Receiver::on_bytes_lost(const Piece &piece) {
    if (!pieces_.on_bytes_lost(piece)) {
        on_entry_failed(piece.index, ErrorCode::DiskIo);
    }
}

void Receiver::on_read_back_wrong(const Piece &piece) {
    if (!pieces_.on_read_back_wrong(piece)) {
        on_entry_failed(piece.index, ErrorCode::DiskIo);
    }
}

void Receiver::on_file_published(std::uint64_t index, bool renamed) {
    if (settle(index, EntryState::Published)) {
        renamed_ += renamed ? 1 : 0;
    }
}

bool Receiver::settle(std::uint64_t index, EntryState state) {
    const EntryState before = entries_.state(index);
    if (before != EntryState::Skipped && !entries_.is_missing(index)) {
        return false;
    }
    const bool known = before == EntryState::Complete || before == EntryState::Linked;
    if (!known && phase_ != Phase::Finished) {
        // The file was published before the skip.
        send_skip(Skip::Why::Present, {{.first = index, .count = 1}});
    }
    pieces_.withdraw(index, state);
    return true;
}

void Receiver::on_entry_failed(std::uint64_t index, ErrorCode code) {
    if (mark_failed(index, code)) {
        out_.messages.emplace_back(EntryFailed{.index = index, .code = code});
    }
}

bool Receiver::mark_failed(std::uint64_t index, ErrorCode code) {
    const bool over = phase_ == Phase::Finished && index < entries_.accepted_end();
    if (over || !entries_.is_missing(index)) {
        return false;
    }
    pieces_.withdraw(index, EntryState::Failed);
    ++problems_;
    out_.events.emplace_back(ReceiverEntryFailed{.index = index, .code = code});
    return true;
}

void Receiver::on_all_durable() {
    // More may have been accepted or wanted meanwhile.
    if (!complete()) {
        return;
    }
    phase_ = Phase::Finished;
    const ReceiverTotals sums = totals();
    const Done done{.entries = entries_.accepted_end(),
                    .files = sums.files,
                    .bytes = sums.bytes,
                    .problems = problems_,
                    .renamed = std::min(renamed_, sums.files),
                    .identical = sums.identical_files,
                    .identical_bytes = sums.identical_bytes,
                    .uncompared = sums.uncompared_files};
    out_.messages.emplace_back(done);
    out_.events.emplace_back(ReceiverFinished{done});
}

void Receiver::resume() {
    pieces_.request_lost();
    if (std::exchange(paused_, false)) {
        out_.messages.emplace_back(Resume{});
    }
}

ReceiverTotals Receiver::totals() const {
    ReceiverTotals totals = entries_.totals();
    totals.bytes += pieces_.partial_bytes();
    return totals;
}

std::vector<ReceiverEvent> Receiver::take_events() {
    if (!removed_.empty()) {
        out_.events.emplace_back(ReceiverRemoved{std::exchange(removed_, {}).indexes()});
    }
    if (auto complete = pieces_.take_complete(); !complete.empty()) {
        out_.events.emplace_back(ReceiverFilesComplete{std::move(complete)});
    }
    return std::exchange(out_.events, {});
}

} // namespace thru
