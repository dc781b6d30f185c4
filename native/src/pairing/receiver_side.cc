#include "pairing/receiver_side.h"

#include <utility>

#include "crypto/random.h"
#include "pairing/associated_data.h"

namespace thru {

namespace {

PairingRun random_run() {
    PairingRun run;
    random_bytes(run);
    return run;
}

} // namespace

ReceiverSide::ReceiverSide(const std::string &nameplate, const PairingSecret &secret,
                           PeerDescription own, const std::optional<GuessId> &earlier)
    : ReceiverSide(nameplate, secret, std::move(own), random_run(), earlier) {}

ReceiverSide::ReceiverSide(const std::string &nameplate, const PairingSecret &secret,
                           PeerDescription own, const PairingRun &run,
                           const std::optional<GuessId> &earlier)
    : ReceiverSide(
          nameplate, secret, std::move(own), run,
          Cpace{{.secret = secret.view(), .channel = channel_of(nameplate), .session = run}},
          earlier) {}

ReceiverSide::ReceiverSide(std::string nameplate, const PairingSecret &secret, PeerDescription own,
                           const PairingRun &run, Cpace cpace,
                           const std::optional<GuessId> &earlier)
    : PairingSide(PairingRole::Receiver, std::move(nameplate), std::move(own)),
      cpace_(std::move(cpace)) {
    transcript_.run = run;
    transcript_.receiver_share = cpace_->share();
    transcript_.receiver_data = encode_data(ReceiverData{.fingerprint = own_.fingerprint,
                                                         .kind = secret.kind(),
                                                         .hint = secret.hint(run),
                                                         .guess = earlier});
    put(Pake1{
        {.run = run, .share = transcript_.receiver_share, .data = transcript_.receiver_data}});
}

bool ReceiverSide::believes(const FailurePayload &failure) const {
    return failure.code == ErrorCode::PeerVersion || failure.run == transcript_.run;
}

Result<PairingSide::Events> ReceiverSide::on_pake(const PairingPayload &payload) {
    if (const auto *answer = std::get_if<Pake2>(&payload); answer && cpace_) {
        return on_share(*answer);
    }
    if (const auto *proof = std::get_if<Pake4>(&payload); proof && !cpace_) {
        return on_proof(*proof);
    }
    return out_of_order();
}

Result<PairingSide::Events> ReceiverSide::on_share(const Pake2 &answer) {
    const auto data = decode_sender_data(answer.data);
    if (answer.run != transcript_.run || !data) {
        return fail(ErrorCode::PeerProtocol, 0, "malformed answer, or one of another run");
    }
    const auto key =
        std::exchange(cpace_, std::nullopt)
            ->finish(Cpace::Role::Initiator, answer.share, transcript_.receiver_data, answer.data);
    if (!key) {
        return fail(ErrorCode::PeerProtocol, 0, "the sender's share is not a valid element");
    }
    peer_fingerprint_ = data->fingerprint;
    transcript_.sender_share = answer.share;
    transcript_.sender_data = answer.data;
    derive(*key);
    guess_ = guess_of(schedule_->keys.transcript, schedule_->receiver_tag);
    prove<Pake3>(schedule_->receiver_tag);
    return Events{take_keyed()};
}

Result<PairingSide::Events> ReceiverSide::on_proof(const Pake4 &proof) {
    if (proof.run != transcript_.run) {
        return fail(ErrorCode::PeerProtocol, 0, "Pake4 of another run");
    }
    if (!digests_equal(proof.tag, schedule_->sender_tag)) {
        return fail(ErrorCode::PeerIdentity, 0, "the sender's tag is wrong");
    }
    return on_proven(proof.box);
}

} // namespace thru
