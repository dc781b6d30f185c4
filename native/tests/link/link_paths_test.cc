// The path that a link left, and its lifetime. The connection runs in virtual time; the agents run
// on this computer without peers.
#include "link/link_paths.h"

#include <chrono>

#include <gtest/gtest.h>

#include "loop/event_loop.h"
#include "sim/bulk_line.h"
#include "support/patience.h"

namespace thru {
namespace {

struct Deaf final : IceListener, LinkPathsListener {
    void on_local_candidate(std::string_view) override {}
    void on_local_candidates_done() override {}
    void on_ice_ready() override {}
    void on_ice_failed() override {}
    void on_datagrams(ByteView, std::size_t, const Address &) override {}
    void on_writable() override {}
    void on_path_datagrams(ByteView, std::size_t, const PathId &) override {}
    void on_path_event() override {}
    void on_first_path_over() override { ++first_paths_over; }

    int first_paths_over = 0;
};

/// Ends the agents of later-declared members: they close on the loop.
struct AgentLoop : EventLoop {
    AgentLoop() { prepare_thread(); }
    ~AgentLoop() {
        const auto end =
            std::chrono::steady_clock::now() + test::patience(std::chrono::seconds(20));
        while (has_pending() && std::chrono::steady_clock::now() < end) {
            run_once(now() + kMillisecond);
        }
        EXPECT_FALSE(has_pending());
    }
};

/// A carrier that was found.
struct Way final : Carrier {
    explicit Way(CarrierKind carries_as) : which(carries_as) {}
    CarrierKind kind() const override { return which; }
    CarrierState state() const override { return CarrierState::Found; }
    void settle(bool) override {}
    Route route() const override {
        return {.kind =
                    which == CarrierKind::ServerRelay ? Route::Kind::Relay : Route::Kind::Local};
    }
    std::span<const std::uint16_t> datagram_bytes() const override { return kStreamDatagramBytes; }
    Address local() const override { return {}; }
    DatagramPath::Sent send(ByteView bytes, std::size_t, const PathId &) override {
        return {.bytes = bytes.size()};
    }

    CarrierKind which;
};

/// A sender whose connection the receiver has just moved to the path of a search.
struct Moving {
    Moving() {
        auto first = IcePath::create(loop, {}, true, deaf);
        EXPECT_TRUE(first);
        paths.begin_with(std::move(*first));
        paths.look(SecretKey(), line.pair.now());
        EXPECT_TRUE(paths.on_find_path({.search = 1}, sender, line.pair.now()));
        EXPECT_TRUE(line.pair.receiver().move_to(1, line.pair.now()));
        line.run(3);
    }

    sim::BulkLine line;
    sim::Line &direct = line.pair.add_line({});
    Connection &sender = line.pair.sender();
    AgentLoop loop;
    Deaf deaf;
    LinkPaths paths{loop, {.role = LinkRole::Sender}, deaf};
};

/// The same after the sender has followed.
struct Moved : Moving {
    Moved() { EXPECT_TRUE(paths.service(sender, line.pair.now())) << "the sender follows"; }
};

TEST(LinkPaths, APathThatTheConnectionHasMovedToOutlivesItsSearch) {
    Moving moving;
    auto &paths = moving.paths;
    const auto now = moving.line.pair.now();
    ASSERT_EQ(moving.sender.path_id().local, 1);
    // Both arrive in one turn: the move, and the message that begins another search.
    ASSERT_TRUE(paths.on_find_path({.search = 2}, moving.sender, now));
    EXPECT_TRUE(paths.service(moving.sender, now)) << "the sender follows";
    EXPECT_NE(paths.deadline(false), kNever) << "the path before stays meanwhile";
    EXPECT_FALSE(paths.service(moving.sender, now)) << "which is told once";
}

TEST(LinkPaths, SearchesOnlyWhileABrowserIsAtItsRelay) {
    AgentLoop loop;
    Deaf deaf;
    LinkPaths paths{loop, {.role = LinkRole::Sender}, deaf};
    auto first = IcePath::create(loop, {}, true, deaf);
    ASSERT_TRUE(first);
    auto &carriers = (*first)->carriers();
    const auto add = [&](CarrierKind kind) -> Way & {
        auto way = std::make_unique<Way>(kind);
        auto &added = *way;
        carriers.add(std::move(way));
        return added;
    };
    const Bytes datagram{0x40};
    carriers.listener().on_carrier_datagrams(add(CarrierKind::ServerRelay), datagram, 1, {});
    paths.begin_with(std::move(*first));
    paths.look(SecretKey(), 0);
    paths.on_network_change(0);
    EXPECT_EQ(paths.take_messages().size(), 1U) << "it requests a search";

    carriers.listener().on_carrier_changed(add(CarrierKind::WebTransport));
    ASSERT_TRUE(carriers.moved());
    paths.on_route_changed(kSecond);
    paths.on_network_change(60 * kSecond);
    EXPECT_TRUE(paths.take_messages().empty());
}

TEST(LinkPaths, ThePathBeforeStaysWithoutATimerWhileTheConnectionIsSilent) {
    Moved moved;
    auto &[line, direct, sender, loop, deaf, paths] = moved;
    const auto leaves_at = paths.deadline(false);
    EXPECT_GT(leaves_at, line.pair.now());
    EXPECT_NE(leaves_at, kNever);

    line.set_loss(1);
    direct.set_loss(1);
    line.run(20);
    ASSERT_TRUE(sender.silent());
    ASSERT_GT(line.pair.now(), leaves_at);
    EXPECT_FALSE(paths.service(sender, line.pair.now()));
    EXPECT_EQ(paths.deadline(true), kNever) << "nothing to do until it is heard";
    EXPECT_EQ(paths.deadline(false), leaves_at) << "the path before is still there";
    EXPECT_EQ(deaf.first_paths_over, 0);

    direct.set_loss(0);
    line.next_data();
    line.run(1);
    ASSERT_FALSE(sender.silent());
    EXPECT_FALSE(paths.service(sender, line.pair.now()));
    EXPECT_EQ(paths.deadline(false), kNever) << "it is gone";
    EXPECT_EQ(deaf.first_paths_over, 1) << "and routers are asked for its ports no longer";
}

} // namespace
} // namespace thru
