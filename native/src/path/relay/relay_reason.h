// Why two computers are connected by a relay: what their candidates say of what each could tell the
// other.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/relay_use.h"

namespace thru {

enum class RelayReason : std::uint8_t {
    /// They are connected directly.
    None,
    /// This side wants only relays.
    OwnChoice,
    /// The other side offers only relays.
    TheirChoice,
    /// Nothing but TCP got out of this side's network.
    OwnUdp,
    /// No STUN server told this side its address on the internet.
    OwnAddress,
    /// The other side named no address on the internet but a relay's.
    TheirAddress,
    /// Both named one, and nothing got through between them.
    Routers,
};

/// Collects the candidates of a connection attempt, as SDP lines (RFC 8839 section 5.1) that were
/// checked.
class CandidateKinds {
public:
    void own(std::string_view line) { own_.add(line); }
    void theirs(std::string_view line) { theirs_.add(line); }
    /// This side has a relay.
    bool own_relay() const { return own_.relays; }

    /// Of a relayed route. `own_use` is this side's; `only_tcp`: it asked over UDP, too, and got to
    /// its relay over TCP.
    RelayReason why(RelayUse own_use, bool only_tcp) const;

private:
    struct Side {
        bool relays = false;
        bool others = false;
        /// An address that can be reached from the internet.
        bool internet = false;

        void add(std::string_view line);
    };
    Side own_;
    Side theirs_;
};

} // namespace thru
