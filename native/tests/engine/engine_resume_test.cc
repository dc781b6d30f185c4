// Transfers interrupted and resumed by the receiver, by the sender, or with a changed share.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"

namespace thru {
namespace {

constexpr std::uint64_t kBigBytes = 200'000'000;
/// More than a window beyond 8 MB: segments that are under way then are lost.
constexpr std::uint64_t kInterruptedAt = 80'000'000;

/// Lets some data arrive, then ends the receive.
void interrupt_midway(EnginePair &pair) {
    pair.sender.post(SetLimits{40'000'000, 0});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > kInterruptedAt; });
    pair.receiver.post(EndSession{EnginePair::kReceive});
    pair.sender.wait_for<FailedEvent>();
    pair.sender.post(SetLimits{0, 0});
}

TEST(EngineResume, AnInterruptedTransferResumesWhereItStopped) {
    EnginePair pair;
    pair.write_source("big.bin", kBigBytes);
    pair.write_source("small.txt", 100);
    pair.start({pair.source().string()});
    interrupt_midway(pair);

    pair.join(3, "again");
    pair.receiver.wait_for<OfferEvent>([](const OfferEvent &event) { return event.session == 3; });
    pair.accept({}, {}, 3);
    const auto accepted = pair.receiver.wait_for<AcceptedEvent>(
        [](const AcceptedEvent &event) { return event.session == 3; });
    EXPECT_GT(accepted.resumed_bytes, 8'000'000U);
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 2U);
    EXPECT_LT(finished.transferred, kBigBytes - 8'000'000);
    EXPECT_TRUE(pair.same_trees(pair.source()));
}

TEST(EngineResume, WhatWasLeftCanBeDeleted) {
    EnginePair pair;
    pair.write_source("big.bin", kBigBytes);
    pair.start({pair.source().string()});
    interrupt_midway(pair);
    const auto deleted_of = [&pair](SessionNumber session, std::vector<WireId> kept) {
        pair.receiver.post(DeletePartial{session, pair.target().string(), std::move(kept)});
        const auto deleted = pair.receiver.wait_for<PartialDeletedEvent>(
            [session](const PartialDeletedEvent &event) { return event.session == session; });
        EXPECT_FALSE(deleted.error);
        return deleted.files;
    };
    EXPECT_EQ(deleted_of(8, {{4, 5, 6}, {1, 2, 3}}), 0U) << "other unfinished receives keep theirs";
    EXPECT_EQ(deleted_of(9, {{4, 5, 6}}), 1U);
    for (const auto &entry : std::filesystem::recursive_directory_iterator(pair.target())) {
        EXPECT_TRUE(entry.is_directory()) << entry.path();
    }
}

} // namespace
} // namespace thru
