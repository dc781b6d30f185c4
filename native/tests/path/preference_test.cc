// The choice of a carrier, in virtual time.
#include "path/preference.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace thru {
namespace preference_cases {
namespace {

using enum CarrierKind;
using enum CarrierState;

constexpr auto kNoIndex = std::nullopt;

struct PreferenceCase {
    const char *name;
    std::vector<CarrierOffer> offers;
    Timestamp now = 0;
    std::optional<std::size_t> use = kNoIndex;
    std::optional<std::size_t> begin = kNoIndex;
    Timestamp again_at = kNever;
    bool failed = false;
    bool chooses = true;
    RelayUse relay_use = RelayUse::Automatic;
};

CarrierOffer found_offer(CarrierKind kind, Timestamp at) {
    return {.kind = kind, .state = Found, .found_at = at};
}
CarrierOffer state_offer(CarrierKind kind, CarrierState state) {
    return {.kind = kind, .state = state};
}

const std::vector<PreferenceCase> kPreferenceCases{
    {.name = "nothing yet",
     .offers = {state_offer(DirectUdp, Searching), state_offer(DirectTcp, Idle)}},
    {.name = "a direct pair at once",
     .offers = {found_offer(DirectUdp, 5), found_offer(DirectTcp, 1)},
     .now = 5,
     .use = 0},
    {.name = "TCP waits for a pair",
     .offers = {state_offer(DirectUdp, Searching), found_offer(DirectTcp, kSecond)},
     .now = 2 * kSecond - 1,
     .again_at = 2 * kSecond},
    {.name = "TCP when its patience is over",
     .offers = {state_offer(DirectUdp, Searching), found_offer(DirectTcp, kSecond)},
     .now = 2 * kSecond,
     .use = 1},
    {.name = "a relay waits for a direct carrier",
     .offers = {found_offer(Relay, kSecond), state_offer(DirectTcp, Searching)},
     .now = kSecond,
     .again_at = kSecond + 300 * kMillisecond},
    {.name = "TCP takes no further time where a relay has waited",
     .offers = {found_offer(Relay, kSecond), found_offer(DirectTcp, kSecond + 200 * kMillisecond)},
     .now = kSecond + 300 * kMillisecond,
     .use = 1},
    {.name = "a relay shortens no time of TCP",
     .offers = {found_offer(Relay, kSecond + 100 * kMillisecond), found_offer(DirectTcp, kSecond)},
     .now = kSecond + 500 * kMillisecond,
     .again_at = 2 * kSecond},
    {.name = "only relays: at once",
     .offers = {found_offer(Relay, kSecond)},
     .now = kSecond,
     .use = 0,
     .relay_use = RelayUse::Only},
    {.name = "a sender does not choose TCP",
     .offers = {state_offer(DirectUdp, Over), found_offer(DirectTcp, 0)},
     .now = 60 * kSecond,
     .chooses = false},
    {.name = "a sender goes by a pair",
     .offers = {found_offer(Relay, 0), found_offer(DirectTcp, 0)},
     .now = kSecond,
     .use = 0,
     .chooses = false},
    {.name = "the server's relay waits for everything else",
     .offers = {state_offer(DirectUdp, Searching), state_offer(ServerRelay, Idle)},
     .now = kSecond,
     .again_at = 5 * kSecond},
    {.name = "the server's relay begins beside a slow search",
     .offers = {state_offer(DirectUdp, Searching), state_offer(ServerRelay, Idle)},
     .now = 5 * kSecond,
     .begin = 1},
    {.name = "the server's relay begins when nothing else is left",
     .offers = {state_offer(DirectUdp, Over), state_offer(DirectTcp, Idle),
                state_offer(ServerRelay, Idle)},
     .now = kSecond,
     .begin = 2},
    {.name = "the server's relay begins at once if the other side has no candidate",
     .offers = {state_offer(DirectUdp, Searching),
                {.kind = ServerRelay, .state = Idle, .alone = true}},
     .begin = 1},
    {.name = "the server's relay does not begin while TCP is found",
     .offers = {state_offer(DirectUdp, Over), found_offer(DirectTcp, kSecond),
                state_offer(ServerRelay, Idle)},
     .now = kSecond,
     .again_at = 2 * kSecond},
    {.name = "the server's relay last",
     .offers = {found_offer(Relay, 9 * kSecond), found_offer(ServerRelay, 9 * kSecond)},
     .now = 9 * kSecond + 300 * kMillisecond,
     .use = 0},
    {.name = "the server's relay at once",
     .offers = {state_offer(DirectUdp, Searching), found_offer(ServerRelay, 6 * kSecond)},
     .now = 6 * kSecond,
     .use = 1},
    {.name = "a failure when all are over",
     .offers = {state_offer(DirectUdp, Over), state_offer(DirectTcp, Idle),
                state_offer(ServerRelay, Over)},
     .failed = true},
    {.name = "no failure while the server's relay searches",
     .offers = {state_offer(DirectUdp, Over), state_offer(ServerRelay, Searching)}},
};

TEST(Preference, DecidesByWhatWasFoundWhen) {
    for (const auto &each : kPreferenceCases) {
        SCOPED_TRACE(each.name);
        const auto decision = decide(each.offers, each.chooses, each.relay_use, each.now);
        if (each.use == kNoIndex || decision.use) {
            EXPECT_EQ(decision.use, each.use);
        } else {
            ADD_FAILURE() << "nothing is used";
        }
        EXPECT_EQ(decision.begin, each.begin);
        EXPECT_EQ(decision.again_at, each.again_at);
        EXPECT_EQ(decision.failed, each.failed);
    }
}

} // namespace
} // namespace preference_cases
} // namespace thru
