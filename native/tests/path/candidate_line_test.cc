#include "path/candidate_line.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

std::optional<UdpPort> behind_router(const std::string &address,
                                     const std::string &more = " 40000 typ host") {
    return port_behind_router("candidate:1 1 UDP 2013266431 " + address + more);
}

TEST(CandidateLine, NamesThePortOfAHomesNetwork) {
    for (const auto *address : {"10.0.1.2", "172.16.0.1", "172.31.9.9", "192.168.1.7"}) {
        EXPECT_EQ(behind_router(address), (UdpPort{address, 40000}));
    }
    EXPECT_EQ(behind_router("10.0.1.2", " 40000 typ host generation 0"),
              (UdpPort{"10.0.1.2", 40000}));
}

TEST(CandidateLine, NamesNoPortThatNeedsNoRouterOrThatNoneMaps) {
    EXPECT_EQ(behind_router("203.0.113.7"), std::nullopt);
    EXPECT_EQ(behind_router("172.32.0.1"), std::nullopt);
    EXPECT_EQ(behind_router("fd00::7"), std::nullopt);
    EXPECT_EQ(behind_router("10.0.1.2", " 40000 typ srflx raddr 10.0.1.2 rport 1"), std::nullopt);
    EXPECT_EQ(behind_router("10.0.1.2", " 40000 typ relay"), std::nullopt);
    EXPECT_EQ(port_behind_router("candidate:1 1 TCP 2013266431 10.0.1.2 9 typ host tcptype active"),
              std::nullopt);
    for (const auto *wrong : {" 0 typ host", " 65536 typ host", " 4x typ host", ""}) {
        EXPECT_EQ(behind_router("10.0.1.2", wrong), std::nullopt) << wrong;
    }
    EXPECT_EQ(port_behind_router(""), std::nullopt);
}

TEST(CandidateLine, TellsWhatARouterHasMappedAsAServerReflexiveCandidate) {
    EXPECT_EQ(mapped_candidate({"10.0.1.2", 40000}, {"203.0.113.7", 50000}),
              "candidate:mapped 1 UDP 1778384895 203.0.113.7 50000 typ srflx raddr 10.0.1.2 rport "
              "40000");
}

// TURN-13
TEST(CandidateLine, HidesWhatARelayedAddressIsRelatedTo) {
    EXPECT_EQ(without_related_address(
                  "candidate:7 1 UDP 505 45.33.3.1 50000 typ relay raddr 10.0.1.2 rport 40000"),
              "candidate:7 1 UDP 505 45.33.3.1 50000 typ relay raddr 0.0.0.0 rport 9");
    EXPECT_EQ(without_related_address(
                  "candidate:7 1 UDP 505 2001:db8::1 50000 typ relay raddr fd00::2 rport 40000"),
              "candidate:7 1 UDP 505 2001:db8::1 50000 typ relay raddr :: rport 9");
    constexpr std::string_view kAlone = "candidate:7 1 UDP 505 45.33.3.1 50000 typ relay";
    EXPECT_EQ(without_related_address(kAlone), kAlone);
}

} // namespace
} // namespace thru
