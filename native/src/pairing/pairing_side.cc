#include "pairing/pairing_side.h"

#include <utility>

#include "pairing/description.h"

namespace thru {

PairingSide::PairingSide(PairingRole role, std::string nameplate, PeerDescription own)
    : own_(std::move(own)), role_(role) {
    transcript_.nameplate = std::move(nameplate);
}

std::unexpected<Error> PairingSide::out_of_order() {
    return fail(ErrorCode::PeerProtocol, 0, "pairing payload out of order");
}

Result<PairingSide::Events> PairingSide::on_payload(std::string_view text) {
    if (over_) {
        return fail(ErrorCode::PeerProtocol, 0, "the pairing is over");
    }
    auto events = take(text);
    over_ = !events.has_value();
    return events;
}

Result<PairingSide::Events> PairingSide::take(std::string_view text) {
    const auto payload = decode_payload(text);
    if (!payload && proven_) {
        return fail(ErrorCode::SignalingAltered, 0, "a pairing payload was altered");
    }
    if (!payload) {
        if (payload.error().code == ErrorCode::PeerVersion) {
            end_with(ErrorCode::PeerVersion);
        }
        return std::unexpected(payload.error());
    }
    if (const auto *failure = std::get_if<FailurePayload>(&*payload)) {
        return !proven_ && believes(*failure) ? fail(failure->code, 0, "the other side says so")
                                              : out_of_order();
    }
    if (proven_) {
        const auto *sealed = std::get_if<SealedPayload>(&*payload);
        return sealed ? on_sealed(*sealed) : out_of_order();
    }
    return on_pake(*payload);
}

Result<PairingSide::Events> PairingSide::on_proven(const SealedBox &box) {
    const auto message =
        channel_->open(SealedPayload{.run = transcript_.run, .counter = 0, .box = box});
    if (!message) {
        return fail(ErrorCode::SignalingAltered, 0, "the box of a proof was altered");
    }
    auto peer = decode_description(*message);
    if (!peer) {
        return fail(ErrorCode::PeerProtocol, 0, "malformed description");
    }
    peer->fingerprint = peer_fingerprint_;
    proven_ = true;
    return Events{PairingProven{*std::move(peer)}};
}

Result<PairingSide::Events> PairingSide::on_sealed(const SealedPayload &payload) {
    const auto message = channel_->open(payload);
    if (!message) {
        return fail(ErrorCode::SignalingAltered, 0, "a sealed message was altered or is missing");
    }
    return candidates_.on_message(*message);
}

void PairingSide::end_with(ErrorCode code) {
    put(FailurePayload{transcript_.run, code});
    end();
}

void PairingSide::derive(const CpaceKey &key) {
    schedule_ = schedule_keys(transcript_, key);
    channel_.emplace(role_, transcript_.run, *schedule_);
}

PairingKeyed PairingSide::take_keyed() {
    auto senders = std::exchange(schedule_->sender_ice, {});
    auto receivers = std::exchange(schedule_->receiver_ice, {});
    return role_ == PairingRole::Sender ? PairingKeyed{peer_fingerprint_, senders, receivers}
                                        : PairingKeyed{peer_fingerprint_, receivers, senders};
}

SealedBox PairingSide::seal_description() { return channel_->seal(encode_description(own_)).box; }

void PairingSide::send_candidate(std::string_view line) { send(candidates_.announce(line)); }

void PairingSide::send_candidates_done() { send(candidates_.announce_done()); }

void PairingSide::send(std::optional<Bytes> message) {
    if (!message || over_) {
        return;
    }
    if (introduced_) {
        put(channel_->seal(*message));
    } else {
        held_back_.push_back(*std::move(message));
    }
}

void PairingSide::release_held_back() {
    introduced_ = true;
    for (const auto &message : std::exchange(held_back_, {})) {
        put(channel_->seal(message));
    }
}

std::vector<std::string> PairingSide::take_payloads() { return std::exchange(payloads_, {}); }

} // namespace thru
