#include "engine/share/share_peer.h"

#include <algorithm>

#include "engine/share/approval_policy.h"
#include "link/origin_proof.h"

namespace thru {

SharePeer::SharePeer(EngineContext &context, std::shared_ptr<const ShareContents> contents,
                     Options options, std::function<Timestamp(Timestamp now)> turn)
    : context_(context), contents_(std::move(contents)), options_(std::move(options)),
      task_(context.scheduler, std::move(turn)),
      statistics_(context, options_.session, options_.peer), files_(context) {
    if (options_.watch_files) {
        file_watch_.emplace(context_, options_.session, options_.peer);
    }
}

SharePeer::~SharePeer() {
    if (auto *stream = contents_->stream()) {
        stream->leave(this);
    }
    transfer_.reset();
    context_.lingering.add(std::move(link_));
}

Result<std::unique_ptr<SharePeer>>
SharePeer::create(EngineContext &context, std::shared_ptr<const ShareContents> contents,
                  Options options, std::function<Timestamp(Timestamp now)> turn, Timestamp now) {
    std::unique_ptr<SharePeer> peer(
        new SharePeer(context, std::move(contents), std::move(options), std::move(turn)));
    auto link =
        PeerLink::create(context.links, peer->task_, peer->options_.link, std::nullopt, *peer, now);
    if (!link) {
        return std::unexpected(link.error());
    }
    peer->link_ = std::move(*link);
    return peer;
}

void SharePeer::on_payload(std::string payload) {
    context_.events.push(SignalEvent{options_.session, options_.peer, std::move(payload)});
}

void SharePeer::on_signal(std::string_view payload) {
    task_.wake();
    link_->on_signal(payload);
    end_run();
}

/// Ends the run once the receiver has proved its secret or failed to.
void SharePeer::end_run() {
    const auto &closed = link_->closed();
    if (!run_ || (!paired() && !closed)) {
        return;
    }
    if (paired()) {
        run_->proven();
    } else if (closed->error && closed->error->code == ErrorCode::CodeMismatch) {
        run_->wrong(link_->guess());
    }
    run_.reset();
}

std::optional<PairingRequested> SharePeer::take_request() {
    auto request = link_->take_request();
    if (request) {
        reach(Stage::Asked);
    }
    return request;
}

void SharePeer::admit(ShareAdmission::Admitted admitted, bool held, Timestamp now) {
    task_.wake();
    held_ = held;
    contact_ = std::move(admitted.contact);
    used_key_ = std::move(admitted.resume);
    has_place_ = admitted.has_place;
    run_ = std::move(admitted.run);
    answered_ = now;
    link_->admit(std::move(admitted.credentials), now);
    end_run();
}

void SharePeer::ask(Timestamp now) {
    approval_by_ = now + kApprovalTimeout;
    context_.events.push(ApprovalRequestedEvent{options_.session, options_.peer});
}

void SharePeer::approve() {
    task_.wake();
    held_ = false;
    approval_by_ = kNever;
    if (transfer_ && !unstored_) {
        transfer_->approve();
    }
    context_.events.push(ApprovedEvent{options_.session, options_.peer});
}

void SharePeer::await_stored(std::uint64_t revision) {
    unstored_ = revision;
    link_->allow_binding(false);
}

void SharePeer::on_stored(std::uint64_t revision) {
    if (!unstored_ || revision < *unstored_) {
        return;
    }
    unstored_.reset();
    link_->allow_binding(true);
    if (transfer_) {
        transfer_->approve();
    }
}

void SharePeer::refuse(ErrorCode code) {
    task_.wake();
    // A refusal is not a wrong guess, whatever the code.
    run_.reset();
    link_->refuse(code);
}

std::optional<Timestamp> SharePeer::answered() const {
    return run_ ? std::optional(answered_) : std::nullopt;
}

void SharePeer::add_relays(const std::vector<TurnServer> &servers) {
    task_.wake();
    link_->add_relays(servers);
}

void SharePeer::request_contact() {
    task_.wake();
    const auto &own = context_.contacts.own;
    const auto request = exchange_ && own ? exchange_->request(*own) : std::nullopt;
    if (request) {
        transfer_->send_contact_request(*request);
        report_contact();
    }
}

void SharePeer::on(const ContactRequest &request) {
    if (auto taken = exchange_ ? exchange_->receive(request) : Result<>{}; !taken) {
        failure_ = taken.error();
        return;
    }
    context_.events.push(ContactRequestedEvent{options_.session, options_.peer});
    report_contact();
}

void SharePeer::report_contact() {
    if (auto contact = exchange_->take_contact()) {
        context_.events.push(
            ContactAddedEvent{options_.session, options_.peer, *std::move(contact)});
    }
}

void SharePeer::on_paired() {
    context_.events.push(
        PairingDoneEvent{options_.session, options_.peer, link_->keys().safety, contact_, !held_});
}

void SharePeer::on_connected() {
    link_->connection().set_limiters(&context_.upload, &rate_);
    SendTransfer::Introduction introduction{.name = options_.link.name,
                                            .share = options_.share,
                                            .origin = std::nullopt,
                                            .held = held_,
                                            .browsers = options_.browsers};
    if (const auto exported = link_->exported(kOriginLabel)) {
        introduction.origin = signed_origin(options_.origin, *exported);
    }
    transfer_ = std::make_unique<SendTransfer>(context_, task_, link_->connection(), *contents_,
                                               std::move(introduction));
    set_paused(options_.paused);
    set_followable(options_.followable);
    if (const auto *stream = contents_->stream(); stream != nullptr && stream->started()) {
        failure_ = Error{ErrorCode::StreamStarted, 0, "came after the stream had started"};
    }
    if (auto exported = link_->exported(kContactLabel)) {
        exchange_.emplace(LinkRole::Sender, *std::move(exported));
    }
    reach(Stage::Connected);
    // The transfer has not had a turn yet.
    task_.wake();
    context_.events.push(ConnectedEvent{options_.session, options_.peer, link_->route()});
}

void SharePeer::on_find_path(FindPath message) {
    task_.wake();
    transfer_->send_find_path(std::move(message));
}

void SharePeer::on_route_changed() {
    context_.events.push(RouteChangedEvent{options_.session, options_.peer, link_->route()});
}

void SharePeer::on(const FindPath &find) {
    if (auto taken = link_->on_find_path(find, context_.loop.now()); !taken) {
        failure_ = taken.error();
    }
}

void SharePeer::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (transfer_ && !failure_) {
        if (auto handled = transfer_->on_stream_data(stream, bytes, fin); !handled) {
            failure_ = handled.error();
        }
    }
}

/// The receiver's only stream is the control stream, which ends with the connection.
void SharePeer::on_stream_reset(StreamId stream) {
    if (!failure_) {
        failure_ =
            Error{ErrorCode::PeerProtocol, stream, "unexpected RESET_STREAM on the control stream"};
    }
}

void SharePeer::on_stream_closed(StreamId stream) {
    if (transfer_) {
        transfer_->on_stream_closed(stream);
        release_stream();
    }
}

/// Immediately: the stream may be waiting only for this receiver.
void SharePeer::release_stream() {
    if (auto *stream = contents_->stream()) {
        stream->release(this, transfer_->stream_needed_from());
    }
}

void SharePeer::list_files(const ListFiles &command) {
    if (!transfer_) {
        files_.refuse(command, Error{ErrorCode::BadArgument, 0, "not connected yet"});
        return;
    }
    files_.list(
        command, contents_->manifest(), [this] { return transfer_->file_states(); },
        [this](std::uint64_t index) { return transfer_->planned_bytes(index); });
}

void SharePeer::on_checkpoint() {
    task_.wake();
    in_step_ = false;
    if (transfer_) {
        transfer_->on_checkpoint();
    }
}

void SharePeer::on_removed(const IndexRanges &ranges) {
    task_.wake();
    if (transfer_) {
        transfer_->on_removed(ranges);
    }
}

void SharePeer::on_stream_grown(std::uint64_t end, bool ended) {
    if (transfer_ && contents_->stream()->feeds(this)) {
        task_.wake();
        transfer_->on_stream_grown(end, ended);
    }
}

void SharePeer::on_stream_broken() {
    if (transfer_ && contents_->stream()->feeds(this)) {
        task_.wake();
        transfer_->on_stream_broken();
    }
}

bool SharePeer::stream_open() const {
    const auto *stream = contents_->stream();
    return stream != nullptr && !stream->over();
}

void SharePeer::set_paused(bool paused) {
    task_.wake();
    options_.paused = paused;
    if (transfer_ && paused) {
        transfer_->pause();
    } else if (transfer_) {
        transfer_->resume();
    }
}

void SharePeer::set_followable(bool followable) {
    task_.wake();
    options_.followable = followable;
    if (transfer_) {
        transfer_->set_followable(followable);
    }
}

void SharePeer::outdate(Timestamp now) {
    outdated_ = true;
    if (in_step_) {
        leave(now);
    }
}

void SharePeer::leave(Timestamp now) {
    close(Error{ErrorCode::ShareChanged, 0, "the share has changed"}, now);
}

void SharePeer::close(const Error &error, Timestamp now) {
    task_.wake();
    run_.reset();
    link_->close(finished() ? std::nullopt : std::optional(error), now);
}

/// The only place where the stage changes; it never goes back.
void SharePeer::reach(Stage stage) { stage_ = std::max(stage_, stage); }

void SharePeer::on(const SenderGreeted &greeted) {
    reach(Stage::Greeted);
    receive_ = greeted.receive;
    context_.events.push(GreetedEvent{options_.session, options_.peer, greeted.name,
                                      greeted.receive, greeted.browser});
}

void SharePeer::on(const SenderAccepted &) {
    reach(Stage::Accepted);
    if (auto *stream = contents_->stream()) {
        if (auto joined = stream->join(this); !joined) {
            failure_ = joined.error();
            return;
        }
    }
    context_.events.push(AcceptedEvent{options_.session, options_.peer, 0, {}, {}});
}

void SharePeer::on(const SenderProgress &progress) {
    progress_ = progress;
    // The last progress is reported with Finished; nothing would end the interval after it.
    next_progress_ =
        finished() ? kNever : std::min(next_progress_, context_.loop.now() + kProgressInterval);
}

void SharePeer::on(const SenderEntryFailed &failed) {
    if (problems_++ < kMaxProblemsReported) {
        context_.events.push(ItemProblemEvent{
            options_.session, options_.peer, std::string(contents_->manifest()->path(failed.index)),
            Error{failed.code, 0, {}}});
    }
}

void SharePeer::on(const SenderFinished &finished) {
    reach(Stage::Finished);
    next_progress_ = kNever;
    goodbye_by_ = context_.loop.now() + kGoodbyeTimeout;
    report_finished(finished.totals, false);
}

void SharePeer::on(const SenderInStep &in_step) {
    in_step_ = true;
    next_progress_ = kNever;
    report_finished(in_step.totals, true);
    if (outdated_) {
        outdate(context_.loop.now());
    }
}

void SharePeer::report_finished(const Done &totals, bool in_step) {
    report_progress(context_.loop.now());
    look_last();
    auto event = finished_event(options_.session, options_.peer, totals);
    event.transferred = transfer_->transferred();
    event.offered_files = progress_.offered_files;
    event.unwanted_files = progress_.unwanted_files;
    event.in_step = in_step;
    context_.events.push(std::move(event));
}

/// Reports figures and files before the transfer's end is reported.
void SharePeer::look_last() {
    if (transfer_) {
        statistics_.report(*link_, transfer_->saved(), context_.loop.now());
    }
    if (file_watch_ && transfer_ && stage_ >= Stage::Accepted) {
        file_watch_->look_last(*transfer_, contents_->manifest());
    }
}

void SharePeer::report_progress(Timestamp now) {
    context_.events.push(ProgressEvent{options_.session, options_.peer, progress_.files,
                                       progress_.bytes, progress_.total_files,
                                       progress_.total_bytes, transfer_->transferred(),
                                       progress_.offered_files, progress_.unwanted_files});
    statistics_.on_progress(*link_, transfer_->saved(), now);
}

void SharePeer::report_flow() {
    FlowState state;
    if (options_.paused) {
        state.kind = FlowState::Kind::Paused;
    } else if (peer_paused_ && peer_paused_->why == Pause::Why::DiskFull) {
        state = {.kind = FlowState::Kind::PeerDiskFull, .need = peer_paused_->need};
    } else if (peer_paused_) {
        state.kind = FlowState::Kind::PausedByPeer;
    } else if (progress_.total_bytes > 0 && progress_.bytes == progress_.total_bytes &&
               !stream_open()) {
        state.kind = FlowState::Kind::Finishing;
    }
    if (state != last_flow_) {
        last_flow_ = state;
        context_.events.push(FlowEvent{options_.session, options_.peer, state});
    }
}

StallReason SharePeer::stall_reason() const {
    const auto network = stall_of_network(link_->route().kind, link_->silent());
    if (network == StallReason::Relay) {
        return network;
    }
    const auto stall = link_->connection().stall();
    if (stall.limited) {
        return StallReason::Limit;
    }
    if (stall.flow_blocked) {
        return StallReason::PeerDisk;
    }
    const bool idle = link_->connection().unacknowledged_bytes() == 0;
    return idle && transfer_->reading() ? StallReason::Source : network;
}

void SharePeer::watch(Timestamp now) {
    const bool should_move = last_flow_.kind == FlowState::Kind::Flowing && !stream_open();
    const auto reason =
        stall_.update(progress_.bytes, should_move, now, [this] { return stall_reason(); });
    if (reason) {
        context_.events.push(StalledEvent{options_.session, options_.peer, *reason});
        statistics_.report(*link_, transfer_->saved(), now);
    }
}

bool SharePeer::service(Timestamp now) {
    if (transfer_ && !failure_) {
        if (auto pumped = transfer_->pump(); !pumped) {
            failure_ = pumped.error();
        }
    }
    if (transfer_ && !failure_) {
        for (const auto &event : transfer_->take_events()) {
            std::visit([this](const auto &each) { on(each); }, event);
        }
        if (data_flows()) {
            report_flow();
            watch(now);
            if (file_watch_) {
                file_watch_->look(*transfer_, contents_->manifest(), now);
            }
        }
        if (next_progress_ <= now) {
            next_progress_ = kNever;
            report_progress(now);
        }
        release_stream();
    }
    if (approval_by_ <= now && !failure_) {
        failure_ = Error{ErrorCode::Unanswered, 0, "nobody let it in"};
    }
    if (failure_) {
        link_->close(failure_, now);
    } else if (goodbye_by_ <= now && stage_ == Stage::Finished && exchange_ && contact_.empty() &&
               !exchange_->agreed()) {
        reach(Stage::AwaitingAnswer);
        goodbye_by_ = now + kContactAnswerTimeout;
    } else if (goodbye_by_ <= now) {
        link_->close(std::nullopt, now);
    }
    link_->service(now);
    if (!link_->closed()) {
        return true;
    }
    if (!finished()) {
        look_last();
        const Error early{ErrorCode::PeerGone, 0, "the receiver closed the connection early"};
        const auto &error = failure_ ? *failure_ : link_->closed()->error.value_or(early);
        context_.events.push(FailedEvent{options_.session, options_.peer, error});
    }
    return false;
}

Timestamp SharePeer::deadline() const {
    if (over() || (transfer_ && transfer_->busy())) {
        return 0;
    }
    const auto stall = transfer_ && !finished() && !in_step_ ? stall_.deadline() : kNever;
    const auto look = file_watch_ && data_flows() ? file_watch_->deadline() : kNever;
    return std::min({link_->deadline(), next_progress_, goodbye_by_, approval_by_, stall, look});
}

} // namespace thru
