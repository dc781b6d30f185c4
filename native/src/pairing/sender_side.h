// The sender of a pairing: it answers admitted receivers and proves nothing before they have.
#pragma once

#include <string>

#include "crypto/cpace.h"
#include "pairing/associated_data.h"
#include "pairing/pairing_side.h"

namespace thru {

class SenderSide final : public PairingSide {
public:
    SenderSide(std::string nameplate, PeerDescription own);

    // See Pairing.
    Result<> admit(const PairingSecret &secret);
    void refuse(ErrorCode code);

    /// Like admit, with a given session and share, for test vectors.
    Result<> answer(const SenderSession &session, Cpace cpace);

private:
    enum class Step : std::uint8_t { Idle, Asked, Answered };

    Result<Events> on_pake(const PairingPayload &payload) override;
    bool believes(const FailurePayload &failure) const override;
    Result<Events> on_share(const Pake1 &request);
    Result<Events> on_proof(const Pake3 &proof);

    Step step_ = Step::Idle;
};

} // namespace thru
