#include "engine/share/send_transfer.h"

#include <algorithm>
#include <limits>

#include "link/control_stream.h"

namespace thru {

namespace {

/// Data read ahead of sending, in bytes: covers a pause of the disk pool of several ms at 1 GB/s.
constexpr std::uint64_t kReadAhead = 8ULL << 20;
/// Segments read concurrently: small files are limited by the disk's latency, not its bandwidth.
constexpr std::size_t kReaders = 3;
/// Maximum number of unacknowledged segments. Each takes about two kilobytes besides its data.
constexpr std::size_t kMaxSegments = 256;
/// Manifest bytes queued at a time.
constexpr std::uint64_t kManifestAhead = 512ULL << 10;
/// Manifest bytes buffered, sent or not: enough for 600 Mbit/s at 100 ms.
constexpr std::uint64_t kMaxUnacknowledgedManifest = 8ULL << 20;
/// Number of unchecked HAVEs at which a receiver gets no more credit: 15 MB in all.
constexpr std::size_t kMaxClaimed = 65'536;
/// Entries that a receiver's choices may name in one turn of the loop: a few milliseconds.
constexpr std::uint64_t kChoicesATurn = 100'000;
/// Unacknowledged message bytes that stop further messages: answers of a few bytes take a hundred.
constexpr std::uint64_t kMaxUnacknowledgedMessages = 1ULL << 20;

} // namespace

/// A segment whose stream is not completely read.
struct SendTransfer::Outgoing {
    OutgoingSegment reader;
    StreamId stream = -1;
    /// The next chunk is being read.
    bool busy = false;
};

SendTransfer::SendTransfer(EngineContext &context, Scheduler::Task &task, Connection &connection,
                           const ShareContents &contents, Introduction introduction)
    : context_(context), connection_(connection), contents_(contents), files_(contents.files()),
      log_receiver_(files_->read_log()), stage_(Stage::Held), held_(introduction.held),
      awaits_greeting_(!introduction.browsers || contents.reads_attributes()),
      sender_(contents.manifest(),
              {.name = std::move(introduction.name),
               .share = introduction.share,
               .origin = introduction.origin,
               .stream = contents.stream() != nullptr,
               .asks = introduction.held,
               .browsers = introduction.browsers,
               .lists_chunks = true,
               .validator_of = [files = contents.files()](
                                   std::uint64_t index) { return files->validator(index); }}),
      choices_for_now_(kChoicesATurn), lookup_strand_(context.disk.make_strand()),
      haves_(context.disk, lookup_strand_, files_, sender_, task),
      listings_(context.disk, lookup_strand_, files_, sender_, task),
      buffered_(context.send_budget), taker_(context.segments, contents.files()),
      lifetime_([&task] { task.wake(); }) {
    begin_when_due();
}

/// Sends the share's present state to the receiver.
void SendTransfer::begin() {
    on_removed(contents_.removed());
    if (contents_.complete()) {
        on_checkpoint();
    }
}

void SendTransfer::begin_when_due() {
    if (stage_ == Stage::Held && !held_ && !awaits_greeting_) {
        stage_ = Stage::Listing;
        begin();
    }
}

void SendTransfer::approve() {
    held_ = false;
    begin_when_due();
}

SendTransfer::~SendTransfer() = default;

void SendTransfer::on_checkpoint() {
    if (stage_ == Stage::Held) {
        return;
    }
    // None of the added entries could be read: there is no new checkpoint.
    if (checkpoint_end_ == contents_.manifest()->size()) {
        return;
    }
    if (!checkpoint_end_) {
        sender_.set_hard_links(contents_.hard_links());
        sender_.set_attributes(contents_.attributes(), contents_.removed());
        sender_.set_creation_times(contents_.creation_times(), contents_.removed());
    }
    checkpoint_end_ = contents_.manifest()->size();
    // A pending checkpoint stays: the offer has the totals of the first.
    if (!checkpoint_due_) {
        checkpoint_due_ = checkpoint_end_;
    }
    sender_.set_left_out(contents_.left_out());
    sender_.on_checkpoint();
    if (!removed_early_.empty()) {
        sender_.on_removed(std::exchange(removed_early_, {}));
    }
}

void SendTransfer::on_removed(const IndexRanges &ranges) {
    if (stage_ == Stage::Held) {
        return;
    }
    constexpr auto kEnd = std::numeric_limits<std::uint64_t>::max();
    const auto first_gone = std::max<std::uint64_t>(manifest_sent_, checkpoint_end_.value_or(0));
    const IndexRanges known = part_of(ranges, 0, first_gone);
    const IndexRanges gone = part_of(ranges, first_gone, kEnd);
    gone_ = merged(gone_, gone);
    const auto report = [this](const IndexRanges &which) {
        if (!which.empty()) {
            sender_.on_removed(which);
        }
    };
    report(gone);
    // Entries that are not offered yet can't be removed from an offer.
    if (checkpoint_end_.value_or(0) == 0) {
        removed_early_ = merged(removed_early_, known);
    } else {
        report(known);
        sender_.set_left_out(contents_.left_out());
    }
}

Result<> SendTransfer::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (stream != kControlStream) {
        return fail(ErrorCode::PeerProtocol, stream, "unexpected stream from a receiver");
    }
    if (fin) {
        return fail(ErrorCode::PeerProtocol, stream, "end of the control stream");
    }
    control_taken_ += bytes.size();
    control_.buffer(bytes);
    return process_control();
}

/// Handles the receiver's messages, within this turn's limit.
Result<> SendTransfer::process_control() {
    const auto all = control_.process(
        context_.loop.now(),
        [this](const ControlMessage &message) { return sender_.on_control(message); },
        [this] { return sender_.choices() < choices_for_now_; });
    if (!all) {
        return std::unexpected(all.error());
    }
    control_pending_ = !*all;
    return {};
}

void SendTransfer::give_control_credit() {
    if (control_taken_ == 0 || control_pending_ || haves_.waiting() > kMaxClaimed ||
        listings_.waiting() > kMaxClaimed) {
        return;
    }
    connection_.consume_stream(kControlStream, control_taken_);
    connection_.consume_connection(std::exchange(control_taken_, 0));
}

/// True if the receiver acknowledges the messages it is sent.
bool SendTransfer::keeps_up() const {
    return connection_.unacknowledged_bytes(kControlStream) < kMaxUnacknowledgedMessages;
}

/// All other streams of this side end with the connection.
void SendTransfer::on_stream_closed(StreamId stream) {
    segments_under_way_.erase(stream);
    stream_pieces_.erase(stream);
    prefetched_.erase(stream);
    if (const auto found = reset_segments_.find(stream); found != reset_segments_.end()) {
        const auto failed = std::move(found->second);
        reset_segments_.erase(found);
        if (failed.prefetched) {
            sender_.on_prefetch_failed(failed.plan);
        } else {
            sender_.on_entry_failed(failed.plan, failed.index, failed.code);
        }
    }
}

std::uint64_t SendTransfer::stream_needed_from() const {
    auto from = sender_.stream_planned();
    if (planned_ && files_->manifest().stream(planned_->front().index)) {
        from = std::min(from, planned_->front().offset);
    }
    for (const auto &[stream, offset] : stream_pieces_) {
        from = std::min(from, offset);
    }
    return from;
}

Result<> SendTransfer::pump() {
    if (control_pending_) {
        if (auto processed = process_control(); !processed) {
            return processed;
        }
    }
    choices_for_now_ = sender_.choices() + kChoicesATurn;
    handle_events();
    connection_.set_paused(sender_.paused());
    connection_.set_background(context_.background || sender_.background());
    pump_control();
    pump_manifest();
    pump_segments();
    handle_events();
    if (keeps_up()) {
        haves_.begin_next();
        listings_.list_more();
        if (!sender_.paused()) {
            listings_.answer_more(connection_.data_limited());
        }
    }
    give_control_credit();
    hold();
    connection_.set_supply(supply());
    return {};
}

FileStates SendTransfer::file_states() const {
    auto states = sender_.file_states();
    for (const auto &[stream, run] : segments_under_way_) {
        states.under_way.push_back(run);
    }
    return states;
}

void SendTransfer::handle_events() {
    for (const auto &event : sender_.take_events()) {
        std::visit([this](const auto &each) { on(each); }, event);
    }
}

void SendTransfer::on(const SenderGreeted &greeted) {
    awaits_greeting_ = false;
    events_.emplace_back(greeted);
    begin_when_due();
}

void SendTransfer::on(const SenderAccepted &accepted) {
    stage_ = Stage::Accepted;
    events_.emplace_back(accepted);
    drop_unused_prefetched();
}

/// On a slow path they would delay the files that the receiver chose.
void SendTransfer::drop_unused_prefetched() {
    for (const auto &[stream, plan] : prefetched_) {
        if (!sender_.uses_prefetched(plan)) {
            std::erase_if(reading_,
                          [stream](const auto &segment) { return segment->stream == stream; });
            connection_.reset(stream);
        }
    }
}

void SendTransfer::on(const SenderDataWanted &wanted) {
    context_.disk.fetch(
        lookup_strand_, lifetime_, {.lane = DiskLane::Lookup, .disk = files_->disk(wanted.index)},
        [files = files_, wanted] { return files->next_data(wanted.index, wanted.offset); },
        [this, index = wanted.index](const Result<fs::DataRun> &found) {
            if (found) {
                sender_.on_data_found(index, found->begin, found->end);
            } else {
                sender_.on_entry_failed({}, index, found.error().code);
            }
        });
}

void SendTransfer::pump_control() {
    Bytes out;
    for (const auto &message : sender_.take_messages()) {
        encode(message, out);
    }
    if (!out.empty()) {
        connection_.write(kControlStream, out, false);
    }
}

void SendTransfer::pump_manifest() {
    const bool full =
        manifest_stream_ &&
        (connection_.unsent_bytes(*manifest_stream_) > kManifestAhead ||
         connection_.unacknowledged_bytes(*manifest_stream_) > kMaxUnacknowledgedManifest);
    if (stage_ == Stage::Held || stage_ == Stage::Offered || full) {
        return;
    }
    if (!manifest_stream_) {
        manifest_stream_ = connection_.open_unidirectional(StreamUse::Messages);
        if (!manifest_stream_) {
            return;
        }
        const std::uint8_t type = static_cast<std::uint8_t>(StreamType::Manifest);
        connection_.write(*manifest_stream_, ByteView{&type, 1}, false);
    }
    const auto &manifest = *contents_.manifest();
    auto gone = std::ranges::lower_bound(gone_, manifest_sent_, {}, [](const IndexRange &range) {
        return range.first + range.count - 1;
    });
    const auto end = checkpoint_due_.value_or(manifest.size());
    Bytes out;
    while (manifest_sent_ < end && out.size() < kManifestAhead) {
        const auto index = manifest_sent_++;
        while (gone != gone_.end() && gone->first + gone->count <= index) {
            ++gone;
        }
        const bool is_gone = gone != gone_.end() && gone->first <= index;
        manifest_encoder_.add(
            is_gone ? ManifestEntry{.kind = EntryKind::Gone} : manifest.entry(index), out);
    }
    if (checkpoint_due_ && manifest_sent_ == *checkpoint_due_) {
        manifest_encoder_.checkpoint(out);
        stage_ = std::max(stage_, Stage::Offered);
        checkpoint_due_ = checkpoint_end_ > manifest_sent_ ? checkpoint_end_ : std::nullopt;
    }
    if (!out.empty()) {
        connection_.write(*manifest_stream_, out, false);
    }
}

/// Updates the bytes in flight to this receiver.
void SendTransfer::hold() {
    const auto bytes = connection_.unacknowledged_bytes() + expected_;
    buffered_.hold(bytes);
    taker_.set(bytes > 0);
}

/// Data for one receiver, sent or not: 48 MiB by default, and up to 192 MiB if the path needs it.
/// The total for all receivers does not depend on their paths.
std::uint64_t SendTransfer::allowance() const {
    const auto first = context_.links.transport.connection() / 4 * 3;
    const auto most = std::clamp(connection_.bytes_to_fill_path() + kReadAhead, first,
                                 context_.links.transport.max_connection() / 4 * 3);
    return buffered_.allowance(first, most);
}

bool SendTransfer::wants_more() {
    hold();
    const auto most = allowance();
    return connection_.unsent_bytes() + expected_ < std::min(kReadAhead, most) &&
           connection_.unacknowledged_bytes() + expected_ < most;
}

/// The reason why the connection has nothing to send.
Bottleneck SendTransfer::supply() const {
    if (sender_.paused()) {
        return Bottleneck::Paused;
    }
    const bool full = connection_.unacknowledged_bytes() + expected_ >= allowance() ||
                      segments_under_way_.size() >= kMaxSegments || !keeps_up();
    // A buffer filled only by pending reads is the disk's delay.
    if (full && connection_.unacknowledged_bytes() > 0) {
        return Bottleneck::SendBuffer;
    }
    if (!reading_.empty() || haves_.busy() || listings_.busy()) {
        return Bottleneck::Disk;
    }
    if (planned_) {
        return Bottleneck::FlowControl;
    }
    if (searching_) {
        return Bottleneck::Processor;
    }
    const auto *stream = contents_.stream();
    const bool waits_here =
        stage_ == Stage::Held || !contents_.complete() || (stream != nullptr && !stream->over());
    return waits_here ? Bottleneck::Application : Bottleneck::Peer;
}

void SendTransfer::pump_segments() {
    searching_ = false;
    std::erase_if(reading_, [this](const auto &segment) { return read_ahead(*segment); });
    while (reading_.size() < kReaders && segments_under_way_.size() < kMaxSegments &&
           wants_more() && keeps_up()) {
        if (sender_.paused()) {
            return;
        }
        if (!planned_) {
            planned_ = sender_.next_segment();
            searching_ = sender_.searching();
        }
        const auto stream = planned_ ? connection_.open_unidirectional() : std::nullopt;
        if (!stream) {
            return;
        }
        begin_segment(*stream, std::move(*planned_));
        planned_.reset();
        if (read_ahead(*reading_.back())) {
            reading_.pop_back();
        }
    }
}

void SendTransfer::begin_segment(StreamId stream, SegmentPlan plan) {
    const auto &first = plan.front();
    segments_under_way_.emplace(
        stream, IndexRange{.first = first.index, .count = plan.back().index - first.index + 1});
    if (files_->manifest().stream(first.index)) {
        stream_pieces_.emplace(stream, first.offset);
    }
    const auto disk = disk_of(*files_, plan);
    if (sender_.prefetched()) {
        const auto type = static_cast<std::uint8_t>(StreamType::Prefetched);
        connection_.write(stream, ByteView{&type, 1}, false);
        prefetched_.emplace(stream, plan);
    }
    // The shared copy may be the damaged one.
    auto reader = sender_.repeated() ? context_.segments.open_alone(files_, std::move(plan), disk)
                                     : context_.segments.open(files_, std::move(plan), disk);
    const bool compress =
        sender_.may_compress() && compresses(*compression_, connection_, reader.plan());
    auto choice = compress ? compression_ : nullptr;
    reading_.push_back(std::make_unique<Outgoing>(Outgoing{
        .reader = {std::move(reader), context_.disk, std::move(choice)}, .stream = stream}));
}

/// Takes the data wanted now; true when the segment is finished.
bool SendTransfer::read_ahead(Outgoing &segment) {
    while (!segment.busy && wants_more()) {
        if (auto read = segment.reader.take()) {
            if (pass_on(segment, *std::move(read))) {
                return true;
            }
            continue;
        }
        const auto bytes = segment.reader.next_bytes();
        segment.busy = true;
        expected_ += bytes;
        segment.reader.fetch(lifetime_,
                             [this, stream = segment.stream, bytes] { on_ready(stream, bytes); });
    }
    return false;
}

void SendTransfer::on_ready(StreamId stream, std::size_t expected) {
    expected_ -= expected;
    const auto found =
        std::ranges::find(reading_, stream, [](const auto &segment) { return segment->stream; });
    if (found == reading_.end()) {
        return; // The receiver does not use the segment.
    }
    auto &segment = **found;
    segment.busy = false;
    auto read = segment.reader.take();
    if (read && pass_on(segment, *std::move(read))) {
        reading_.erase(found);
    }
}

/// True if that was the stream's last chunk.
bool SendTransfer::pass_on(Outgoing &segment, SegmentCache::Outcome outcome) {
    if (!outcome) {
        const auto &failure = outcome.error();
        // Bytes already sent can't be recalled: the whole stream is reset.
        connection_.reset(segment.stream);
        reset_segments_.emplace(segment.stream, ResetSegment{segment.reader.plan(), failure.index,
                                                             failure.error.code,
                                                             prefetched_.contains(segment.stream)});
        return true;
    }
    transferred_ += segment.reader.taken_bytes();
    const bool last = segment.reader.next_bytes() == 0;
    if (const auto before = segment.reader.before(); !before.empty()) {
        connection_.write(segment.stream, before, false);
    }
    connection_.write(segment.stream, *std::move(outcome), last);
    return last;
}

} // namespace thru
