// A person's setting for connections through relays.
#pragma once

#include <cstdint>

namespace thru {

/// Applies to relays of either side, and to a server relay over the signaling server, which is a
/// relay too. The values are those of docs/protocol.md#description.
enum class RelayUse : std::uint8_t {
    /// Use a relay if there is no direct path.
    Automatic = 0,
    /// Use only relays; the other side learns no address of this computer.
    Only = 1,
    /// Use no relay of either side.
    Never = 2,
};

} // namespace thru
