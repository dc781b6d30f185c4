#include "pairing/sender_side.h"

#include <utility>

#include "crypto/random.h"

namespace thru {

SenderSide::SenderSide(std::string nameplate, PeerDescription own)
    : PairingSide(PairingRole::Sender, std::move(nameplate), std::move(own)) {}

bool SenderSide::believes(const FailurePayload &failure) const {
    return failure.code == ErrorCode::PeerVersion;
}

Result<PairingSide::Events> SenderSide::on_pake(const PairingPayload &payload) {
    if (const auto *request = std::get_if<Pake1>(&payload); request && step_ == Step::Idle) {
        return on_share(*request);
    }
    if (const auto *proof = std::get_if<Pake3>(&payload); proof && step_ == Step::Answered) {
        return on_proof(*proof);
    }
    return out_of_order();
}

Result<PairingSide::Events> SenderSide::on_share(const Pake1 &request) {
    const auto data = decode_receiver_data(request.data);
    if (!data) {
        return fail(ErrorCode::PeerProtocol, 0, "malformed request");
    }
    peer_fingerprint_ = data->fingerprint;
    transcript_.run = request.run;
    transcript_.receiver_share = request.share;
    transcript_.receiver_data = request.data;
    step_ = Step::Asked;
    return Events{PairingRequested{
        .kind = data->kind, .run = request.run, .hint = data->hint, .earlier = data->guess}};
}

Result<> SenderSide::admit(const PairingSecret &secret) {
    SenderSession session;
    random_bytes(session);
    const auto channel = channel_of(transcript_.nameplate);
    return answer(session,
                  Cpace{{.secret = secret.view(), .channel = channel, .session = transcript_.run}});
}

Result<> SenderSide::answer(const SenderSession &session, Cpace cpace) {
    if (over() || step_ != Step::Asked) {
        return out_of_order();
    }
    transcript_.sender_share = cpace.share();
    transcript_.sender_data =
        encode_data(SenderData{.fingerprint = own_.fingerprint, .session = session});
    const auto key = cpace.finish(Cpace::Role::Responder, transcript_.receiver_share,
                                  transcript_.sender_data, transcript_.receiver_data);
    if (!key) {
        end();
        return fail(ErrorCode::PeerProtocol, 0, "the receiver's share is not a valid element");
    }
    derive(*key);
    step_ = Step::Answered;

    put(Pake2{{.run = transcript_.run,
               .share = transcript_.sender_share,
               .data = transcript_.sender_data}});
    return {};
}

void SenderSide::refuse(ErrorCode code) {
    if (!over() && !proven() && step_ != Step::Idle) {
        end_with(code);
    }
}

Result<PairingSide::Events> SenderSide::on_proof(const Pake3 &proof) {
    if (proof.run != transcript_.run) {
        return fail(ErrorCode::PeerProtocol, 0, "Pake4 of another run");
    }
    if (!digests_equal(proof.tag, schedule_->receiver_tag)) {
        guess_ = guess_of(schedule_->keys.transcript, proof.tag);
        end_with(ErrorCode::CodeMismatch);
        return fail(ErrorCode::CodeMismatch, 0, "the receiver's tag is wrong");
    }
    auto events = on_proven(proof.box);
    if (events) {
        // Not earlier: an agent that accepted checks with these credentials would reveal right
        // words to a receiver whose guess is not counted.
        events->insert(events->begin(), take_keyed());
        prove<Pake4>(schedule_->sender_tag);
    }
    return events;
}

} // namespace thru
