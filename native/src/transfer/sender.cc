#include "transfer/sender.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "transfer/index_chunks.h"
#include "transfer/protocol_error.h"

namespace thru {

namespace {

using Reason = SegmentPlanner::Reason;

/// Limits of resends: enough for full disks and damaged segments, but finite.
constexpr std::uint64_t kMaxResends = 1'000'000;
constexpr std::uint64_t kResendFactor = 16;
constexpr std::uint64_t kResendBytes = 64 << 20;
/// Limit of the entries in all Skips and Prioritizes, each of which takes time from other
/// receivers. Enough to change every choice a hundred times, or the choices of a few files forever.
constexpr std::uint64_t kChoiceFactor = 100;
constexpr std::uint64_t kChoices = 1'000'000;

} // namespace

Sender::Sender(std::shared_ptr<const ManifestTable> manifest, Options options)
    : manifest_(std::move(manifest)), options_(std::move(options)),
      planner_(manifest_, options_.validator_of) {
    messages_.emplace_back(Hello{.version = options_.stream ? kStreamVersion : Hello{}.version,
                                 .name = options_.name,
                                 .id = options_.share,
                                 .browser = options_.browser});
    if (options_.origin) {
        messages_.emplace_back(*options_.origin);
    }
    if (options_.asks) {
        messages_.emplace_back(ApprovalRequested{});
    }
    if (options_.lists_chunks) {
        messages_.emplace_back(ChunkLists{});
    }
}

Result<> Sender::on_control(const ControlMessage &message) {
    const bool first =
        std::holds_alternative<Hello>(message) || std::holds_alternative<Bye>(message);
    if (phase_ == Phase::Greeting && !first) {
        return protocol_error("message before HELLO");
    }
    return std::visit([this](const auto &content) { return on(content); }, message);
}

template <class Other> Result<> Sender::on(const Other &) {
    return protocol_error("message of a sender from a receiver");
}

Result<> Sender::report(SenderEvent event) {
    events_.push_back(std::move(event));
    return {};
}

Result<> Sender::on(const Hello &hello) {
    if (phase_ != Phase::Greeting) {
        return protocol_error("second HELLO");
    }
    if (hello.version != Hello{}.version) {
        return fail(ErrorCode::PeerVersion, static_cast<std::int64_t>(hello.version));
    }
    if (hello.browser && !options_.browsers) {
        return fail(ErrorCode::NoBrowsers, 0, "the receiver is a web page");
    }
    phase_ = Phase::Offering;
    takes_ = hello.takes;
    return report(SenderGreeted{.name = hello.name, .receive = hello.id, .browser = hello.browser});
}

Result<> Sender::on(const Request &request) {
    const bool again = phase_ == Phase::Sending;
    if (!offered() || request.end > planner_.checkpoint() ||
        (again && request.end <= planner_.requested())) {
        return protocol_error("REQUEST beyond the offer, or without a higher end");
    }
    planner_.request(request.end);
    std::erase_if(prefetch_, [this](const SegmentPlan &plan) { return !uses_prefetched(plan); });
    done_ = false;
    in_step_.reset();
    if (!again) {
        phase_ = Phase::Sending;
        events_.emplace_back(SenderAccepted{});
    }
    report_progress();
    return {};
}

Result<> Sender::on(const Progress &progress) {
    if (phase_ != Phase::Sending) {
        return protocol_error("PROGRESS before REQUEST");
    }
    progress_ = progress;
    report_progress();
    return {};
}

Result<> Sender::on(const EntryFailed &failure) {
    // The receiver makes folders before it selects, so failures may arrive before the selection.
    if (!offered() || failure.index >= planner_.checkpoint() ||
        manifest_->kind(failure.index) == EntryKind::Gone) {
        return protocol_error("ENTRY_FAILED for an entry that was not offered");
    }
    if (++failures_received_ > planner_.checkpoint()) {
        return protocol_error("more ENTRY_FAILEDs than entries");
    }
    mark_failed(failure.index, failure.code);
    return {};
}

Result<> Sender::on(const Done &done) {
    if (phase_ != Phase::Sending || done_ || done.entries != planner_.requested() ||
        done.files > checkpoint_files_ || done.bytes > checkpoint_bytes_ ||
        done.problems > done.entries || done.renamed > done.files || done.identical > done.files ||
        done.identical_bytes > done.bytes || done.uncompared > done.identical) {
        return protocol_error("DONE does not match the offer");
    }
    done_ = true;
    if (done.entries < planner_.checkpoint()) {
        return {}; // The receiver will be offered the rest and continues.
    }
    in_step_ = done;
    if (followed_ && followable_) {
        return report(SenderInStep{done});
    }
    release();
    return {};
}

void Sender::release() {
    phase_ = Phase::Finished;
    messages_.emplace_back(Bye{});
    events_.emplace_back(SenderFinished{*in_step_});
}

void Sender::set_followable(bool followable) {
    followable_ = followable;
    if (phase_ == Phase::Finished) {
        return;
    }
    if (followable && !std::exchange(follow_offered_, true)) {
        messages_.emplace_back(Follow{});
    } else if (!followable && in_step_) {
        release();
    }
}

Result<> Sender::on(const Bye &bye) {
    if (phase_ == Phase::Finished) {
        return {};
    }
    if (!bye.code) {
        return protocol_error("BYE before DONE");
    }
    return fail(*bye.code, 0, "reason given by the receiver");
}

Result<> Sender::on(const Skip &skip) {
    if (auto checked = check_choice(skip.ranges); !checked) {
        return checked;
    }
    std::uint64_t twice = 0;
    for_each_index(skip.ranges, [&](std::uint64_t index) {
        switch (skip.why) {
        case Skip::Why::Unwanted:
            planner_.leave_out(index, Reason::Unwanted);
            break;
        case Skip::Why::Present:
            planner_.leave_out(index, Reason::Present);
            break;
        case Skip::Why::Wanted:
            twice += planner_.unskip(index);
            break;
        }
    });
    report_progress();
    return spend(twice);
}

Result<> Sender::on(const Have &have) {
    if (!offered() || !is_file(have.index) || have.index < planner_.requested() ||
        manifest_->stream(have.index) || have.offset > manifest_->file_size(have.index)) {
        return protocol_error("HAVE for an entry that is not an offered file");
    }
    if (!planner_.await_check(have)) {
        return protocol_error("second HAVE for a file");
    }
    if (planner_.awaits_check(have.index)) {
        events_.emplace_back(have);
    }
    return {};
}

Result<> Sender::on(const Extents &extents) {
    std::uint64_t end = extents.offset;
    for (const Extents::Run &run : extents.runs) {
        end += run.length;
    }
    if (!comparing_ || comparing_->index != extents.index || comparing_->offset != extents.offset ||
        end > comparing_end_) {
        return protocol_error("EXTENTS without a COMPARE, or beyond the HAVE");
    }
    comparing_.reset();
    return report(extents);
}

Result<> Sender::on(const Resend &resend) {
    if (phase_ != Phase::Sending || resend.index >= planner_.requested() ||
        !is_file(resend.index)) {
        return protocol_error(
            "RESEND before REQUEST, or for an entry that is not a requested file");
    }
    const std::uint64_t size = manifest_->file_size(resend.index);
    if (resend.offset > size || resend.length > size - resend.offset ||
        (resend.length == 0 && size > 0)) {
        return protocol_error("RESEND beyond the end of a file");
    }
    if (++resends_ > kMaxResends) {
        return protocol_error("more RESENDs than allowed");
    }
    if (planner_.to_be_sent(resend.index)) {
        planner_.resend({.index = resend.index, .offset = resend.offset, .length = resend.length});
    }
    return spend(resend.length);
}

void Sender::on_stream_grown(std::uint64_t end, bool ended) {
    checkpoint_bytes_ += end - planner_.stream_end();
    planner_.grow_stream(end, ended);
    if (phase_ == Phase::Sending) {
        report_progress();
    }
}

void Sender::on_stream_broken() {
    if (const auto index = manifest_->stream();
        index && mark_failed(*index, ErrorCode::StreamBroken)) {
        messages_.emplace_back(EntryFailed{.index = *index, .code = ErrorCode::StreamBroken});
    }
}

Result<> Sender::on(const Prioritize &prioritize) {
    if (auto checked = check_choice(prioritize.ranges); !checked) {
        return checked;
    }
    planner_.prioritize(prioritize.ranges);
    return {};
}

Result<> Sender::on(const Prefetch &prefetch) {
    if (phase_ != Phase::Offering || prefetch_bytes_) {
        return protocol_error("PREFETCH after REQUEST, or a second one");
    }
    prefetch_bytes_ = std::min(prefetch.bytes, kMaxPrefetchBytes);
    if (offer_made_) {
        prefetch_ = planner_.prefetch(*prefetch_bytes_);
    }
    return {};
}

Result<> Sender::on(const Follow &) {
    if (!follow_offered_) {
        return protocol_error("FOLLOW without one of the sender");
    }
    followed_ = true;
    return {};
}

Result<> Sender::on(const Pause &pause) {
    peer_paused_ = true;
    return report(SenderPeerPaused{pause});
}

Result<> Sender::on(const Resume &) {
    if (std::exchange(peer_paused_, false)) {
        events_.emplace_back(SenderPeerPaused{});
    }
    return {};
}

bool Sender::offered() const {
    return offer_made_ && (phase_ == Phase::Offering || phase_ == Phase::Sending);
}

bool Sender::is_file(std::uint64_t index) const {
    return index < planner_.checkpoint() && manifest_->kind(index) == EntryKind::File;
}

Result<> Sender::check_choice(const IndexRanges &ranges) {
    const bool beyond =
        !ranges.empty() && ranges.back().first + ranges.back().count > planner_.checkpoint();
    if (!offered() || beyond) {
        return protocol_error("SKIP or PRIORITIZE beyond the offer");
    }
    const std::uint64_t allowed = planner_.checkpoint() * kChoiceFactor + kChoices;
    const std::uint64_t named = count_of(ranges);
    if (named > allowed - choices_) {
        return protocol_error("SKIP and PRIORITIZE name too many entries");
    }
    choices_ += named;
    return {};
}

Result<> Sender::spend(std::uint64_t bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t allowed = checkpoint_bytes_ > (kMost - kResendBytes) / kResendFactor
                                      ? kMost
                                      : checkpoint_bytes_ * kResendFactor + kResendBytes;
    if (bytes > allowed - resent_bytes_) {
        return protocol_error("more bytes in RESEND than allowed");
    }
    resent_bytes_ += bytes;
    return {};
}

void Sender::set_left_out(LeftOut left_out) {
    if (left_out == left_out_ || phase_ == Phase::Finished) {
        return;
    }
    left_out_ = std::move(left_out);
    messages_.emplace_back(left_out_);
}

void Sender::on_checkpoint() {
    const std::uint64_t end = manifest_->size();
    Offer offer;
    for (std::uint64_t index = planner_.checkpoint(); index < end; ++index) {
        if (planner_.left_out(index, Reason::Removed)) {
            continue;
        }
        const EntryKind kind = manifest_->kind(index);
        offer.files += kind == EntryKind::File ? 1 : 0;
        offer.folders += kind == EntryKind::Folder ? 1 : 0;
        offer.links += kind == EntryKind::Link ? 1 : 0;
        offer.bytes += manifest_->file_size(index);
    }
    planner_.set_checkpoint(end);
    checkpoint_files_ += offer.files;
    checkpoint_bytes_ += offer.bytes;
    if (!offer_made_) {
        offer_made_ = true;
        messages_.emplace_back(offer);
        prefetch_ = planner_.prefetch(prefetch_bytes_.value_or(0));
    }
}

void Sender::on_removed(const IndexRanges &ranges) {
    IndexRanges fresh;
    for_each_index(ranges, [&](std::uint64_t index) {
        if (planner_.leave_out(index, Reason::Removed)) {
            append_index(fresh, index);
        }
    });
    if (!offer_made_ || phase_ == Phase::Finished) {
        return;
    }
    for (IndexRanges &chunk : chunks_of(fresh)) {
        messages_.emplace_back(Removed{std::move(chunk)});
    }
    report_progress();
}

std::optional<SegmentPlan> Sender::next_segment() {
    searching_ = false;
    repeated_ = false;
    prefetched_ = !prefetch_.empty() && !paused();
    if (prefetched_) {
        auto plan = std::move(prefetch_.front());
        prefetch_.pop_front();
        return plan;
    }
    if (phase_ != Phase::Sending || paused()) {
        return std::nullopt;
    }
    SegmentPlanner::Notes notes;
    auto plan = planner_.next(notes);
    searching_ = notes.searching;
    repeated_ = notes.repeated;
    std::ranges::move(notes.messages, std::back_inserter(messages_));
    for (const Piece &place : notes.data_wanted) {
        events_.emplace_back(SenderDataWanted{.index = place.index, .offset = place.offset});
    }
    return plan;
}

bool Sender::uses_prefetched(const SegmentPlan &plan) const {
    return std::ranges::any_of(
        plan, [this](const Piece &piece) { return planner_.uses_prefetched(piece.index); });
}

void Sender::on_prefetch_failed(const SegmentPlan &plan) {
    for (const Piece &piece : plan) {
        if (!planner_.uses_prefetched(piece.index)) {
            continue;
        }
        if (phase_ == Phase::Offering) {
            planner_.forget_prefetched(piece.index);
        } else {
            planner_.resend(piece);
        }
    }
}

void Sender::on_entry_failed(const SegmentPlan &plan, std::uint64_t index, ErrorCode code) {
    if (mark_failed(index, code)) {
        messages_.emplace_back(EntryFailed{.index = index, .code = code});
    }
    for (const Piece &piece : plan) {
        if (piece.index != index) {
            planner_.resend(piece);
        }
    }
}

bool Sender::mark_failed(std::uint64_t index, ErrorCode code) {
    if (phase_ == Phase::Finished || !planner_.to_be_sent(index)) {
        return false;
    }
    planner_.leave_out(index, Reason::Failed);
    events_.emplace_back(SenderEntryFailed{.index = index, .code = code});
    report_progress();
    return true;
}

bool Sender::awaits_check(std::uint64_t index) const {
    return phase_ != Phase::Finished && planner_.awaits_check(index);
}

void Sender::compare(const Have &have, std::uint64_t offset) {
    comparing_ = Compare{.index = have.index, .offset = offset};
    comparing_end_ = have.offset;
    messages_.emplace_back(*comparing_);
}

void Sender::confirm_part(std::uint64_t index, std::vector<ByteRange> different) {
    messages_.emplace_back(
        Confirm{.index = index, .different = std::move(different), .more = true});
}

void Sender::on_have_checked(std::uint64_t index, bool same, std::vector<ByteRange> different) {
    if (!awaits_check(index)) {
        return; // The receiver or the share changed its mind.
    }
    planner_.on_have_checked(index, same);
    messages_.emplace_back(
        same ? ControlMessage{Confirm{.index = index, .different = std::move(different)}}
             : ControlMessage{Restart{index}});
}

void Sender::on_data_found(std::uint64_t index, std::uint64_t begin, std::uint64_t end) {
    planner_.found_data(index, begin, end);
}

void Sender::pause() {
    if (!std::exchange(paused_, true)) {
        messages_.emplace_back(Pause{});
    }
}

void Sender::resume() {
    if (std::exchange(paused_, false)) {
        messages_.emplace_back(Resume{});
    }
}

bool Sender::paused() const { return paused_ || peer_paused_; }

/// The receiver's counts are only displayed: an excess doesn't end the transfer.
void Sender::report_progress() {
    if (phase_ != Phase::Sending) {
        return;
    }
    const SenderProgress progress{.files = std::min(progress_.files, planner_.files()),
                                  .bytes = std::min(progress_.bytes, planner_.bytes()),
                                  .total_files = planner_.files(),
                                  .total_bytes = planner_.bytes(),
                                  .offered_files = planner_.offered_files(),
                                  .unwanted_files = planner_.unwanted_files()};
    if (!events_.empty() && std::holds_alternative<SenderProgress>(events_.back())) {
        events_.back() = progress;
    } else {
        events_.emplace_back(progress);
    }
}

std::vector<ControlMessage> Sender::take_messages() { return std::exchange(messages_, {}); }

std::vector<SenderEvent> Sender::take_events() { return std::exchange(events_, {}); }

} // namespace thru
