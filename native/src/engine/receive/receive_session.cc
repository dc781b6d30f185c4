#include "engine/receive/receive_session.h"

#include <algorithm>

#include "crypto/random.h"
#include "engine/receive/preflight_event.h"
#include "engine/receive/receive_credentials.h"
#include "engine/share/share_contents.h"
#include "link/origin_proof.h"

namespace thru {

ReceiveSession::ReceiveSession(EngineContext &context, OpenReceive command,
                               std::function<Timestamp(Timestamp now)> turn)
    : context_(context), options_(std::move(command)), task_(context.scheduler, std::move(turn)),
      list_strand_(context.disk.make_strand()),
      offer_(context, task_, options_.session, options_.peer, list_strand_), files_(context),
      statistics_(context, options_.session, options_.peer) {
    if (options_.watch_files) {
        file_watch_.emplace(context_, options_.session, options_.peer);
    }
}

ReceiveSession::~ReceiveSession() {
    transfer_.reset();
    context_.lingering.add(std::move(link_));
}

Result<std::unique_ptr<ReceiveSession>>
ReceiveSession::open(EngineContext &context, OpenReceive command,
                     std::function<Timestamp(Timestamp now)> turn, Timestamp now) {
    if (auto random = require_random(); !random) {
        return std::unexpected(random.error());
    }
    auto credentials = credentials_of(command, context.contacts);
    if (!credentials) {
        return std::unexpected(credentials.error());
    }
    auto identity = Identity::create();
    if (!identity) {
        return std::unexpected(identity.error());
    }
    if (auto *by_words = std::get_if<ByWords>(&command.secret)) {
        wipe(by_words->words);
    }
    std::unique_ptr<ReceiveSession> receive(
        new ReceiveSession(context, std::move(command), std::move(turn)));
    const PeerLink::Options options{.session = receive->options_.session,
                                    .role = LinkRole::Receiver,
                                    .nameplate = receive->options_.nameplate,
                                    .identity =
                                        std::make_shared<const Identity>(std::move(*identity)),
                                    .name = receive->options_.name,
                                    .ice = receive->options_.ice,
                                    .earlier_guess = context.guesses.of(receive->options_.after)};
    auto link = PeerLink::create(context.links, receive->task_, options, std::move(*credentials),
                                 *receive, now);
    if (!link) {
        return std::unexpected(link.error());
    }
    receive->link_ = std::move(*link);
    return receive;
}

void ReceiveSession::on_payload(std::string payload) {
    context_.events.push(SignalEvent{options_.session, options_.peer, std::move(payload)});
}

void ReceiveSession::on_paired() {
    const auto *by_contact = std::get_if<ByContact>(&options_.secret);
    context_.events.push(
        PairingDoneEvent{options_.session, options_.peer, link_->keys().safety,
                         by_contact != nullptr ? by_contact->contact : std::string{}, true});
}

void ReceiveSession::on_opened() {
    transfer_ = std::make_unique<ReceiveTransfer>(
        context_, task_, link_->connection(), options_.name, options_.receive, options_.attributes);
    if (rate_ > 0) {
        transfer_->set_rate(rate_);
    }
    if (options_.prefetch) {
        transfer_->prefetch();
    }
}

void ReceiveSession::on_connected() {
    if (auto exported = link_->exported(kContactLabel)) {
        contact_.emplace(LinkRole::Receiver, *std::move(exported));
    }
    context_.events.push(ConnectedEvent{options_.session, options_.peer, link_->route()});
    context_.events.push(ResumeKeyEvent{options_.session, options_.peer, link_->keys().resume});
}

void ReceiveSession::request_contact() {
    const auto &own = context_.contacts.own;
    const auto request = contact_ && own ? contact_->request(*own) : std::nullopt;
    if (request) {
        transfer_->send_contact_request(*request);
        report_contact();
    }
}

void ReceiveSession::report_contact() {
    if (auto contact = contact_->take_contact()) {
        context_.events.push(
            ContactAddedEvent{options_.session, options_.peer, *std::move(contact)});
    }
}

void ReceiveSession::on_find_path(FindPath message) {
    task_.wake();
    transfer_->send_find_path(std::move(message));
}

void ReceiveSession::on_route_changed() {
    context_.events.push(RouteChangedEvent{options_.session, options_.peer, link_->route()});
}

void ReceiveSession::on(const FindPath &find) {
    if (auto taken = link_->on_find_path(find, context_.loop.now()); !taken) {
        failure_ = taken.error();
    }
}

void ReceiveSession::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (transfer_ && !failure_) {
        if (auto handled = transfer_->on_stream_data(stream, bytes, fin); !handled) {
            failure_ = handled.error();
        }
    }
}

void ReceiveSession::on_stream_reset(StreamId stream) {
    if (transfer_) {
        transfer_->on_stream_reset(stream);
    }
}

void ReceiveSession::on_signal(const std::string &peer, std::string_view payload) {
    if (peer == options_.peer) {
        link_->on_signal(payload);
    }
}

void ReceiveSession::list(const ListOffer &command) {
    if (stage_ < Stage::Offered) {
        return;
    }
    context_.disk.fetch(
        list_strand_, lifetime_, {},
        [asked = ListOffer(command), manifest = transfer_->manifest(),
         end = transfer_->offered_end(), removed = transfer_->removed()]() mutable {
            asked.limit = std::min(asked.limit, kMaxListed);
            return list_offer(*manifest, end, removed, asked);
        },
        [this, command](OfferListing listing) {
            context_.events.push(ListingEvent{options_.session, command.path, command.query,
                                              command.offset, std::move(listing)});
        });
}

void ReceiveSession::list_files(const ListFiles &command) {
    if (stage_ < Stage::Offered) {
        files_.refuse(command, Error{ErrorCode::BadArgument, 0, "nothing is offered yet"});
        return;
    }
    files_.list(
        command, transfer_->manifest(), [this] { return transfer_->file_states(); },
        [this](std::uint64_t index) { return transfer_->present_bytes(index); });
}

void ReceiveSession::preflight(Preflight command) {
    auto selection = Selection::parse(command.selection);
    if (!selection || stage_ < Stage::Offered) {
        context_.events.push(PreflightEvent{
            .session = options_.session,
            .directory = command.directory,
            .error = selection ? Error{ErrorCode::BadArgument, 0, "nothing is offered yet"}
                               : selection.error()});
        return;
    }
    // A strand of its own: a hanging disk delays nothing else.
    context_.disk.fetch(
        context_.disk.make_strand(), lifetime_, {},
        [command = std::move(command), pick = std::move(*selection), key = transfer_->record_key(),
         manifest = transfer_->manifest(), end = transfer_->offered_end()] {
            return preflight_event(command, *manifest,
                                   preflight_target(command.directory, *manifest, end,
                                                    command.options,
                                                    pick.unwanted(*manifest, 0, end), key));
        },
        [this](PreflightEvent event) { context_.events.push(std::move(event)); });
}

void ReceiveSession::accept(const Accept &command) {
    if (stage_ != Stage::Offered) {
        return;
    }
    auto selection = Selection::parse(command.selection);
    if (!selection) {
        failure_ = selection.error();
        return;
    }
    reach(Stage::Accepted);
    verify_ = command.options.verify;
    if (command.output) {
        transfer_->accept_output(*command.output, std::move(*selection));
        return;
    }
    transfer_->accept(command.directory, command.options, std::move(*selection),
                      command.auto_accept);
}

void ReceiveSession::refuse(ErrorCode why) {
    if (stage_ == Stage::Offered) {
        refusal_ = why;
        transfer_->refuse(why);
    }
}

void ReceiveSession::select(const ChangeSelection &command) {
    const auto patterns = parse_patterns(command.patterns);
    if (transfer_ && patterns) {
        transfer_->select(*patterns, command.wanted);
    }
}

void ReceiveSession::prioritize(const PrioritizeFiles &command) {
    const auto patterns = parse_patterns(command.patterns);
    if (transfer_ && patterns) {
        transfer_->prioritize(*patterns);
    }
}

void ReceiveSession::set_paused(bool paused) {
    if (transfer_) {
        transfer_->set_paused(paused);
    }
}

void ReceiveSession::set_rate(std::uint64_t bytes_per_second) {
    rate_ = bytes_per_second;
    if (transfer_) {
        transfer_->set_rate(bytes_per_second);
    }
}

void ReceiveSession::on(const ReceiveAccepted &accepted) {
    context_.events.push(AcceptedEvent{options_.session, options_.peer, accepted.resumed_bytes,
                                       accepted.conflicts, accepted.mapped_names,
                                       accepted.listed_names});
}

void ReceiveSession::on(const ReceiveNamesMapped &names) {
    context_.events.push(
        NamesMappedEvent{options_.session, options_.peer, names.mapped_names, names.listed_names});
}

void ReceiveSession::on(const DeletionReport &deletions) {
    context_.events.push(DeletionsEvent{options_.session, options_.peer, deletions});
}

void ReceiveSession::on(const EntryProblem &problem) {
    if (problems_++ < kMaxProblemsReported) {
        context_.events.push(ItemProblemEvent{
            options_.session, options_.peer,
            std::string(transfer_->manifest()->path(problem.index)), problem.error});
    }
}

void ReceiveSession::on(const ReceiveText &text) {
    context_.events.push(TextEvent{options_.session, options_.peer,
                                   std::string(transfer_->manifest()->path(text.index)),
                                   text.text});
}

void ReceiveSession::on(const ReceiverGreeted &greeted) {
    // A page has no contacts: it waits for the end of the connection, not for an answer.
    if (greeted.browser) {
        contact_.reset();
    }
    context_.events.push(GreetedEvent{options_.session, options_.peer, greeted.name, greeted.share,
                                      greeted.browser});
}

void ReceiveSession::on(const ReceiverOffered &offered) {
    if (offered.end > 0) {
        reach(Stage::Offered);
    }
    offer_.changed();
}

void ReceiveSession::on(const Origin &origin) {
    const auto exported = link_->exported(kOriginLabel);
    const auto verified = exported ? verified_origin(origin, *exported) : std::nullopt;
    if (verified) {
        transfer_->set_origin(*verified);
    } else {
        failure_ = Error{ErrorCode::PeerProtocol, 0, "ORIGIN with an invalid signature"};
    }
}

void ReceiveSession::on(const ContactRequest &request) {
    if (auto taken = contact_ ? contact_->receive(request) : Result<>{}; !taken) {
        failure_ = taken.error();
    } else if (contact_) {
        context_.events.push(ContactRequestedEvent{options_.session, options_.peer});
        report_contact();
    }
}

void ReceiveSession::on(const ReceiverApprovalAwaited &) {
    context_.events.push(ApprovalRequestedEvent{options_.session, options_.peer});
}

void ReceiveSession::on(const ReceiverFinished &finished) {
    reach(Stage::Done);
    done_ = finished;
    if (transfer_->follows()) {
        report_finished(context_.loop.now());
    } else {
        goodbye_by_ = context_.loop.now() + kGoodbyeTimeout;
    }
}

void ReceiveSession::on(const ReceiverReleased &) { reach(Stage::Released); }

void ReceiveSession::report_progress(Timestamp now) {
    const auto sums = transfer_->totals();
    context_.events.push(ProgressEvent{options_.session, options_.peer, sums.files, sums.bytes,
                                       sums.total_files, sums.total_bytes, transfer_->transferred(),
                                       sums.offered_files, sums.unwanted_files,
                                       transfer_->reused_bytes()});
    statistics_.on_progress(*link_, transfer_->saved(), now);
}

/// Until there is an offer, a growing list shows that the sender is active.
void ReceiveSession::report_listing(Timestamp now) {
    const auto manifest = transfer_->manifest();
    if (stage_ >= Stage::Offered || manifest->size() == last_entries_ ||
        now < last_progress_ + kProgressInterval) {
        return;
    }
    last_entries_ = manifest->size();
    last_progress_ = now;
    context_.events.push(ScanEvent{options_.session, manifest->files(), manifest->folders(),
                                   manifest->bytes(), false});
}

void ReceiveSession::report_flow(Timestamp now) {
    const auto state = transfer_->flow();
    if (state != last_flow_) {
        last_flow_ = state;
        context_.events.push(FlowEvent{options_.session, options_.peer, state});
    }
    // Only the sender knows whether a stream's producer has more data.
    const bool should_move = state.kind == FlowState::Kind::Flowing && !transfer_->stream_open();
    const auto reason = stall_.update(transfer_->moved(), should_move, now, [this] {
        return transfer_->preparing() || transfer_->writing()
                   ? StallReason::OwnDisk
                   : stall_of_network(link_->route().kind, silent_);
    });
    if (reason) {
        context_.events.push(StalledEvent{options_.session, options_.peer, *reason});
        statistics_.report(*link_, transfer_->saved(), now);
    }
}

/// The client may meanwhile try to reach the sender another way, and continue with that session.
void ReceiveSession::report_silence() {
    const bool silent = link_->silent() && (!finished() || in_step());
    if (silent != silent_) {
        silent_ = silent;
        if (accepted() && transfer_->accepted()) {
            report_progress(context_.loop.now());
        }
        context_.events.push(SilenceEvent{options_.session, options_.peer, silent});
    }
}

bool ReceiveSession::service(Timestamp now) {
    if (transfer_ && !failure_) {
        if (auto pumped = transfer_->pump(now); !pumped) {
            failure_ = pumped.error();
        }
        for (const auto &event : transfer_->take_events()) {
            std::visit([this](const auto &each) { on(each); }, event);
        }
        offer_.service(*transfer_, finished(), now);
        report_listing(now);
        if (accepted() && !finished()) {
            report_flow(now);
            if (file_watch_) {
                file_watch_->look(*transfer_, transfer_->manifest(), now);
            }
        }
        // The first report is immediate: the user waits for it.
        if (transfer_->take_progress() && next_progress_ == kNever) {
            next_progress_ = std::max(now, last_progress_ + kProgressInterval);
        }
        if (next_progress_ <= now) {
            next_progress_ = kNever;
            last_progress_ = now;
            report_progress(now);
        }
    }
    return close_when_over(now);
}

/// True if everything offered is complete. If the sender lists more entries, which it does before
/// it writes a checkpoint, those follow even after Done was sent.
bool ReceiveSession::finished() const {
    return stage_ > Stage::Done ||
           (stage_ == Stage::Done && transfer_->manifest()->size() <= done_.totals.entries);
}

/// Everything is complete, and the sender will tell when its share has changed.
bool ReceiveSession::in_step() const { return stage_ == Stage::Done && transfer_->follows(); }

bool ReceiveSession::close_when_over(Timestamp now) {
    const bool over = finished() && !in_step();
    const bool ready = stage_ == Stage::Released && !offer_.pending();
    if (over && stage_ != Stage::Reported && (ready || failure_ || goodbye_by_ <= now)) {
        report_finished(now);
    }
    const bool may_agree = contact_ && !contact_->agreed() && now < goodbye_by_;
    if (failure_ || (stage_ == Stage::Reported && !may_agree)) {
        link_->close(failure_, now);
    }
    link_->service(now);
    report_silence();
    if (!link_->closed()) {
        return true;
    }
    if (!finished() || in_step()) {
        look_last();
        const auto error = failure_ ? *failure_
                                    : link_->closed()->error.value_or(
                                          Error{ErrorCode::PeerGone, 0, "the sender closed early"});
        if (error.code == ErrorCode::CodeMismatch && link_->guess()) {
            context_.guesses.add(options_.session, *link_->guess());
        }
        if (in_step() && error.code == ErrorCode::Stopped) {
            transfer_->end_following();
        }
        context_.events.push(FailedEvent{options_.session, options_.peer, error});
    } else if (stage_ != Stage::Reported) {
        report_finished(now);
    }
    return false;
}

/// The connection stays open for a while, because the two people may become contacts.
void ReceiveSession::report_finished(Timestamp now) {
    const bool in_step = this->in_step();
    if (!in_step) {
        reach(Stage::Reported);
        goodbye_by_ = now + kContactAnswerTimeout;
    }
    look_last();
    auto event = finished_event(options_.session, options_.peer, done_.totals);
    event.transferred = transfer_->transferred();
    const auto sums = transfer_->totals();
    event.offered_files = sums.offered_files;
    event.unwanted_files = sums.unwanted_files;
    event.reused_bytes = transfer_->reused_bytes();
    event.read_back = verify_;
    event.in_step = in_step;
    context_.events.push(std::move(event));
}

/// Reports figures and files before the transfer's end is reported.
void ReceiveSession::look_last() {
    if (transfer_ && transfer_->accepted()) {
        report_progress(context_.loop.now());
        statistics_.report(*link_, transfer_->saved(), context_.loop.now());
        if (file_watch_) {
            file_watch_->look_last(*transfer_, transfer_->manifest());
        }
    }
}

Timestamp ReceiveSession::deadline() const {
    const auto transfer = transfer_ ? transfer_->deadline() : kNever;
    const auto stall = accepted() && !finished() ? stall_.deadline() : kNever;
    const auto goodbye = finished() && !in_step() ? goodbye_by_ : kNever;
    const auto look = file_watch_ && accepted() && !finished() ? file_watch_->deadline() : kNever;
    return std::min(
        {link_->deadline(), next_progress_, goodbye, transfer, stall, look, offer_.deadline()});
}

void ReceiveSession::end(Timestamp now) {
    const Error error{accepted() ? ErrorCode::Cancelled : refusal_, 0, "ended by the receiver"};
    link_->close(finished() && !in_step() ? std::nullopt : std::optional(error), now);
}

} // namespace thru
