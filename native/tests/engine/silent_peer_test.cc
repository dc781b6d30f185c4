// A connected peer falls silent: in every state, the engine reports a stall or an end.
#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "engine/hostile/hostile_sender.h"
#include "engine/stall_watch.h"

namespace thru {
namespace {

void expect_stall(WatchedEngine &engine, StallReason reason) {
    engine.wait_for<StalledEvent>([&](const auto &stalled) { return stalled.reason == reason; });
}

TEST(SilentPeer, AReceiverThatNeverAsksEndsAtTheShare) {
    EnginePair pair;
    pair.write_source("first", 1);
    pair.write_source("second", 1);
    pair.share({(pair.source() / "first").string()});
    pair.sender.post(AddPeer{EnginePair::kShare, "r"});
    // Commands run in order: once the second file is counted, the peer has been added.
    pair.sender.post(AddItems{EnginePair::kShare, {{.path = (pair.source() / "second").string()}}});
    pair.sender.wait_for<ScanEvent>([](const auto &scan) { return scan.files == 2; });
    pair.sender.advance(60 * kSecond);
    const auto failed = pair.sender.wait_for<FailedEvent>();
    EXPECT_EQ(failed.peer, "r");
    EXPECT_EQ(failed.error.code, ErrorCode::PeerGone);
}

TEST(SilentPeer, AReceiverThatNeverShowsItsProofEndsAtTheShare) {
    EnginePair pair;
    pair.write_source("file", 1);
    pair.route("r", [](const std::string &) {});
    pair.start({(pair.source() / "file").string()});
    // The share's answer does not arrive.
    pair.sender.wait_for<SignalEvent>();
    pair.sender.advance(15 * kSecond);
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::PeerGone);
}

TEST(SilentPeer, AGrowingListIsReportedBeforeTheOffer) {
    HostileSenderTest sender;
    ManifestEncoder encoder;
    Bytes bytes;
    encoder.add({.path = "first", .size = 4, .mtime_ns = 1'000'000'000}, bytes);
    encoder.add({.path = "second", .size = 5, .mtime_ns = 1'000'000'000}, bytes);
    sender.manifest_bytes(std::move(bytes));
    const auto list =
        sender.receiver.wait_for<ScanEvent>([](const auto &scan) { return scan.files == 2; });
    EXPECT_EQ(list.bytes, 9U);
    EXPECT_FALSE(list.complete);
    EXPECT_EQ(sender.receiver.count<OfferEvent>(), 0U);
}

TEST(SilentPeer, ASilentSenderIsReportedAsANetworkStall) {
    HostileSenderTest sender;
    sender.offer({{.path = "file", .size = 4, .mtime_ns = 1'000'000'000}});
    sender.receiver.wait_for<OfferEvent>();
    sender.accept();
    sender.receiver.wait_for<AcceptedEvent>();
    sender.receiver.advance(StallWatch::kPatience);
    expect_stall(sender.receiver, StallReason::Network);
}

} // namespace
} // namespace thru
