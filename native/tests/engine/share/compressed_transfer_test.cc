// Compressed segments between both real ends of a transfer, in virtual time.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "engine/folder_link.h"
#include "engine/source_end.h"
#include "fs/disk.h"

namespace thru::test {
namespace {

/// Lines like those of a log: a fourth of their size when compressed.
std::string log_text(std::size_t size, int seed) {
    std::string text;
    for (int line = seed; text.size() < size; ++line) {
        text += "at line " + std::to_string(std::int64_t{line} * 7919 % 100'003) + " of the file\n";
    }
    text.resize(size);
    return text;
}

struct CompressedTransfer : testing::Test {
    void begin(const ConnectionSettings &settings = {},
               const sim::LinkConfig &link = sim::link_of(40, 5)) {
        sending = std::make_unique<SourceEnd>(source.path().string());
        receiving = std::make_unique<FolderEnd>(target.path());
        pair.emplace(link, *sending, *receiving, settings);
        sending->attach(pair->sender());
        receiving->attach(pair->receiver());
    }
    template <class Condition> bool run_until(Condition done, double seconds = 600) {
        return pair->run_until(
            [&] {
                sending->pump();
                receiving->pump(pair->now());
                return done() || receiving->failure().has_value();
            },
            seconds);
    }
    void expect_finished() {
        ASSERT_TRUE(run_until([&] { return receiving->finished().has_value(); }));
        ASSERT_FALSE(receiving->failure()) << receiving->failure()->detail;
        EXPECT_EQ(test::snapshot(target / source.path().filename().string()),
                  test::snapshot(source.path()));
        EXPECT_EQ(pair->receiver().unconsumed_bytes(), 0U);
        EXPECT_EQ(sending->transfer().saved(), receiving->transfer().saved());
    }
    void write_texts() {
        for (int file = 0; file < 200; ++file) {
            const auto name = "many/" + std::to_string(file) + ".txt";
            test::write_file(source / name,
                             log_text(10'000 + static_cast<std::size_t>(file), file));
        }
        test::write_file(source / "one.txt", log_text(kOne, 1));
    }
    std::uint64_t sent() { return pair->to_receiver().bytes_sent(); }

    static constexpr std::size_t kOne = 9 << 20;
    static constexpr std::size_t kTexts = kOne + 2'000'000;
    TemporaryFolder source;
    TemporaryFolder target;
    std::unique_ptr<SourceEnd> sending;
    std::unique_ptr<FolderEnd> receiving;
    std::optional<sim::Pair> pair;
};

TEST_F(CompressedTransfer, SendsTextsInLessThanHalfOfTheirBytes) {
    write_texts();
    begin();
    expect_finished();
    EXPECT_LT(sent(), kTexts / 2);
    EXPECT_GT(sending->transfer().saved(), kTexts / 2);
    EXPECT_GE(receiving->transfer().totals().bytes, kTexts);
    EXPECT_GE(sending->transfer().transferred(), kTexts);
    EXPECT_GE(receiving->transfer().transferred(), kTexts);
}

TEST_F(CompressedTransfer, PrefetchesCompressed) {
    write_texts();
    begin();
    receiving->accept_by([](ReceiveTransfer &) {});
    receiving->transfer().prefetch();
    ASSERT_TRUE(run_until([&] { return sending->transfer().saved() > 1 << 20; }));
    run_until([] { return false; }, 5);
    receiving->transfer().accept(target.path().string(), {}, *Selection::parse({}), std::nullopt);
    expect_finished();
    EXPECT_LT(sent(), kTexts / 2);
}

TEST_F(CompressedTransfer, SendsNoiseAsItIs) {
    constexpr std::size_t kBytes = 10 << 20;
    test::write_file(source / "noise", test::noise(kBytes, 1));
    begin();
    expect_finished();
    EXPECT_EQ(sending->transfer().saved(), 0U);
    EXPECT_LT(sent(), kBytes + kBytes / 16);
}

TEST_F(CompressedTransfer, CompressesWhatFollowsNoise) {
    constexpr std::size_t kBytes = 3 << 20;
    test::write_file(source / "a noise", test::noise(kBytes, 1));
    test::write_file(source / "b text", log_text(kBytes, 1));
    begin();
    expect_finished();
    EXPECT_GT(sending->transfer().saved(), kBytes / 4);
}

TEST_F(CompressedTransfer, CompressesNothingOnALocalNetwork) {
    write_texts();
    begin({.cubic_up_to = kLocalRoundTrip}, sim::link_of(0.5, 100));
    expect_finished();
    EXPECT_EQ(sending->transfer().saved(), 0U);
    EXPECT_GT(sent(), kTexts);
}

TEST_F(CompressedTransfer, CompressesOnALongPathThatLooksLocal) {
    write_texts();
    begin({.cubic_up_to = kLocalRoundTrip});
    expect_finished();
    EXPECT_LT(sent(), kTexts / 2);
}

TEST_F(CompressedTransfer, ASlowPathShowsProgressEverySecond) {
    constexpr std::size_t kFile = 700'000;
    test::write_file(source / "noise", test::noise(kFile, 1));
    test::write_file(source / "text", log_text(kFile, 1));
    begin({}, sim::link_of(40, 0.3, 20));
    const auto totals = [&] { return receiving->transfer().totals(); };
    ASSERT_TRUE(run_until([&] { return totals().bytes > 0; }));
    EXPECT_LT(totals().bytes, kChunkBytes / 2);
    for (auto before = totals().bytes;
         !run_until([&] { return receiving->finished().has_value(); }, 1);
         before = totals().bytes) {
        ASSERT_GT(totals().bytes, before);
    }
    expect_finished();
}

TEST_F(CompressedTransfer, ADiskThatTakesNothingHoldsBackTheCreditOfCompressedBytes) {
    constexpr std::size_t kFile = 30 << 20;
    test::write_file(source / "text", log_text(kFile, 1));
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->transfer().totals().bytes > 1 << 20; }));
    receiving->hold_disk();
    run_until([] { return false; }, 5);
    EXPECT_GT(pair->receiver().unconsumed_bytes(), 1 << 20);
    EXPECT_FALSE(receiving->finished());
    receiving->release_disk();
    expect_finished();
}

TEST_F(CompressedTransfer, AFileThatChangesMeanwhileFailsAlone) {
    write_texts();
    begin();
    ASSERT_TRUE(run_until([&] { return receiving->accepted().has_value(); }));
    sending->hold_disk();
    test::make_old(source / "one.txt");
    sending->release_disk();
    ASSERT_TRUE(run_until([&] { return receiving->finished().has_value(); }));
    EXPECT_EQ(receiving->finished()->problems, 1U);
    EXPECT_EQ(receiving->finished()->files, 200U);
    EXPECT_EQ(pair->receiver().unconsumed_bytes(), 0U);
}

} // namespace
} // namespace thru::test
