// Connection settings that users choose, and how they are reported.
#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"

namespace thru {
namespace {

TEST(EngineTransport, TheSmallestSizesCarryLargeAndManyFiles) {
    EnginePair pair;
    pair.write_source("large.bin", 100'000'000);
    for (int index = 0; index < 300; ++index) {
        pair.write_source("small/" + std::to_string(index), 100'000);
    }
    const SetTransport smallest{{.connection_window = 1, .socket_buffers = 1}};
    pair.sender.post(smallest);
    pair.receiver.post(smallest);
    pair.start({pair.source().string()});
    const auto connected = pair.receiver.wait_for<ConnectedEvent>();
    EXPECT_GE(connected.route.buffers.receive, Transport::kMinSocketBuffers / 2);
    EXPECT_LE(connected.route.buffers.receive, 2 * Transport::kMinSocketBuffers);
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 301U);
    EXPECT_EQ(finished.problems, 0U);
}

TEST(EngineTransport, AReceiverTellsItsSenderWhetherToLeaveRoomAlsoInMidTransfer) {
    HostileSenderTest sender;
    sender.receiver.post(SetBackground{true});
    EXPECT_EQ(sender.wait_for<Background>().enabled, Background::Enabled::Yes);
    sender.offer({file("a.txt")});
    sender.receiver.wait_for<OfferEvent>();
    sender.accept();
    sender.wait_for<Request>();
    sender.receiver.post(SetBackground{false});
    sender.wait_for<Background>(
        [](const Background &background) { return background.enabled == Background::Enabled::No; });
}

TEST(EngineTransport, SizesStayWithinTheirBounds) {
    EXPECT_EQ(Transport{}.connection(), kConnectionWindow);
    EXPECT_EQ(Transport{}.max_connection(), kMaxConnectionWindow);
    const Transport set{.connection_window = 100 << 20};
    EXPECT_EQ(set.max_connection(), set.connection()) << "a size that is set is fixed";
    EXPECT_EQ(Transport{}.sockets(), kSocketBufferBytes);
    const Transport least{.connection_window = 1, .socket_buffers = 1};
    EXPECT_EQ(least.connection(), Transport::kMinChosenWindow);
    EXPECT_EQ(least.sockets(), static_cast<int>(Transport::kMinSocketBuffers));
    constexpr std::uint64_t kHuge = 1ULL << 50;
    const Transport most{.connection_window = kHuge, .socket_buffers = kHuge};
    EXPECT_EQ(most.connection(), Transport::kMaxChosenWindow);
    EXPECT_EQ(most.sockets(), static_cast<int>(Transport::kMaxSocketBuffers));
}

} // namespace
} // namespace thru
