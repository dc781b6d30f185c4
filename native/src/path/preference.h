// The choice of a path's carrier: a table and a pure function. Described in docs/paths.md.
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
enum class CarrierKind : std::uint8_t { DirectUdp, DirectTcp, WebTransport, Relay, ServerRelay };

enum class CarrierState : std::uint8_t {
    /// Waits for `begin`, or for the other side to connect.
    Idle,
    Searching,
    /// Leads to the other computer.
    Found,
    /// Leads nowhere, or no longer.
    Over,
};

struct Preference {
    CarrierKind kind;
    /// Time to wait for a better carrier once this one is found.
    Timestamp patience;
    /// Time until its search begins, or sooner if all others fail; 0 for automatic.
    Timestamp begins_after;
    /// Nominated by ICE at both ends; otherwise the receiver chooses and the sender follows.
    bool nominated;
};

/// Best first. A lost connectivity check is repeated after half a second; direct TCP waits for
/// that. A relay that both sides use answers about a round trip later than the other computer, if
/// that is reachable. Relays over TLS through a proxy answer a dozen round trips after they were
/// named, and the server relay waits for them.
inline constexpr std::array<Preference, 5> kPreferences{{
    {CarrierKind::DirectUdp, 0, 0, true},
    {CarrierKind::DirectTcp, kSecond, 0, false},
    {CarrierKind::WebTransport, 0, 0, false},
    {CarrierKind::Relay, 300 * kMillisecond, 0, true},
    {CarrierKind::ServerRelay, 0, 5 * kSecond, false},
}};

const Preference &preference_of(CarrierKind kind);

/// A carrier's properties that affect the choice.
struct CarrierOffer {
    CarrierKind kind = CarrierKind::DirectUdp;
    CarrierState state = CarrierState::Idle;
    Timestamp added_at = 0;
    /// Time since which it has been Found; only then.
    Timestamp found_at = 0;
    /// The other side has no candidate that another carrier could reach.
    bool alone = false;
};

/// The members are indexes into the offers.
struct CarrierDecision {
    std::optional<std::size_t> use;
    std::optional<std::size_t> begin;
    /// No carrier leads anywhere and none will.
    bool failed = false;
    /// The next time at which the decision may change without new input.
    Timestamp again_at = kNever;
};

/// `chooses` is true for a receiver.
CarrierDecision decide(std::span<const CarrierOffer> offers, bool chooses, RelayUse relay_use,
                       Timestamp now);

} // namespace thru
