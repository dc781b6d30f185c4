// The reason that two computers are connected through a relay, derived from their candidates.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/relay_use.h"

namespace thru {

enum class RelayReason : std::uint8_t {
    /// The connection is direct.
    None,
    /// This side wants only relays.
    OwnChoice,
    /// The other side offers only relays.
    TheirChoice,
    /// Only TCP gets out of this side's network.
    OwnUdp,
    /// No STUN server reported this side's internet address.
    OwnAddress,
    /// The other side named no internet address except a relay's.
    TheirAddress,
    /// Both named one, but nothing got through between them.
    Routers,
};

/// Collects the checked candidates of a connection attempt, as SDP lines (RFC 8839 section 5.1).
class CandidateKinds {
public:
    void own(std::string_view line) { own_.add(line); }
    void theirs(std::string_view line) { theirs_.add(line); }
    bool own_relay() const { return own_.relays; }

    /// The reason for a relayed route. `own_use` is this side's setting; `only_tcp` means that it
    /// tried UDP too, but reached its relay over TCP.
    RelayReason why(RelayUse own_use, bool only_tcp) const;

private:
    struct Side {
        bool relays = false;
        bool others = false;
        /// True if a candidate is reachable from the internet.
        bool internet = false;

        void add(std::string_view line);
    };
    Side own_;
    Side theirs_;
};

} // namespace thru
