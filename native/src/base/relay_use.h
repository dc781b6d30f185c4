// Whether a person lets connections go by relays.
#pragma once

#include <cstdint>

namespace thru {

/// Counts for relays of either side, and for a detour over the signaling server, which is one.
/// The values are those of docs/protocol.md#description.
enum class RelayUse : std::uint8_t {
    /// Where there is no direct way.
    Automatic = 0,
    /// And nothing else: the other side learns no address of this computer, and nothing goes
    /// between the two but through a relay.
    Only = 1,
    /// None of either side.
    Never = 2,
};

} // namespace thru
