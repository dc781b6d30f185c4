// The choice of a path's carrier: a table, and a function of what was found when. Knows no sockets
// and no clock. Described in docs/paths.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/clock.h"
#include "base/relay_use.h"

namespace thru {

/// The rows of kPreferences.
enum class CarrierKind : std::uint8_t { DirectUdp, DirectTcp, Relay, ServerRelay };

enum class CarrierState : std::uint8_t {
    /// Waits for `begin`, or for the other side to connect.
    Idle,
    Searching,
    /// Leads to the other computer.
    Found,
    /// Leads nowhere, or does no longer.
    Over,
};

struct Preference {
    CarrierKind kind;
    /// Time in which a better one may still be found once this one is.
    Timestamp patience;
    /// When it begins to search, unless nothing else is left earlier; 0: by itself.
    Timestamp begins_after;
    /// ICE nominates it at both ends. Otherwise the receiver chooses it, and the sender follows.
    bool nominated;
};

/// The best first. A connectivity check that was lost is repeated after half a second, which a
/// direct connection of TCP waits for. A relay that both sides have asked answers about a round
/// trip later than the other computer, if that can be reached. Relays over TLS through a proxy
/// answer a dozen round trips after they were named, before which the server's own is not asked.
inline constexpr std::array<Preference, 4> kPreferences{{
    {CarrierKind::DirectUdp, 0, 0, true},
    {CarrierKind::DirectTcp, kSecond, 0, false},
    {CarrierKind::Relay, 300 * kMillisecond, 0, true},
    {CarrierKind::ServerRelay, 0, 5 * kSecond, false},
}};

/// The row of a kind.
const Preference &preference_of(CarrierKind kind);

/// One carrier as the choice sees it.
struct CarrierOffer {
    CarrierKind kind = CarrierKind::DirectUdp;
    CarrierState state = CarrierState::Idle;
    /// When the path got it.
    Timestamp added_at = 0;
    /// Since when it is Found; only then.
    Timestamp found_at = 0;
};

/// Indexes of offers.
struct CarrierDecision {
    std::optional<std::size_t> use;
    std::optional<std::size_t> begin;
    /// No carrier leads anywhere, and none will.
    bool failed = false;
    /// When time alone changes the decision.
    Timestamp again_at = kNever;
};

/// `chooses`: for a receiver.
CarrierDecision decide(std::span<const CarrierOffer> offers, bool chooses, RelayUse relay_use,
                       Timestamp now);

} // namespace thru
