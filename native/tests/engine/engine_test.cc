// The engine as its users see it: shares, receives, and every way they can end.
#include "engine/engine.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "engine/event_buffer.h"
#include "engine/share/share_session.h"
#include "pairing/pairing.h"
#include "support/latch.h"

namespace thru {
namespace {

TEST(Engine, AFolderArrivesByteIdentical) {
    EnginePair pair;
    pair.write_source("big.bin", 20'000'000);
    pair.write_source("nested/deep/small.txt", 17);
    pair.write_source("nested/empty.bin", 0);
    pair.write_source("\xed\x95\x9c\xea\xb8\x80.txt", 100);
    std::filesystem::create_directories(pair.source() / "empty folder");
    pair.start({pair.source().string()});
    const auto offer = pair.receiver.wait_for<OfferEvent>();
    EXPECT_EQ(offer.files, 4U);
    EXPECT_EQ(offer.bytes, 20'000'117U);
    ASSERT_EQ(offer.items.size(), 1U);
    EXPECT_EQ(offer.items.front().top.name, "source");
    EXPECT_FALSE(std::filesystem::exists(pair.target())) << "written before it was accepted";
    pair.accept();
    const auto received = pair.receiver.wait_for<FinishedEvent>();
    const auto sent = pair.sender.wait_for<FinishedEvent>();
    EXPECT_EQ(received.files, 4U);
    EXPECT_EQ(sent.files, 4U);
    EXPECT_EQ(received.problems, 0U);
    EXPECT_TRUE(pair.same_trees(pair.source()));
    EXPECT_EQ(pair.receiver.wait_for<GreetedEvent>().name, "Mina");
    EXPECT_EQ(pair.sender.wait_for<GreetedEvent>().name, "Jonas");
}

TEST(Engine, BothEndsTellHowTheirConnectionGotOnBeforeTheySayHowItEnded) {
    EnginePair pair;
    pair.write_source("big.bin", 20'000'000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    pair.receiver.wait_for<FinishedEvent>();
    pair.sender.wait_for<FinishedEvent>();
    const auto of_all = [](const StatisticsEvent &event) {
        return event.statistics.bytes_sent + event.statistics.bytes_received > 20'000'000;
    };
    const auto sent = pair.sender.wait_for<StatisticsEvent>(of_all);
    EXPECT_EQ(sent.peer, "r");
    EXPECT_GT(sent.statistics.smoothed_rtt, 0U);
    EXPECT_GT(sent.statistics.handshake, 0U);
    EXPECT_GE(sent.statistics.datagram_bytes, 1200U);
    const auto received = pair.receiver.wait_for<StatisticsEvent>(of_all);
    EXPECT_GT(received.statistics.packets_received, 20'000'000U / sent.statistics.datagram_bytes);
    // The transfer is short, so counters don't follow every progress event.
    EXPECT_LE(pair.sender.count<StatisticsEvent>(), 3 + pair.sender.count<ProgressEvent>() / 5);
}

TEST(Engine, UnreadablePathsAreReportedAndTheRestIsOffered) {
    EnginePair pair;
    pair.write_source("here.bin", 1000);
    pair.start({(pair.source() / "here.bin").string(), (pair.source() / "gone.bin").string()});
    const auto problem = pair.sender.wait_for<ItemProblemEvent>();
    EXPECT_EQ(problem.error.code, ErrorCode::PathNotFound);
    EXPECT_TRUE(problem.path.ends_with("gone.bin"));
    EXPECT_EQ(pair.receiver.wait_for<OfferEvent>().files, 1U);
    pair.accept();
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 1U);
}

TEST(Engine, AShareOfNothingFails) {
    EnginePair pair;
    pair.sender.post(OpenShare{.session = EnginePair::kShare,
                               .items = {{.path = (pair.source() / "gone").string()}},
                               .name = "Mina"});
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::NothingToSend);
}

TEST(Engine, AnUnansweredRequestTimesOut) {
    EnginePair pair;
    pair.receiver.post(OpenReceive{.session = EnginePair::kReceive,
                                   .nameplate = EnginePair::kNameplate,
                                   .secret = ByWords{EnginePair::kWords},
                                   .peer = "s",
                                   .name = "Jonas"});
    pair.receiver.wait_for<SignalEvent>();
    pair.receiver.advance(44 * kSecond);
    EXPECT_EQ(pair.receiver.count<FailedEvent>(), 0U);
    pair.receiver.advance(kSecond);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerGone);
}

TEST(Engine, DecliningIsReportedToTheSender) {
    EnginePair pair;
    pair.write_source("a.bin", 1000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.receiver.post(EndSession{EnginePair::kReceive});
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::Declined);
    EXPECT_FALSE(std::filesystem::exists(pair.target()));
}

TEST(Engine, StoppingTheShareEndsTheReceiveAndLeavesNoPartFilesUnlessWanted) {
    EnginePair pair;
    pair.write_source("big.bin", 400'000'000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept({.resume = false});
    pair.receiver.wait_for<ProgressEvent>();
    pair.sender.post(EndSession{EnginePair::kShare});
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::Stopped);
    pair.receiver.close();
    for (const auto &entry : std::filesystem::recursive_directory_iterator(pair.target())) {
        EXPECT_TRUE(entry.is_directory()) << entry.path();
    }
}

TEST(Engine, FilesThatSharedASegmentWithAChangedOneStillArrive) {
    EnginePair pair;
    for (int index = 0; index < 40; ++index) {
        pair.write_source(std::to_string(index), 150'000, static_cast<std::uint32_t>(index));
    }
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    for (const auto *changed : {"7", "20", "33"}) {
        std::filesystem::resize_file(pair.source() / changed, 100);
    }
    pair.accept();
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 37U);
    EXPECT_EQ(finished.problems, 3U);
    EXPECT_EQ(pair.receiver.wait_for<ItemProblemEvent>().error.code, ErrorCode::SourceChanged);
    for (const auto *changed : {"7", "20", "33"}) {
        std::filesystem::remove(pair.source() / changed);
    }
    EXPECT_TRUE(pair.same_trees(pair.source()));
}

TEST(Engine, ATargetThatIsAFileIsRefused) {
    EnginePair pair;
    pair.write_source("a.bin", 5000);
    std::ofstream(pair.target()) << "not a folder";
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::TargetNotWritable);
}

/// Closing must be safe at every stage of the work.
class EngineClosing : public ::testing::TestWithParam<int> {};

TEST_P(EngineClosing, IsSafeAtEveryStage) {
    EnginePair pair;
    pair.write_source("big.bin", 60'000'000);
    for (int index = 0; index < 300; ++index) {
        pair.write_source("many/" + std::to_string(index), 100);
    }
    const auto stage = GetParam();
    if (stage >= 1) {
        pair.start({pair.source().string()});
    }
    if (stage >= 2) {
        pair.receiver.wait_for<PairingDoneEvent>();
    }
    if (stage >= 3) {
        pair.sender.wait_for<ConnectedEvent>();
    }
    if (stage >= 4) {
        pair.receiver.wait_for<OfferEvent>();
        pair.accept();
        pair.sender.wait_for<AcceptedEvent>();
    }
    if (stage >= 5) {
        pair.receiver.wait_for<ProgressEvent>();
    }
    pair.sender.close();
    pair.sender.close();
    EXPECT_EQ(pair.sender.engine().post(EndSession{1}).error().code, ErrorCode::EngineClosed);
    pair.receiver.close();
}

INSTANTIATE_TEST_SUITE_P(Stages, EngineClosing, ::testing::Range(0, 6));

TEST(Engine, AFloodOfCommandsIsRefusedNotQueuedWithoutEnd) {
    // Blocks the network thread, so that nothing leaves the queue.
    test::Latch reached{1};
    test::Latch held{1};
    Engine engine([&] {
        reached.count_down();
        held.wait();
    });
    ASSERT_TRUE(engine.post(OpenReceive{.session = 1,
                                        .nameplate = "4821",
                                        .secret = ByWords{"no such words"},
                                        .peer = "s",
                                        .name = "Jonas"}));
    reached.wait();
    std::size_t accepted = 0;
    while (accepted <= 2 * kMaxQueuedCommands && engine.post(EndSession{9})) {
        ++accepted;
    }
    const auto refused = engine.post(EndSession{9});
    held.count_down();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::EngineBusy);
    EXPECT_EQ(accepted, kMaxQueuedCommands);
}

TEST(EventBuffer, KeepsTheOrderAndOnlyTheLatestCounter) {
    int woken = 0;
    EventBuffer buffer([&] { ++woken; });
    buffer.push(ProgressEvent{.session = 1, .peer = "a", .bytes = 1});
    buffer.push(AcceptedEvent{.session = 1, .peer = "a"});
    buffer.push(ProgressEvent{.session = 1, .peer = "a", .bytes = 2});
    buffer.push(ProgressEvent{.session = 1, .peer = "b", .bytes = 3});
    buffer.push(FinishedEvent{.session = 1, .peer = "a"});
    EXPECT_EQ(woken, 1);
    const auto events = buffer.take();
    ASSERT_EQ(events.size(), 4U);
    EXPECT_EQ(std::get<ProgressEvent>(events[0]).bytes, 2U);
    EXPECT_TRUE(std::holds_alternative<AcceptedEvent>(events[1]));
    EXPECT_EQ(std::get<ProgressEvent>(events[2]).bytes, 3U);
    EXPECT_TRUE(std::holds_alternative<FinishedEvent>(events[3]));
    EXPECT_TRUE(buffer.take().empty());
    buffer.push(AcceptedEvent{});
    EXPECT_EQ(woken, 2);
}

} // namespace
} // namespace thru
