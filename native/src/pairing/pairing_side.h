// The part of a pairing that both roles share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/digest.h"
#include "pairing/candidate_exchange.h"
#include "pairing/key_schedule.h"
#include "pairing/pairing.h"
#include "pairing/payload.h"
#include "pairing/sealed_channel.h"

namespace thru {

class PairingSide {
public:
    using Events = std::vector<PairingEvent>;

    virtual ~PairingSide() = default;
    PairingSide(const PairingSide &) = delete;
    PairingSide &operator=(const PairingSide &) = delete;

    // See Pairing.
    Result<Events> on_payload(std::string_view text);
    const PairingKeys &keys() const { return schedule_->keys; }
    void send_candidate(std::string_view line);
    void send_candidates_done();
    std::vector<std::string> take_payloads();
    const std::optional<GuessId> &guess() const { return guess_; }

protected:
    PairingSide(PairingRole role, std::string nameplate, PeerDescription own);

    /// Handles Pake1 to Pake4, before the proof of the other side.
    virtual Result<Events> on_pake(const PairingPayload &payload) = 0;
    virtual bool believes(const FailurePayload &failure) const = 0;

    static std::unexpected<Error> out_of_order();

    void put(const PairingPayload &payload) { payloads_.push_back(encode_payload(payload)); }
    /// Makes the last payload, which reports the reason to the other side.
    void end_with(ErrorCode code);
    bool over() const { return over_; }
    /// True once the other side has shown its tag.
    bool proven() const { return proven_; }
    /// Ends the run: from here on, nothing is sent and all payloads are refused.
    void end() { over_ = true; }

    /// Call this once `transcript_` is final.
    void derive(const CpaceKey &key);
    /// Sends the tag with this side's description, then the messages that were held back.
    template <class Proof> void prove(const LongDigest &tag) {
        put(Proof{{.run = transcript_.run, .tag = tag, .box = seal_description()}});
        release_held_back();
    }
    /// Call this once, after `derive`; it moves the ICE credentials out of this object.
    PairingKeyed take_keyed();
    /// Opens the box that arrived with a correct tag.
    Result<Events> on_proven(const SealedBox &box);

    PeerDescription own_;
    /// The other side's fingerprint, from its associated data.
    Fingerprint peer_fingerprint_{};
    PairingTranscript transcript_;
    std::optional<KeySchedule> schedule_;
    std::optional<GuessId> guess_;

private:
    Result<Events> take(std::string_view text);
    Result<Events> on_sealed(const SealedPayload &payload);
    SealedBox seal_description();
    void send(std::optional<Bytes> message);
    void release_held_back();

    PairingRole role_;
    std::optional<SealedChannel> channel_;
    /// True once this side has sent its proof; only then may it seal more.
    bool introduced_ = false;
    CandidateExchange candidates_;
    /// Messages from before the proof: at most kMaxPeerCandidates and an end.
    std::vector<Bytes> held_back_;
    std::vector<std::string> payloads_;
    bool proven_ = false;
    bool over_ = false;
};

} // namespace thru
