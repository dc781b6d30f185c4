#include "link/saved_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "sim/bulk_line.h"

namespace thru {
namespace {

class SavedPathsTest : public testing::Test {
protected:
    static constexpr SavedPath kPath{.window = 1 << 20, .round_trip = 100 * kMillisecond};
    static constexpr Timestamp kNow = 5 * kSecond;

    static SecretKey secret(std::uint8_t first) {
        SecretKey key;
        key.mutable_view().front() = first;
        return key;
    }
    SavedPathsTest() { paths.set_secret(secret(1)); }

    std::vector<PathSavedEvent> reported;
    LinkEventReport report = [this](LinkEvent event) {
        reported.push_back(std::get<PathSavedEvent>(event));
    };
    SavedPaths paths{report};
};

TEST_F(SavedPathsTest, OneConnectionAtATimeUsesAnEntry) {
    paths.save("home office", kPath, kNow);
    const auto taken = paths.take("home office", kNow);
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->path.window, kPath.window);
    EXPECT_EQ(taken->path.round_trip, kPath.round_trip);
    EXPECT_FALSE(paths.take("home office", kNow));
    paths.restore(*taken);
    EXPECT_TRUE(paths.take("home office", kNow));
}

TEST_F(SavedPathsTest, OtherNetworksAndInstallationsHaveOtherEntries) {
    paths.save("home office", kPath, kNow);
    EXPECT_FALSE(paths.take("cafe office", kNow));
    EXPECT_FALSE(paths.take("", kNow));
    paths.set_secret(secret(2));
    EXPECT_FALSE(paths.take("home office", kNow));
}

TEST_F(SavedPathsTest, NothingIsSavedWithoutNetworksOrSecret) {
    paths.save("", kPath, kNow);
    SavedPaths(report).save("home office", kPath, kNow);
    EXPECT_TRUE(reported.empty());
}

TEST_F(SavedPathsTest, AnEntryExpires) {
    paths.save("home office", kPath, kNow);
    EXPECT_EQ(reported.at(0).lifetime, SavedPaths::kLifetime);
    EXPECT_FALSE(paths.take("home office", kNow + SavedPaths::kLifetime));
}

TEST_F(SavedPathsTest, ALaterProgramUsesWhatWasReported) {
    paths.save("home office", kPath, kNow);
    const auto &event = reported.at(0);
    EXPECT_EQ(event.network.find("home"), std::string::npos);
    SavedPaths later(report);
    later.set_secret(secret(1));
    later.set({{.network = event.network,
                .path = {.window = event.window, .round_trip = event.round_trip},
                .until = kSecond}},
              kNow);
    EXPECT_TRUE(later.take("home office", kNow + kSecond - 1));
    later.set({{.network = event.network, .path = kPath, .until = kSecond}}, kNow);
    EXPECT_FALSE(later.take("home office", kNow + kSecond));
}

TEST_F(SavedPathsTest, TheOldestEntryMakesRoom) {
    for (std::size_t number = 0; number <= SavedPaths::kMax; ++number) {
        paths.save(std::to_string(number), kPath, kNow);
        paths.save(std::to_string(number), kPath, kNow);
    }
    EXPECT_FALSE(paths.take("0", kNow));
    EXPECT_TRUE(paths.take("1", kNow));
}

#ifdef NGTCP2_PATCHED_BY_THRUFLUX

TEST_F(SavedPathsTest, AConnectionBeginsWithWhatTheLastOneMeasured) {
    PathResumption first(paths);
    sim::BulkLine line;
    first.begin(line.pair.sender(), "home office", line.pair.now());
    line.run(1);
    first.end(line.pair.now());
    first.end(line.pair.now());
    ASSERT_EQ(reported.size(), 1U);
    EXPECT_GT(reported[0].window, 0U);

    sim::BulkSender sender;
    sim::CountingReceiver receiver;
    PathResumption second(paths);
    sim::Pair pair({.one_way_delay = 20 * kMillisecond}, sender, receiver);
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    ASSERT_TRUE(pair.run_until([&] { return pair.sender().established(); }));
    second.begin(pair.sender(), "home office", pair.now());
    EXPECT_FALSE(paths.take("home office", pair.now()));
    pair.run_until(
        [&] {
            sender.pump();
            return false;
        },
        0.5);
    EXPECT_EQ(pair.sender().statistics(pair.now()).careful_resume, CarefulResume::Jumped);
}

TEST_F(SavedPathsTest, AnUnusedEntryIsKept) {
    paths.save("home office", kPath, kNow);
    sim::BulkSender sender;
    sim::CountingReceiver receiver;
    sim::Pair pair({}, sender, receiver);
    receiver.connection = &pair.receiver();
    ASSERT_TRUE(pair.run_until([&] { return pair.sender().established(); }));
    PathResumption resumption(paths);
    resumption.begin(pair.sender(), "home office", kNow);
    EXPECT_FALSE(paths.take("home office", kNow));
    resumption.end(kNow);
    EXPECT_TRUE(paths.take("home office", kNow));
    EXPECT_EQ(reported.size(), 1U);
}

#endif

} // namespace
} // namespace thru
