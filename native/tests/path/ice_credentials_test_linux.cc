// ICE passwords must not stay in memory.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "crypto/random.h"
#include "pairing/pairing_ends.h"
#include "path/ice_path.h"
#include "support/own_memory_linux.h"

#ifndef THRU_SANITIZED

namespace thru::test {
namespace {

struct Unheard final : IceListener {
    void on_local_candidate(std::string_view) override {}
    void on_local_candidates_done() override {}
    void on_ice_ready() override {}
    void on_ice_failed() override {}
    void on_datagrams(ByteView, std::size_t, const Address &) override {}
    void on_writable() override {}
};

IceCredentials random_credentials() {
    SecretBytes<16> bytes;
    random_bytes(bytes.mutable_view());
    auto digits = hex_digits(bytes.view());
    IceCredentials drawn{.ufrag = "0badcafe", .pwd = SecretText(digits)};
    wipe(digits);
    return drawn;
}

TEST(IceCredentials, AreNowhereInMemoryWhenThePairingHasHandedThemOver) {
    test::Ends ends;
    ASSERT_TRUE(ends.to_sender());
    auto keyed = ends.to_receiver();
    ASSERT_NE(test::find_event<PairingKeyed>(keyed), nullptr);
    const SoughtText own(test::find_event<PairingKeyed>(keyed)->own.pwd.view());
    const SoughtText peers(test::find_event<PairingKeyed>(keyed)->peer.pwd.view());
    EXPECT_TRUE(own.is_in_memory() && peers.is_in_memory());
    ASSERT_TRUE(ends.to_sender());
    keyed->clear();
    EXPECT_FALSE(own.is_in_memory());
    EXPECT_FALSE(peers.is_in_memory());
}

TEST(IceCredentials, AreNowhereInMemoryWhenTheirAgentIsGone) {
    EventLoop loop;
    loop.prepare_thread();
    Unheard unheard;
    auto path = IcePath::create(loop, {}, true, unheard).value();
    ASSERT_TRUE(path->gather());
    auto own = random_credentials();
    auto peers = random_credentials();
    ASSERT_TRUE(path->set_credentials(own, peers));
    const SoughtText sought_own(own.pwd.view());
    const SoughtText sought_peers(peers.pwd.view());
    own = {};
    peers = {};
    EXPECT_TRUE(sought_own.is_in_memory() && sought_peers.is_in_memory()) << "the agent has them";
    path.reset();
    while (loop.has_pending()) {
        loop.run_once(loop.now() + kSecond);
    }
    EXPECT_FALSE(sought_own.is_in_memory());
    EXPECT_FALSE(sought_peers.is_in_memory());
}

} // namespace
} // namespace thru::test

#endif
