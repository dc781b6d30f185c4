// Preparing an offer step by step, with other operations on the folder in between.
#include <filesystem>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "support/prepare_folder.h"
#include "target/local_transfer.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

TEST(Preparation, LetsRoundsComeBetweenItsSteps) {
    const TemporaryFolder target;
    const auto manifest = manifest_of({file("first", 2)});
    const auto received = open_in(target.path(), manifest);
    for (int more = 0; more < 20'000; ++more) {
        ASSERT_TRUE(manifest->add(file("more/" + std::to_string(more), 1)));
    }
    received->begin_preparation(1, manifest->size(), {});
    auto prepared = received->prepare_some();
    ASSERT_TRUE(prepared && !*prepared);
    EXPECT_EQ(receive(received, {{0, 0, 2}}, "ab").published.size(), 1U);
    EXPECT_TRUE(snapshot(target.path()).contains("first"));
    std::size_t steps = 1;
    while (prepared && !*prepared) {
        prepared = received->prepare_some();
        ++steps;
    }
    ASSERT_TRUE(prepared);
    EXPECT_GT(steps, 5U);
    EXPECT_TRUE((*prepared)->failures.empty());
    EXPECT_EQ(receive(received, {{5, 0, 1}}, "c").published.size(), 1U);
}

TEST(Preparation, ReadsLargeFilesInSeveralSteps) {
    const TemporaryFolder target;
    constexpr std::uint64_t kSize = 200ULL << 20;
    test::write_file(target / "image", "");
    std::filesystem::resize_file(target / "image", kSize);
    const auto manifest = manifest_of({file("small", 2)});
    const auto received = open_in(target.path(), manifest, {.compare_content = true});
    ASSERT_TRUE(manifest->add(file("image", kSize)));
    received->begin_preparation(1, 2, {});
    auto prepared = received->prepare_some();
    ASSERT_TRUE(prepared && !*prepared);
    EXPECT_EQ(receive(received, {{0, 0, 2}}, "ab").published.size(), 1U);
    for (int steps = 0; prepared && !*prepared; ++steps) {
        ASSERT_LT(steps, 20);
        prepared = received->prepare_some();
    }
    ASSERT_TRUE(prepared);
    ASSERT_EQ((*prepared)->have.size(), 1U);
    EXPECT_EQ((*prepared)->have[0].offset, kSize);
}

TEST(Preparation, IsGivenUpWhenTheTransferIsInterrupted) {
    const TemporaryFolder target;
    const auto manifest = manifest_of({file("first", 2)});
    {
        const auto received = open_in(target.path(), manifest);
        ASSERT_TRUE(write_segment(received, segment_stream({{0, 0, 1}}, "a")).whole());
        for (int more = 0; more < 10'000; ++more) {
            ASSERT_TRUE(manifest->add(file("more/" + std::to_string(more), 1)));
        }
        received->begin_preparation(1, manifest->size(), {});
        ASSERT_TRUE(received->prepare_some());
        received->suspend();
    }
    const auto again = ReceiveFolder::open(target.path().string(), manifest, {}, {.share = {1}});
    ASSERT_TRUE(again);
    const auto prepared = test::prepare(**again, 0, manifest->size(), {});
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->resumed_bytes, 1U);
}

TEST(Preparation, WhatWasTakenOutBeforeItCameHasNoPlace) {
    const TemporaryFolder target;
    const auto manifest = manifest_of({file("a", 1), file("b", 1)});
    const auto received =
        ReceiveFolder::open(target.path().string(), manifest, {}, {.share = {1}}).value();
    received->drop({{1, 1}});
    ASSERT_TRUE(test::prepare(*received, 0, 2, {{1, 1}}));
    // The user selects it again, and a faulty sender sends it.
    received->want({{1, 1}});
    const auto written = write_segment(received, segment_stream({{0, 0, 1}, {1, 0, 1}}, "ab"));
    EXPECT_TRUE(written.whole());
    received->add_complete({0});
    EXPECT_EQ(received->commit().published.size(), 1U);
    EXPECT_TRUE(received->finish());
    EXPECT_EQ(snapshot(target.path()), (std::map<std::string, std::string>{{"a", "a"}}));
}

} // namespace
} // namespace thru::test
