#include "path/preference.h"

#include <algorithm>

namespace thru {

namespace {

/// A side that uses only relays doesn't wait for better carriers.
Timestamp patience_of(CarrierKind kind, RelayUse relay_use) {
    return relay_use == RelayUse::Only ? 0 : preference_of(kind).patience;
}

} // namespace

const Preference &preference_of(CarrierKind kind) {
    return *std::ranges::find(kPreferences, kind, &Preference::kind);
}

CarrierDecision decide(std::span<const CarrierOffer> offers, bool chooses, RelayUse relay_use,
                       Timestamp now) {
    CarrierDecision decision;
    std::optional<std::size_t> best;
    std::optional<std::size_t> first;
    std::optional<std::size_t> in_reserve;
    bool has_hope = false;
    for (std::size_t index = 0; index < offers.size(); ++index) {
        const auto &offer = offers[index];
        const auto &preference = preference_of(offer.kind);
        const bool found = offer.state == CarrierState::Found;
        has_hope = has_hope || found || offer.state == CarrierState::Searching;
        if (found && (chooses || preference.nominated)) {
            if (!best || &preference < &preference_of(offers[*best].kind)) {
                best = index;
            }
            if (!first || offer.found_at < offers[*first].found_at) {
                first = index;
            }
        }
        if (offer.state == CarrierState::Idle && preference.begins_after > 0) {
            in_reserve = index;
        }
    }
    if (best) {
        const auto until = [&](std::size_t index) {
            return offers[index].found_at + patience_of(offers[index].kind, relay_use);
        };
        const auto use_at = std::min(until(*best), until(*first));
        if (use_at <= now) {
            decision.use = best;
        } else {
            decision.again_at = use_at;
        }
    }
    if (in_reserve) {
        const auto &offer = offers[*in_reserve];
        const auto begin_at = offer.added_at + preference_of(offer.kind).begins_after;
        if (!has_hope || offer.alone || begin_at <= now) {
            decision.begin = in_reserve;
        } else {
            decision.again_at = std::min(decision.again_at, begin_at);
        }
    }
    decision.failed = !has_hope && !in_reserve;
    return decision;
}

} // namespace thru
