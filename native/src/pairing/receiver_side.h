// The receiver of a pairing, which sends first and proves first.
#pragma once

#include <optional>
#include <string>

#include "crypto/cpace.h"
#include "pairing/pairing_side.h"

namespace thru {

class ReceiverSide final : public PairingSide {
public:
    /// `earlier` is as in Pairing::receiver.
    ReceiverSide(const std::string &nameplate, const PairingSecret &secret, PeerDescription own,
                 const std::optional<GuessId> &earlier = {});
    /// A given run and share, for test vectors. CPace: `secret`, channel_of(nameplate), `run`.
    ReceiverSide(std::string nameplate, const PairingSecret &secret, PeerDescription own,
                 const PairingRun &run, Cpace cpace, const std::optional<GuessId> &earlier = {});

private:
    ReceiverSide(const std::string &nameplate, const PairingSecret &secret, PeerDescription own,
                 const PairingRun &run, const std::optional<GuessId> &earlier);

    Result<Events> on_pake(const PairingPayload &payload) override;
    bool believes(const FailurePayload &failure) const override;
    Result<Events> on_share(const Pake2 &answer);
    Result<Events> on_proof(const Pake4 &proof);

    /// Set until the sender's share arrives.
    std::optional<Cpace> cpace_;
};

} // namespace thru
