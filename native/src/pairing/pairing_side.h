// What both roles of a pairing have in common.
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

    // As those of Pairing.
    Result<Events> on_payload(std::string_view text);
    const PairingKeys &keys() const { return schedule_->keys; }
    void send_candidate(std::string_view line);
    void send_candidates_done();
    std::vector<std::string> take_payloads();
    const std::optional<GuessId> &guess() const { return guess_; }

protected:
    PairingSide(PairingRole role, std::string nameplate, PeerDescription own);

    /// Pake1 to Pake4, before the proof of the other side.
    virtual Result<Events> on_pake(const PairingPayload &payload) = 0;
    virtual bool believes(const FailurePayload &failure) const = 0;

    static std::unexpected<Error> out_of_order();

    void put(const PairingPayload &payload) { payloads_.push_back(encode_payload(payload)); }
    /// The last payload: tells the other side why it ends.
    void end_with(ErrorCode code);
    bool over() const { return over_; }
    /// The other side has shown its tag.
    bool proven() const { return proven_; }
    /// From here on nothing more goes out, and all that comes is refused.
    void end() { over_ = true; }

    /// When nothing more of `transcript_` will change.
    void derive(const CpaceKey &key);
    /// Shows the tag with this side's description, and lets follow what was held back.
    template <class Proof> void prove(const LongDigest &tag) {
        put(Proof{{.run = transcript_.run, .tag = tag, .box = seal_description()}});
        release_held_back();
    }
    /// Once, after `derive`: nothing here keeps the ICE credentials.
    PairingKeyed take_keyed();
    /// Opens the box beside a correct tag.
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
    /// Showed its proof: only then it may seal more.
    bool introduced_ = false;
    CandidateExchange candidates_;
    /// Messages given before the proof: at most kMaxPeerCandidates and an end.
    std::vector<Bytes> held_back_;
    std::vector<std::string> payloads_;
    bool proven_ = false;
    bool over_ = false;
};

} // namespace thru
