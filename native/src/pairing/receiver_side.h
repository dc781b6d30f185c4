// The receiver of a pairing: speaks first, and proves first.
#pragma once

#include <optional>
#include <string>

#include "crypto/cpace.h"
#include "pairing/pairing_side.h"

namespace thru {

class ReceiverSide final : public PairingSide {
public:
    /// `earlier` as in Pairing::receiver.
    ReceiverSide(const std::string &nameplate, const PairingSecret &secret, PeerDescription own,
                 const std::optional<GuessId> &earlier = {});
    /// With a run and a share that were chosen elsewhere: for test vectors. CPace's inputs are
    /// `secret`, channel_of(nameplate) and `run`.
    ReceiverSide(std::string nameplate, const PairingSecret &secret, PeerDescription own,
                 const PairingRun &run, Cpace cpace, const std::optional<GuessId> &earlier = {});

private:
    ReceiverSide(const std::string &nameplate, const PairingSecret &secret, PeerDescription own,
                 const PairingRun &run, const std::optional<GuessId> &earlier);

    Result<Events> on_pake(const PairingPayload &payload) override;
    bool believes(const FailurePayload &failure) const override;
    Result<Events> on_share(const Pake2 &answer);
    Result<Events> on_proof(const Pake4 &proof);

    /// Until the sender's share came.
    std::optional<Cpace> cpace_;
};

} // namespace thru
