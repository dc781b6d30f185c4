// Data that arrives before its offer is accepted: in memory, and nowhere else.
#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/folder_link.h"
#include "engine/hostile/hostile_messages.h"
#include "engine/hostile/hostile_sender.h"
#include "engine/hostile/hostile_share.h"
#include "fs/disk.h"
#include "support/segments.h"

namespace thru::test {
namespace {

constexpr double kReading = 5;

/// A share whose offer a user reads for a while, over a simulated link into a real folder.
class PrefetchedIntoFolder : public testing::Test, protected test::FolderLink {
protected:
    /// Connects, and reads the offer.
    void read_offer(std::shared_ptr<ManifestTable> manifest, bool prefetch = true,
                    std::set<std::uint64_t> unreadable = {}) {
        begin(std::move(manifest), target_.path(), {}, std::move(unreadable));
        read_on(prefetch);
    }
    void read_on(bool prefetch = true) {
        receiving_->accept_by([](ReceiveTransfer &) {});
        const auto offers = receiving_->offers();
        if (prefetch) {
            receiving_->transfer().prefetch();
        }
        ASSERT_TRUE(run_until([&] { return receiving_->offers() > offers; }));
        run_until([] { return false; }, kReading);
        ASSERT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
    }
    void accept(const SelectionText &wanted = {}) {
        receiving_->transfer().accept(target_.path().string(), {}, *Selection::parse(wanted),
                                      std::nullopt);
    }
    void expect_finished(std::uint64_t files) {
        ASSERT_TRUE(run_until([&] { return receiving_->finished() && sending_->finished(); }));
        ASSERT_FALSE(receiving_->failure()) << receiving_->failure()->detail;
        EXPECT_EQ(receiving_->finished()->files, files);
        for (std::uint64_t index = 0; index < manifest_->size(); ++index) {
            const auto path = target_ / manifest_->path(index);
            if (std::filesystem::exists(path)) {
                const auto content = test::read_file(path);
                const auto right = sim::content_of(index, 0, manifest_->file_size(index));
                EXPECT_TRUE(std::ranges::equal(as_bytes(content), ByteView(right)));
            }
        }
        EXPECT_EQ(snapshot(target_.path()).size(), files);
    }
    /// Seconds between accepting a file of this size and its end.
    double seconds_after_accept(double round_trip_ms, double megabits, std::uint64_t bytes,
                                bool prefetch) {
        link_ = sim::link_of(round_trip_ms, megabits);
        read_offer(test::files_of(1, bytes), prefetch);
        const auto accepted = pair_->now();
        accept();
        expect_finished(1);
        std::filesystem::remove(target_ / "f0");
        return static_cast<double>(pair_->now() - accepted) / 1e9;
    }

    TemporaryFolder target_;
};

TEST_F(PrefetchedIntoFolder, StaysInMemoryUntilItIsAccepted) {
    read_offer(test::files_of(3, 20 * kMiB));
    EXPECT_EQ(sending_->sent(), 8 * kMiB);
    EXPECT_GT(pair_->to_receiver().bytes_sent(), 8 * kMiB);
    EXPECT_LT(pair_->to_receiver().bytes_sent(), 9 * kMiB);
    EXPECT_GE(pair_->receiver().unconsumed_bytes(), 8 * kMiB); // counts against the window
    EXPECT_EQ(receiving_->transfer().transferred(), 0U);
    EXPECT_TRUE(snapshot(target_.path()).empty());
    receiving_->drop_transfer();
    receiving_->finish_disk();
    EXPECT_TRUE(snapshot(target_.path()).empty());
}

TEST_F(PrefetchedIntoFolder, IsUsedAndNotSentAgain) {
    read_offer(test::files_of(3, 20 * kMiB));
    sending_->sender().pause();
    accept();
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().transferred() >= 8 * kMiB; }));
    EXPECT_EQ(receiving_->transfer().totals().bytes, 8 * kMiB);
    sending_->sender().resume();
    expect_finished(3);
    EXPECT_EQ(sending_->sent(), 60 * kMiB);
    EXPECT_EQ(receiving_->transfer().totals().bytes, 60 * kMiB);
    EXPECT_EQ(pair_->receiver().unconsumed_bytes(), 0U);
}

TEST_F(PrefetchedIntoFolder, OfSmallFilesIsABatch) {
    read_offer(test::files_of(100, 50'000));
    EXPECT_EQ(sending_->sent(), 5'000'000U);
    accept();
    expect_finished(100);
    EXPECT_EQ(sending_->sent(), 5'000'000U);
}

TEST_F(PrefetchedIntoFolder, ArrivesAfterAcceptingToo) {
    link_.rate = 1e6; // 8 MiB take longer than the user
    read_offer(test::files_of(2, 6 * kMiB));
    accept();
    expect_finished(2);
    EXPECT_EQ(sending_->sent(), 12 * kMiB);
}

TEST_F(PrefetchedIntoFolder, IsDroppedWhenOtherFilesAreChosen) {
    read_offer(test::files_of(4, 3 * kMiB));
    accept({.only = {"f3"}});
    expect_finished(1);
    EXPECT_EQ(sending_->sent(), 11 * kMiB);
    EXPECT_TRUE(std::filesystem::exists(target_ / "f3"));
}

TEST_F(PrefetchedIntoFolder, OfAChosenFileIsUsedWithoutTheRestOfItsBatch) {
    read_offer(test::files_of(4, 2 * kMiB));
    accept({.only = {"f1", "f3"}});
    expect_finished(2);
    EXPECT_EQ(sending_->sent(), 8 * kMiB);
}

TEST_F(PrefetchedIntoFolder, IsDroppedForAFileThatResumes) {
    begin(test::files_of(1, 24 * kMiB), target_.path());
    ASSERT_TRUE(run_until([this] { return receiving_->transfer().totals().bytes > 12 * kMiB; }));
    receiving_->drop_transfer();
    receiving_->finish_disk();
    connect();
    read_on();
    EXPECT_EQ(sending_->sent(), 8 * kMiB);
    accept();
    expect_finished(1);
    // This sender shows no origin and confirms nothing: the file starts over.
    EXPECT_GT(receiving_->accepted()->resumed_bytes, 0U);
    EXPECT_EQ(sending_->sent(), 32 * kMiB);
}

TEST_F(PrefetchedIntoFolder, WithAWrongHashIsSentAgain) {
    begin(test::files_of(2, 4 * kMiB), target_.path());
    sending_->damage_every(1);
    read_on();
    sending_->damage_every(0);
    accept();
    expect_finished(2);
    EXPECT_EQ(sending_->sent(), 16 * kMiB);
}

TEST_F(PrefetchedIntoFolder, OfAnUnreadableFileFailsItOnlyOnceItIsWanted) {
    read_offer(test::files_of(3, kMiB), true, {1});
    EXPECT_TRUE(receiving_->problems().empty());
    accept();
    expect_finished(2);
    ASSERT_EQ(receiving_->problems().size(), 1U);
    EXPECT_EQ(receiving_->problems()[0].index, 1U);
}

TEST_F(PrefetchedIntoFolder, BringsALongPathToItsRate) {
    struct Path {
        double round_trip_ms;
        double megabits;
        double gain;
    };
    for (const auto &[round_trip_ms, megabits, gain] : {Path{300, 200, 2.0}, Path{160, 700, 1.0}}) {
        const auto after = seconds_after_accept(round_trip_ms, megabits, 64 * kMiB, true);
        const auto before = seconds_after_accept(round_trip_ms, megabits, 64 * kMiB, false);
        EXPECT_GT(before - after, gain) << before << " s without, " << after << " s with";
        RecordProperty(std::to_string(static_cast<int>(round_trip_ms)) + "ms",
                       std::to_string(before) + " s, " + std::to_string(after) + " s");
    }
}

TEST_F(PrefetchedIntoFolder, SavesARoundTripIfNoUserReads) {
    for (const auto &[round_trip_ms, megabits] : {std::pair{300.0, 200.0}, {160.0, 700.0}}) {
        std::vector<double> seconds;
        for (const bool prefetch : {false, true}) {
            link_ = sim::link_of(round_trip_ms, megabits);
            begin(test::files_of(1, 64 * kMiB), target_.path());
            if (prefetch) {
                receiving_->transfer().prefetch();
            }
            expect_finished(1);
            std::filesystem::remove(target_ / "f0");
            seconds.push_back(static_cast<double>(pair_->now()) / 1e9);
        }
        EXPECT_GT(seconds[0] - seconds[1], 0.7 * round_trip_ms / 1e3);
        RecordProperty(std::to_string(static_cast<int>(round_trip_ms)) + "ms",
                       std::to_string(seconds[0]) + " s, " + std::to_string(seconds[1]) + " s");
    }
}

/// A real receive whose user reads the offer of a hostile sender.
struct HostilePrefetch : testing::Test {
    HostileSenderTest evil{[](const Event &) {}, {}, true};

    HostilePrefetch() { offer(evil); }
    static void offer(HostileSenderTest &sender) {
        sender.offer({file("a.txt", 9), file("b.txt", 9)});
        sender.receiver.wait_for<OfferEvent>();
    }
    static Bytes prefetched(const SegmentPlan &plan, std::string_view data) {
        auto bytes = test::segment_stream(plan, data);
        bytes.insert(bytes.begin(), static_cast<std::uint8_t>(StreamType::Prefetched));
        return bytes;
    }
    static void expect_refused(HostileSenderTest &sender) {
        EXPECT_EQ(sender.receiver.wait_for<FailedEvent>().error.code, ErrorCode::PeerProtocol);
        sender.receiver.close();
        EXPECT_TRUE(sender.nothing_written());
    }
    /// Waits until the receiver has read everything sent so far.
    void settle() {
        const auto offers = evil.receiver.count<OfferEvent>();
        evil.control(LeftOut{{{ErrorCode::DiskIo, 1, {"c"}}}});
        evil.receiver.wait_for<OfferEvent>(
            [](const OfferEvent &event) { return !event.left_out.reasons.empty(); });
        EXPECT_GT(evil.receiver.count<OfferEvent>(), offers);
    }
};

TEST_F(HostilePrefetch, NothingArrivesUnasked) {
    HostileSenderTest unasked;
    offer(unasked);
    unasked.stream(prefetched({{0, 0, 9}}, "unwanted!"));
    expect_refused(unasked);
}

TEST_F(HostilePrefetch, NoMoreArrivesThanTheBudgetBeforeTheOfferEither) {
    HostileSenderTest early{[](const Event &) {}, {}, true};
    // The request and HELLO need no answer of the sender.
    early.wait_for<Prefetch>();
    early.control(Hello{});
    const std::string data(kSegmentBytes, 'x');
    early.stream(prefetched({{0, 0, kSegmentBytes}}, data));
    early.stream(prefetched({{0, 0, 9}}, "unwanted!"));
    expect_refused(early);
}

TEST_F(HostilePrefetch, NoMoreArrivesThanTheBudget) {
    for (int stream = 0; stream < 3; ++stream) {
        // A segment counts in full once its header is read, before its data takes memory.
        Bytes bytes{static_cast<std::uint8_t>(StreamType::Prefetched)};
        encode_segment_header({{0, 0, 4 * kMiB}}, bytes);
        evil.stream(std::move(bytes), false);
    }
    expect_refused(evil);
}

TEST_F(HostilePrefetch, ADeclinedOfferLeavesNothing) {
    evil.stream(prefetched({{0, 0, 9}, {1, 0, 9}}, "file one file two!"));
    settle();
    evil.receiver.post(Refuse{HostileSenderTest::kReceive, ErrorCode::Declined});
    EXPECT_EQ(evil.wait_for_end(), ErrorCode::Declined);
    evil.receiver.close();
    EXPECT_TRUE(evil.nothing_written());
}

TEST_F(HostilePrefetch, WhatIsHeldIsWrittenAfterAccepting) {
    evil.stream(prefetched({{0, 0, 9}, {1, 0, 9}}, "file one file two!"));
    settle();
    EXPECT_TRUE(evil.nothing_written());
    evil.accept();
    EXPECT_EQ(evil.wait_for<Done>().files, 2U);
    EXPECT_EQ(test::read_file(evil.target() / "b.txt"), "file two!");
}

TEST_F(HostilePrefetch, AnOutputTakesNothingHeld) {
    evil.receiver.post(Accept{.session = HostileSenderTest::kReceive,
                              .directory = evil.target().string(),
                              .options = {},
                              .selection = {.only = {"a.txt"}},
                              .auto_accept = std::nullopt,
                              .output = 1});
    EXPECT_EQ(evil.receiver.wait_for<FailedEvent>().error.code, ErrorCode::BadArgument);
}

TEST_F(HostilePrefetch, ADownloadLimitAndTheBackgroundPreventIt) {
    for (const bool limited : {true, false}) {
        HostileSenderTest sender{[](const Event &) {},
                                 {},
                                 true,
                                 [limited](WatchedEngine &engine) {
                                     if (limited) {
                                         engine.post(SetLimits{0, 1'000});
                                     } else {
                                         engine.post(SetBackground{true});
                                     }
                                 }};
        offer(sender);
        sender.stream(prefetched({{0, 0, 9}}, "unwanted!"));
        expect_refused(sender);
    }
}

TEST(EnginePrefetch, BetweenTwoEnginesSendsEachByteOnce) {
    EnginePair pair;
    pair.write_source("big.bin", 30'000'000);
    pair.write_source("small.txt", 100);
    pair.prefetches = true;
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    // Includes headers and hashes.
    EXPECT_LT(pair.receiver.wait_for<FinishedEvent>().transferred, 30'001'000U);
    EXPECT_LT(pair.sender.wait_for<FinishedEvent>().transferred, 30'001'000U);
    EXPECT_TRUE(pair.same_trees(pair.source()));
}

TEST(EnginePrefetch, OfAFileThatHasChangedLeavesTheOthers) {
    EnginePair pair;
    pair.write_source("changed.bin", 2'000'000);
    pair.write_source("other.bin", 2'000'000);
    pair.prefetches = true;
    pair.share({pair.source().string()});
    pair.sender.wait_for<ScanEvent>([](const ScanEvent &event) { return event.complete; });
    std::filesystem::resize_file(pair.source() / "changed.bin", 100);
    pair.join(EnginePair::kReceive, "r");
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 1U);
    EXPECT_EQ(finished.problems, 1U);
    EXPECT_EQ(pair.receiver.wait_for<ItemProblemEvent>().error.code, ErrorCode::SourceChanged);
}

struct PrefetchOfShare : HostileShare {};

TEST_F(PrefetchOfShare, IsAnsweredBeforeTheReceiverAccepts) {
    share_files();
    const auto eve = hostile();
    greet(*eve);
    eve->control(Prefetch{kMaxPrefetchBytes});
    // Prefetched, a segment of two pieces: entries 1 and 2 from their start.
    eve->wait_for_text(std::string("\x03\x02\x02\x01\x00\x80\x01\x86\xa0\x01\x00", 11));
    eve->wait_for_bytes(2 * kFileBytes);
    EXPECT_EQ(pair().sender.count<AcceptedEvent>(), 0U);
    eve->control(Request{entries()});
    pair().sender.wait_for<AcceptedEvent>();
    expect_still_serving();
}

TEST_F(PrefetchOfShare, ASecondOneIsRefused) {
    share_files();
    const auto eve = hostile();
    eve->control(Hello{.name = "Eve"});
    eve->control(Prefetch{kMaxPrefetchBytes});
    eve->control(Prefetch{kMaxPrefetchBytes});
    EXPECT_EQ(failure_of(*eve), ErrorCode::PeerProtocol);
    expect_still_serving();
}

} // namespace
} // namespace thru::test
