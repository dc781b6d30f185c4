#include "engine/receive/receive_transfer.h"

#include <algorithm>

#include "link/control_stream.h"

namespace thru {

namespace {

/// Interval of PROGRESS messages.
constexpr Timestamp kReportInterval = 100 * kMillisecond;
/// Pending disk jobs of control messages at which the sender gets no more credit for them.
constexpr std::size_t kMaxJobs = 64;
/// Unsent bytes at which reports wait.
constexpr std::uint64_t kMaxUnsent = 64ULL << 10;

/// Sockets and links that lead out of the share are never offered, so they are not missing.
bool could_read_everything(const LeftOut &left_out) {
    using enum ErrorCode;
    return std::ranges::all_of(left_out.reasons, [](const auto &reason) {
        return reason.code == PathUnsupported || reason.code == LinkOutside;
    });
}

} // namespace

ReceiveTransfer::ReceiveTransfer(EngineContext &context, Scheduler::Task &task,
                                 Connection &connection, std::string own_name,
                                 const WireId &receive, bool attributes)
    : context_(context), task_(task), connection_(connection),
      receiver_(std::move(own_name), receive, false,
                attributes
                    ? kTakesThoseOfFolders | (fs::kHasExtendedAttributes ? kTakesAttributes : 0) |
                          (fs::kSetsCreationTimes ? kTakesCreationTimes : 0)
                    : 0),
      ids_{.receive = receive}, target_(context, task, receiver_.manifest(), target_listener()),
      segments_(context, task, connection, receiver_, target_, segments_listener()),
      choice_strand_(context.disk.make_strand()), lifetime_([&task] { task.wake(); }) {}

ReceiveTarget::Listener ReceiveTransfer::target_listener() {
    return {.on_prepared =
                [this](std::size_t end, Prepared prepared, const std::vector<IndexRanges> &first) {
                    on_prepared(end, std::move(prepared), first);
                },
            .on_chunks_wanted = [this](const auto &wanted) { receiver_.ask_for_chunks(wanted); },
            .on_committed = [this](const CommitResult &result) { on_committed(result); },
            .is_complete = [this](std::uint64_t index) { return receiver_.holds_complete(index); },
            .on_finished =
                [this](const Finished &finished) {
                    std::ranges::for_each(finished.failures,
                                          [this](const auto &failed) { fail_entry(failed); });
                    report(finished.lost_attributes);
                    if (finished.deletions.any()) {
                        events_.emplace_back(finished.deletions);
                    }
                    receiver_.on_all_durable();
                },
            .on_left_out =
                [this](std::uint64_t index) { receiver_.skip({{.first = index, .count = 1}}); },
            .on_unlinked =
                [this](std::vector<std::uint64_t> entries) { on_unlinked(std::move(entries)); },
            .on_entry_failed = [this](const WriteFailure &failure) { fail_entry(failure); },
            .on_failed = [this](const Error &error) { fail_transfer(error); }};
}

IncomingSegments::Listener ReceiveTransfer::segments_listener() {
    return {.on_begun = [this] { handle_events(); },
            .on_written = [this] { progressed_ = true; },
            .on_text =
                [this](SegmentSink::Text text) {
                    texts_.insert_or_assign(text.index, std::move(text.text));
                },
            .on_entry_failed = [this](const WriteFailure &failure) { fail_entry(failure); },
            .on_failed = [this](const Error &error) { fail_transfer(error); }};
}

Result<> ReceiveTransfer::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (stream == kControlStream) {
        return on_control_bytes(bytes, fin);
    }
    if (!manifest_stream_ && !segments_.knows(stream) && !bytes.empty() &&
        bytes.front() == static_cast<std::uint8_t>(StreamType::Manifest)) {
        manifest_stream_ = stream;
        consume(stream, 1);
        bytes = bytes.subspan(1);
    }
    if (stream == manifest_stream_) {
        consume(stream, bytes.size());
        return fin ? fail(ErrorCode::PeerProtocol, 0, "end of the manifest stream")
                   : receiver_.on_manifest_bytes(bytes);
    }
    return segments_.on_stream_data(stream, bytes, fin);
}

void ReceiveTransfer::on_stream_reset(StreamId stream) {
    if (stream == kControlStream || stream == manifest_stream_) {
        fail_transfer(Error{ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM"});
        return;
    }
    segments_.on_stream_reset(stream);
}

Result<> ReceiveTransfer::on_control_bytes(ByteView bytes, bool fin) {
    if (fin) {
        return fail(ErrorCode::PeerProtocol, kControlStream, "end of the control stream");
    }
    control_taken_ += bytes.size();
    return control_.feed(bytes, context_.loop.now(), [this](const ControlMessage &message) {
        return receiver_.on_control(message);
    });
}

/// Withheld while the disk or the window lags behind: both would have to buffer the messages.
void ReceiveTransfer::give_control_credit() {
    if (control_taken_ == 0 || target_.jobs() > kMaxJobs || context_.events.full()) {
        return;
    }
    consume(kControlStream, std::exchange(control_taken_, 0));
}

void ReceiveTransfer::prefetch() {
    if (receiver_.prefetch(kMaxPrefetchBytes)) {
        receiver_.allow_compression();
        segments_.expect_prefetched(kMaxPrefetchBytes);
    }
}

void ReceiveTransfer::accept(const std::string &directory, const ReceiveOptions &options,
                             Selection selection,
                             const std::optional<AutoAcceptLimit> &auto_accept) {
    receiver_.allow_compression();
    ids_.lists_chunks = receiver_.lists_chunks();
    if (options.follow) {
        receiver_.follow();
    }
    if (auto_accept) {
        auto_accept_left_ = auto_accept->max_bytes;
    }
    if_allowed(0, target_.excluded(),
               [this, directory, options, selection = std::move(selection)]() mutable {
                   target_.open(directory, options, ids_, std::move(selection));
               });
}

/// The disk pool searches for the file: there may be a million files and a thousand patterns.
void ReceiveTransfer::accept_output(int descriptor, Selection selection) {
    context_.disk.fetch(
        choice_strand_, lifetime_, {},
        [manifest = manifest(), end = offered_end_, selection = std::move(selection),
         removed = target_.excluded()] { return selection.files(*manifest, end, removed); },
        [this, descriptor](const IndexRanges &files) { begin_output(descriptor, files); });
}

void ReceiveTransfer::begin_output(int descriptor, const IndexRanges &files) {
    if (const auto count = count_of(files); count != 1) {
        fail_transfer({ErrorCode::BadArgument, static_cast<std::int64_t>(count),
                       "an output takes exactly one file"});
        return;
    }
    if (receiver_.prefetching()) {
        fail_transfer({ErrorCode::BadArgument, 0, "an output takes no prefetched segments"});
        return;
    }
    output_ = std::make_unique<ReceiveOutput>(
        context_, task_, receiver_, files.front().first, descriptor,
        ReceiveOutput::Listener{.on_taken =
                                    [this](std::uint64_t bytes) {
                                        progressed_ = true;
                                        connection_.consume_connection(bytes);
                                        connection_.allow_stream();
                                    },
                                .on_failed = [this](const Error &error) { fail_transfer(error); }});
    segments_.write_to(*output_);
    output_->on_removed(target_.excluded());
    if (failure_) {
        return;
    }
    accepted_ = true;
    events_.emplace_back(ReceiveAccepted{});
    output_->request_up_to(offered_end_);
}

/// Subtracts entries from `begin` on from the automatic allowance, and ends the transfer if that is
/// exceeded. The disk pool sums them up: there may be a million entries.
template <class Then>
void ReceiveTransfer::if_allowed(std::uint64_t begin, IndexRanges removed, Then then) {
    if (!auto_accept_left_) {
        then();
        return;
    }
    context_.disk.fetch(
        choice_strand_, lifetime_, {},
        [manifest = manifest(), range = IndexRange{.first = begin, .count = offered_end_ - begin},
         removed = std::move(removed)] { return manifest->summary(range, 0, removed); },
        [this, then = std::move(then)](const ManifestTable::Summary &sum) mutable {
            // A stream's length is unknown.
            if (sum.dot_names || sum.bytes > *auto_accept_left_ || manifest()->stream()) {
                refuse(ErrorCode::Undecided);
                return;
            }
            *auto_accept_left_ -= sum.bytes;
            then();
        });
}

void ReceiveTransfer::on(const Hole &hole) {
    if (output_) {
        output_->add_hole({.index = hole.index, .offset = hole.offset, .length = hole.length});
    } else {
        target_.on_hole(hole);
    }
}

void ReceiveTransfer::on_prepared(std::size_t end, Prepared prepared,
                                  const std::vector<IndexRanges> &first) {
    if (!accepted_) {
        accepted_ = true;
        events_.emplace_back(ReceiveAccepted{.resumed_bytes = prepared.resumed_bytes,
                                             .conflicts = prepared.summary,
                                             .mapped_names = prepared.mapped_names,
                                             .listed_names = std::move(prepared.listed_names)});
    } else if (prepared.mapped_names > mapped_names_) {
        events_.emplace_back(ReceiveNamesMapped{.mapped_names = prepared.mapped_names,
                                                .listed_names = std::move(prepared.listed_names)});
    }
    mapped_names_ = prepared.mapped_names;
    std::ranges::for_each(prepared.failures, [this](const auto &failed) { fail_entry(failed); });
    receiver_.accept(end, {.present = std::move(prepared.present),
                           .uncompared = std::move(prepared.uncompared),
                           .unwanted = std::move(prepared.unwanted),
                           .linked = std::move(prepared.linked),
                           .have = std::move(prepared.have),
                           .first = first,
                           .extents = std::move(prepared.extents),
                           .missing = std::move(prepared.missing),
                           .of_basis = std::move(prepared.of_basis)});
    for (const auto &choice : std::exchange(pending_choices_, {})) {
        choose(choice.files, choice.wanted);
    }
    if (auto released = segments_.release_held(); !released) {
        fail_transfer(released.error());
    }
}

void ReceiveTransfer::select(std::vector<PathPattern> patterns, bool wanted) {
    find_files(std::move(patterns),
               [this, wanted](const IndexRanges &files) { choose(files, wanted); });
}

void ReceiveTransfer::prioritize(std::vector<PathPattern> patterns) {
    find_files(std::move(patterns), [this](const IndexRanges &files) {
        receiver_.prioritize(part_of(files, 0, receiver_.accepted_end()));
    });
}

/// Runs off the network thread: there may be a million files and a thousand patterns.
template <class Then>
void ReceiveTransfer::find_files(std::vector<PathPattern> patterns, Then then) {
    if (!accepted_) {
        return;
    }
    context_.disk.fetch(
        choice_strand_, lifetime_, {},
        [manifest = receiver_.manifest(), end = offered_end_, patterns = std::move(patterns)] {
            return matching_files(*manifest, end, patterns);
        },
        std::move(then));
}

void ReceiveTransfer::choose(const IndexRanges &files, bool wanted) {
    const auto end = receiver_.accepted_end();
    if (const auto known = part_of(files, 0, end); wanted) {
        target_.want(known);
        receiver_.want(known);
    } else {
        target_.drop(known);
        receiver_.skip(known);
    }
    if (auto early = part_of(files, end, offered_end_); !early.empty()) {
        pending_choices_.push_back({.files = std::move(early), .wanted = wanted});
    }
}

void ReceiveTransfer::handle_events() {
    for (const auto &event : receiver_.take_events()) {
        std::visit([this](const auto &each) { on(each); }, event);
    }
}

void ReceiveTransfer::on(const ReceiverGreeted &greeted) {
    ids_.share = greeted.share;
    ids_.sender = greeted.name;
    events_.emplace_back(greeted);
}

void ReceiveTransfer::on(const LeftOut &left_out) {
    left_out_ = left_out;
    // No event before the first offer, which includes it.
    if (offered_end_ > 0) {
        events_.emplace_back(ReceiverOffered{offered_end_});
    }
}

void ReceiveTransfer::on(const ReceiverFollowable &) {
    // No event before the first offer, as above.
    if (offered_end_ > 0) {
        events_.emplace_back(ReceiverOffered{offered_end_});
    }
}

void ReceiveTransfer::on(const ReceiverOffered &offered) {
    const auto before = std::exchange(offered_end_, offered.end);
    events_.emplace_back(offered);
    if (output_) {
        output_->request_up_to(offered.end);
    } else {
        if_allowed(before, {}, [this, end = offered.end] { target_.prepare_up_to(end); });
    }
}

void ReceiveTransfer::on(const ReceiverFilesComplete &complete) {
    if (output_) {
        return;
    }
    std::vector<std::uint64_t> files;
    for (const auto index : complete.indexes) {
        if (auto text = texts_.extract(index)) {
            events_.emplace_back(ReceiveText{index, std::move(text.mapped())});
            receiver_.on_file_published(index, false);
        } else {
            files.push_back(index);
        }
    }
    target_.add_complete(files);
}

void ReceiveTransfer::on(const ReceiverEntryFailed &failed) {
    const auto said = failures_.extract(failed.index);
    if (output_ && failed.index == output_->index()) {
        // Part of the file is written and must not be taken for the whole.
        fail_transfer({failed.code, 0, "the sender's file"});
        return;
    }
    events_.emplace_back(
        EntryProblem{failed.index, said ? std::move(said.mapped()) : Error{failed.code, 0, {}}});
    target_.drop({{.first = failed.index, .count = 1}});
}

void ReceiveTransfer::on(const ReceiverRemoved &removed) {
    target_.exclude(removed.ranges);
    if (output_) {
        output_->on_removed(removed.ranges);
    }
    events_.emplace_back(ReceiverOffered{offered_end_});
}

void ReceiveTransfer::on_committed(const CommitResult &result) {
    progressed_ = true;
    for (const auto &published : result.published) {
        if (published.identical) {
            receiver_.on_file_identical(published.index);
        } else {
            receiver_.on_file_published(published.index, published.renamed);
        }
    }
    std::ranges::for_each(result.failures, [this](const auto &failed) { fail_entry(failed); });
    report(result.lost_attributes);
    on_unlinked(result.unlinked);
    for (const auto &damaged : result.damaged) {
        receiver_.on_read_back_wrong(damaged);
    }
    for (const auto &lost : result.unsynced) {
        receiver_.on_bytes_lost(lost);
    }
    if (result.fatal) {
        fail_transfer(*result.fatal);
    }
}

/// Meanwhile the user may have deselected some of them.
void ReceiveTransfer::on_unlinked(std::vector<std::uint64_t> entries) {
    std::erase_if(entries, [this](std::uint64_t index) { return !receiver_.is_linked(index); });
    std::ranges::sort(entries);
    IndexRanges ranges;
    std::ranges::for_each(entries, [&](std::uint64_t index) { append_index(ranges, index); });
    target_.want(ranges);
    receiver_.unlink(ranges);
}

FlowState ReceiveTransfer::flow() const {
    if (const auto &shortage = target_.shortage()) {
        return {.kind = FlowState::Kind::DiskFull, .need = shortage->bytes, .full = shortage->kind};
    }
    if (paused_) {
        return {.kind = FlowState::Kind::Paused};
    }
    if (peer_pause_) {
        return {.kind = FlowState::Kind::PausedByPeer};
    }
    const auto sums = totals();
    const bool all_here = accepted_ && sums.bytes == sums.total_bytes && !stream_open();
    return {.kind = all_here && target_.committing() ? FlowState::Kind::Finishing
                                                     : FlowState::Kind::Flowing};
}

/// This side's reason why no more data arrives.
Bottleneck ReceiveTransfer::supply() const {
    switch (flow().kind) {
    case FlowState::Kind::DiskFull:
    case FlowState::Kind::Finishing:
        return Bottleneck::Disk;
    case FlowState::Kind::Paused:
    case FlowState::Kind::PausedByPeer:
        return Bottleneck::Paused;
    case FlowState::Kind::PeerDiskFull:
    case FlowState::Kind::Flowing:
        break;
    }
    if (!accepted_) {
        return Bottleneck::Application;
    }
    // New credit follows once half of the window is consumed; the rest waits for the disk.
    const bool full = 2 * connection_.unconsumed_bytes() >= connection_.connection_window();
    return full || preparing() ? Bottleneck::Disk : Bottleneck::Peer;
}

/// The pause to send: a full disk precedes a user's pause.
void ReceiveTransfer::send_pause() {
    std::optional<Pause> wanted;
    if (const auto &shortage = target_.shortage()) {
        // The number of bytes that would help is unknown for a quota or a file limit.
        const bool bytes = shortage->kind == Shortage::Kind::Space;
        wanted = Pause{.why = Pause::Why::DiskFull, .need = bytes ? shortage->bytes : 0};
    } else if (paused_) {
        wanted = Pause{};
    }
    if (wanted == sent_pause_ || !accepted_) {
        return;
    }
    sent_pause_ = wanted;
    if (wanted) {
        receiver_.pause(*wanted);
    } else {
        receiver_.resume();
    }
}

Result<> ReceiveTransfer::pump(Timestamp now) {
    handle_events();
    if (failure_) {
        return std::unexpected(*failure_);
    }
    give_control_credit();
    segments_.service();
    if (output_) {
        output_->service(now);
    } else {
        const auto sums = totals();
        target_.service(
            {.arriving = segments_.arriving() || sums.bytes < sums.total_bytes || stream_open(),
             .complete = receiver_.complete(),
             .whole = could_read_everything(left_out_)},
            now);
    }
    send_pause();
    receiver_.set_background(context_.background);
    send_messages(now);
    connection_.set_supply(supply());
    return {};
}

void ReceiveTransfer::send_messages(Timestamp now) {
    Bytes out;
    for (const auto &message : receiver_.take_messages()) {
        done_ = done_ || std::holds_alternative<Done>(message);
        done_ = done_ && !std::holds_alternative<Request>(message);
        encode(message, out);
    }
    const auto sums = totals();
    const bool due = next_report_ == kNever || next_report_ <= now;
    if (done_ || !accepted_ || (due && sums.bytes == reported_)) {
        next_report_ = kNever;
    } else if (due) {
        next_report_ = now + kReportInterval;
        if (connection_.unsent_bytes(kControlStream) < kMaxUnsent) {
            reported_ = sums.bytes;
            encode(Progress{sums.files, sums.bytes}, out);
        }
    }
    if (!out.empty()) {
        connection_.write(kControlStream, out, false);
    }
}

Timestamp ReceiveTransfer::deadline() const {
    return std::min({next_report_, target_.deadline(), output_ ? output_->deadline() : kNever});
}

} // namespace thru
