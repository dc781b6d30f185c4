#include "path/relay/relay_reason.h"

#include <string>

#include <gtest/gtest.h>

namespace thru {
namespace {

std::string candidate(const std::string &type, const std::string &address) {
    return "candidate:1 1 UDP 2013266431 " + address + " 40000 typ " + type;
}

CandidateKinds attempt(const std::string &own, const std::string &theirs) {
    CandidateKinds kinds;
    for (const auto &[text, adds_own] : {std::pair{own, true}, std::pair{theirs, false}}) {
        kinds.own(adds_own ? text : candidate("relay", "198.51.100.1"));
        kinds.theirs(adds_own ? candidate("relay", "198.51.100.1") : text);
    }
    return kinds;
}

const auto kHome = candidate("host", "192.168.1.7");
const auto kSeen = candidate("srflx", "203.0.113.7");

TEST(RelayReason, IsAChoiceWhereOneSideWantsOnlyRelays) {
    EXPECT_EQ(attempt(kSeen, kSeen).why(RelayUse::Only, false), RelayReason::OwnChoice);
    const auto hidden = attempt(kSeen, candidate("relay", "198.51.100.2"));
    EXPECT_EQ(hidden.why(RelayUse::Automatic, false), RelayReason::TheirChoice);
}

TEST(RelayReason, IsThatNoUdpGetsOutWhereTheRelayIsReachedOverTcp) {
    EXPECT_EQ(attempt(kHome, kSeen).why(RelayUse::Automatic, true), RelayReason::OwnUdp);
    EXPECT_EQ(attempt(kHome, kSeen).why(RelayUse::Automatic, false), RelayReason::OwnAddress);
}

TEST(RelayReason, IsThatTheOtherSideHasNoAddressOrThatRoutersLetNothingThrough) {
    EXPECT_EQ(attempt(kSeen, kHome).why(RelayUse::Automatic, false), RelayReason::TheirAddress);
    EXPECT_EQ(attempt(kSeen, kSeen).why(RelayUse::Automatic, true), RelayReason::Routers);
}

TEST(RelayReason, KnowsWhichAddressesAreOfTheInternet) {
    for (const auto *inside :
         {"10.1.2.3", "172.16.0.1", "172.31.9.9", "100.64.0.1", "100.127.0.1", "169.254.1.1",
          "127.0.0.1", "192.168.0.1", "fe80::1", "fd00::1", "::1", ""}) {
        EXPECT_EQ(attempt(kSeen, candidate("host", inside)).why(RelayUse::Automatic, false),
                  RelayReason::TheirAddress)
            << inside;
    }
    for (const auto *outside : {"172.32.0.1", "172.15.0.1", "100.128.0.1", "100.63.0.1", "8.8.8.8",
                                "2001:db8::1", "3fff::1"}) {
        EXPECT_EQ(attempt(kSeen, candidate("host", outside)).why(RelayUse::Automatic, false),
                  RelayReason::Routers)
            << outside;
    }
}

TEST(RelayReason, LivesWithLinesThatAreCutShort) {
    CandidateKinds kinds;
    kinds.own("candidate:1 1");
    kinds.theirs("");
    EXPECT_EQ(kinds.why(RelayUse::Automatic, false), RelayReason::OwnAddress);
}

} // namespace
} // namespace thru
