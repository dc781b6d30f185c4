#include "engine/receive_session.h"

#include <algorithm>

#include "engine/share_session.h"

namespace thru {

namespace {

constexpr std::size_t kMostItems = 1000;
constexpr Timestamp kProgressInterval = 100 * kMillisecond;
/// For the sender's goodbye: everything is here and safe, so its loss changes nothing.
constexpr Timestamp kGoodbyeTimeout = 5 * kSecond;

} // namespace

ReceiveSession::ReceiveSession(EngineContext &context, OpenReceive command)
    : context_(context), options_(std::move(command)) {}

ReceiveSession::~ReceiveSession() = default;

Result<std::unique_ptr<ReceiveSession>> ReceiveSession::open(EngineContext &context,
                                                             OpenReceive command, Timestamp now) {
    auto code = parse_join_code(command.code);
    if (!code) {
        return std::unexpected(code.error());
    }
    auto identity = Identity::create();
    if (!identity) {
        return std::unexpected(identity.error());
    }
    std::unique_ptr<ReceiveSession> receive(new ReceiveSession(context, std::move(command)));
    const PeerLink::Options options{.role = Pairing::Role::Receiver,
                                    .code = std::move(*code),
                                    .identity =
                                        std::make_shared<const Identity>(std::move(*identity)),
                                    .name = receive->options_.name,
                                    .ice = receive->options_.ice};
    auto link = PeerLink::create(context, options, *receive, now);
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
    context_.events.push(PairingDoneEvent{options_.session, options_.peer});
}

void ReceiveSession::on_connected() {
    transfer_ = std::make_unique<ReceiveTransfer>(context_, link_->connection(), options_.name);
    if (auto begun = transfer_->begin(); !begun) {
        failure_ = begun.error();
        return;
    }
    context_.events.push(
        ConnectedEvent{options_.session, options_.peer, link_->peer_name(), link_->route()});
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

void ReceiveSession::accept(const std::string &directory) {
    if (offered_ && !accepted_) {
        accepted_ = true;
        transfer_->accept(directory);
    }
}

void ReceiveSession::on_event(const ReceiverEvent &event, Timestamp now) {
    if (std::holds_alternative<ReceiverOffered>(event)) {
        offered_ = true;
        const auto &manifest = transfer_->manifest();
        context_.events.push(OfferEvent{options_.session, options_.peer,
                                        manifest.top_items(kMostItems), manifest.files(),
                                        manifest.folders(), manifest.bytes()});
    } else if (const auto *failed = std::get_if<ReceiverEntryFailed>(&event)) {
        if (problems_++ < kMaxProblemsTold) {
            context_.events.push(
                ItemProblemEvent{options_.session, options_.peer,
                                 std::string(transfer_->manifest().path(failed->index)),
                                 Error{failed->code, 0, {}}});
        }
    } else if (const auto *finished = std::get_if<ReceiverFinished>(&event)) {
        finished_ = finished->totals;
        goodbye_by_ = now + kGoodbyeTimeout;
    } else if (std::holds_alternative<ReceiverReleased>(event)) {
        released_ = true;
    }
}

void ReceiveSession::tell_progress() {
    const auto &manifest = transfer_->manifest();
    context_.events.push(ProgressEvent{options_.session, options_.peer, transfer_->files(),
                                       transfer_->bytes(), manifest.files(), manifest.bytes()});
}

bool ReceiveSession::service(Timestamp now) {
    if (transfer_ && !failure_) {
        if (auto pumped = transfer_->pump(now); !pumped) {
            failure_ = pumped.error();
        }
        for (const auto &event : transfer_->take_events()) {
            on_event(event, now);
        }
        if (transfer_->take_progress() && next_progress_ == kNever) {
            next_progress_ = now + kProgressInterval;
        }
        if (next_progress_ <= now) {
            next_progress_ = kNever;
            tell_progress();
        }
    }
    if (finished_ && (released_ || goodbye_by_ <= now)) {
        link_->close(std::nullopt, now);
    } else if (failure_) {
        link_->close(failure_, now);
    }
    link_->service(now);
    if (!link_->closed()) {
        return true;
    }
    if (finished_) {
        tell_progress();
        context_.events.push(FinishedEvent{options_.session, options_.peer, finished_->files,
                                           finished_->bytes, finished_->problems,
                                           finished_->renamed});
    } else {
        const auto error = failure_ ? *failure_
                                    : link_->closed()->error.value_or(
                                          Error{ErrorCode::PeerGone, 0, "the sender closed early"});
        context_.events.push(FailedEvent{options_.session, options_.peer, error});
    }
    return false;
}

Timestamp ReceiveSession::deadline() const {
    const auto report = transfer_ ? transfer_->deadline() : kNever;
    return std::min({link_->deadline(), next_progress_, goodbye_by_, report});
}

void ReceiveSession::end(Timestamp now) {
    const auto error = accepted_ ? Error{ErrorCode::Cancelled, 0, "cancelled by the receiver"}
                                 : Error{ErrorCode::Declined, 0, "declined by the receiver"};
    link_->close(finished_ ? std::nullopt : std::optional(error), now);
}

} // namespace thru
