// Agents that use only relays, or none, on the interfaces of this computer.
#include "base/relay_use.h"

#include <chrono>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/ice_agent.h"
#include "support/local_relay_posix.h"
#include "support/run_until.h"

namespace thru::test {
namespace {

class RelayUseTest : public testing::Test {
protected:
    RelayUseTest() { loop_.prepare_thread(); }
    ~RelayUseTest() override {
        EXPECT_TRUE(run_until([&] { return !loop_.has_pending(); }));
    }

    EventLoop &loop() { return loop_; }
    test::LocalRelay &relay() { return relay_; }

    template <class Condition> bool run_until(Condition done) {
        return test::run_until(loop_, done);
    }

private:
    EventLoop loop_;
    test::LocalRelay relay_;
};

/// The candidate in the form that the other side's relay would have.
std::string as_relayed(const std::string &host_line) {
    auto line = host_line;
    const std::string_view host = "typ host";
    line.replace(line.find(host), host.size(), "typ relay raddr 0.0.0.0 rport 9");
    return line;
}

/// The host of an address such as [::1]:9.
std::string host_of(const std::string &address) {
    const auto host = address.substr(0, address.rfind(':'));
    return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

// TURN-13
TEST_F(RelayUseTest, AloneNamesNoAddressOfThisComputer) {
    IceAgent user(loop(), false,
                  {.stun = {}, .turn = {relay().server()}, .relay_use = RelayUse::Only});
    ASSERT_TRUE(run_until([&] { return user.gathered(); }));
    EXPECT_TRUE(user.candidates().empty());
    EXPECT_TRUE(relay().was_asked());
}

// TURN-15
TEST_F(RelayUseTest, NeverAsksNoRelay) {
    IceAgent agent(loop(), false,
                   {.stun = {}, .turn = {relay().server()}, .relay_use = RelayUse::Never});
    EXPECT_FALSE(agent.path().add_relay(relay().server()));
    EXPECT_FALSE(
        agent.path().add_relay({.host = "127.0.0.1", .port = 9, .path = "/v1/server-relay"}));
    EXPECT_FALSE(agent.path().carriers().has_reserve());
    ASSERT_TRUE(run_until([&] { return agent.gathered(); }));
    EXPECT_FALSE(relay().was_asked(std::chrono::milliseconds(0)));
}

/// The other agent's checks get through, so a lack of routes is not the reason.
TEST_F(RelayUseTest, NeverGoesByNoRelayOfTheOtherSide) {
    for (const bool controlling : {true, false}) {
        IceAgent direct(loop(), controlling,
                        {.stun = {}, .turn = {}, .relay_use = RelayUse::Never});
        IceAgent other(loop(), !controlling);
        ASSERT_TRUE(direct.path().set_credentials(kOne, kOther));
        ASSERT_TRUE(other.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(run_until([&] { return direct.gathered() && other.gathered(); }));
        for (const auto &line : other.candidates()) {
            if (line.find(" UDP ") != std::string::npos) {
                direct.path().add_remote_candidate(as_relayed(line));
            }
        }
        direct.path().remote_candidates_done();
        for (const auto &line : direct.candidates()) {
            if (line.find(" UDP ") != std::string::npos) {
                other.path().add_remote_candidate(line);
            }
        }
        ASSERT_TRUE(run_until([&] { return other.path().ready(); }));
        const auto later = loop().now() + 500 * kMillisecond;
        ASSERT_TRUE(run_until([&] { return loop().now() >= later; }));
        EXPECT_FALSE(direct.path().ready());
    }
}

/// A check through a relay may arrive before its candidate, and none is read after the connection.
class UnknownAddress : public RelayUseTest {
protected:
    void SetUp() override {
        ASSERT_TRUE(one_.path().set_credentials(kOne, kOther));
        ASSERT_TRUE(other_.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(run_until([&] { return one_.gathered() && other_.gathered(); }));
        for (const auto &line : one_.candidates()) {
            if (line.find(" UDP ") != std::string::npos) {
                other_.path().add_remote_candidate(line);
            }
        }
        ASSERT_TRUE(run_until([&] { return one_.path().ready(); }));
    }
    Route::Kind kind() { return one_.path().carriers().route().kind; }

    IceAgent one_{loop(), true};
    IceAgent other_{loop(), false};
};

TEST_F(UnknownAddress, IsARelaysIfTheOtherSideUsesOnlyRelays) {
    EXPECT_NE(kind(), Route::Kind::Relay);
    one_.path().expect_relays();
    EXPECT_EQ(kind(), Route::Kind::Relay);
}

TEST_F(UnknownAddress, IsARelaysIfThisSideKnowsARelayThere) {
    const auto host = host_of(one_.path().carriers().route().remote);
    EXPECT_NE(kind(), Route::Kind::Relay);
    EXPECT_TRUE(one_.path().add_relay({.host = host, .port = 9}));
    EXPECT_EQ(kind(), Route::Kind::Relay);
}

TEST_F(RelayUseTest, NeverTakesAnUnknownAddressForDirectOnceNoMoreCandidatesCome) {
    IceAgent direct(loop(), true, {.stun = {}, .turn = {}, .relay_use = RelayUse::Never});
    IceAgent other(loop(), false);
    ASSERT_TRUE(direct.path().set_credentials(kOne, kOther));
    ASSERT_TRUE(other.path().set_credentials(kOther, kOne));
    ASSERT_TRUE(run_until([&] { return direct.gathered() && other.gathered(); }));
    for (const auto &line : direct.candidates()) {
        if (line.find(" UDP ") != std::string::npos) {
            other.path().add_remote_candidate(line);
        }
    }
    ASSERT_TRUE(run_until([&] { return other.path().ready(); }));
    EXPECT_FALSE(direct.path().ready());
    direct.path().remote_candidates_done();
    EXPECT_TRUE(run_until([&] { return direct.path().ready(); }));
    EXPECT_NE(direct.path().carriers().route().kind, Route::Kind::Relay);
}

} // namespace
} // namespace thru::test
