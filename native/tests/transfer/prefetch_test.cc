// Segments that are sent before the receiver accepts.
#include "transfer/joined.h"

namespace thru::test {
namespace {

using Plans = std::vector<SegmentPlan>;

constexpr Prefetch kMaxPrefetch{kMaxPrefetchBytes};

TEST(Prefetching, SendsABatchOfTheFirstFilesAndThenAPiece) {
    auto sender = offering(manifest_of({folder("a"), file("a/b", 3), test::sparse_file("c", kMiB),
                                        file("d", kMiB), file("e", 20 * kMiB), file("f", 1)}));
    EXPECT_TRUE(sender.on_control(kMaxPrefetch));
    const Plans expected = {{{1, 0, 3}, {3, 0, kMiB}}, {{4, 0, 7 * kMiB - 3}}};
    EXPECT_EQ(all_segments(sender), expected);
    EXPECT_TRUE(sender.take_messages().empty());
    EXPECT_TRUE(sender.take_events().empty());
}

TEST(Prefetching, SendsNoMoreThanRequestedNorThanAllowed) {
    auto little = offering(files_of(3, kMiB));
    EXPECT_TRUE(little.on_control(Prefetch{5}));
    EXPECT_EQ(all_segments(little), (Plans{{{0, 0, 5}}}));
    auto much = offering(files_of(3, 8 * kMiB));
    EXPECT_TRUE(much.on_control(Prefetch{1ULL << 40}));
    EXPECT_EQ(all_segments(much), (Plans{{{0, 0, 8 * kMiB}}}));
    auto many = offering(files_of(5000, 0));
    EXPECT_TRUE(many.on_control(kMaxPrefetch));
    const auto plans = all_segments(many);
    ASSERT_EQ(plans.size(), 1U);
    EXPECT_EQ(plans[0].size(), kMaxPieces);
}

TEST(Prefetching, BeforeTheOfferItIsAnsweredWithTheOffer) {
    auto sender = test::new_sender(files_of(2, 1));
    EXPECT_TRUE(sender.on_control(Hello{}));
    EXPECT_TRUE(sender.on_control(kMaxPrefetch));
    EXPECT_FALSE(sender.next_segment());
    EXPECT_EQ(refused(sender, kMaxPrefetch), ErrorCode::PeerProtocol);
    sender.on_checkpoint();
    EXPECT_EQ(only<Offer>(sender.take_messages()).size(), 1U);
    EXPECT_EQ(all_segments(sender), (Plans{{{0, 0, 1}, {1, 0, 1}}}));
    EXPECT_TRUE(sender.prefetched() || !sender.next_segment());
}

TEST(Prefetching, IsAllowedOnceBetweenHelloAndRequest) {
    const auto files = files_of(2, 1);
    auto early = test::new_sender(files);
    EXPECT_EQ(refused(early, kMaxPrefetch), ErrorCode::PeerProtocol);
    auto twice = offering(files);
    EXPECT_TRUE(twice.on_control(kMaxPrefetch));
    EXPECT_EQ(refused(twice, kMaxPrefetch), ErrorCode::PeerProtocol);
    auto late = test::sending(files);
    EXPECT_EQ(refused(late, kMaxPrefetch), ErrorCode::PeerProtocol);

    auto receiver = offered(*files);
    EXPECT_TRUE(receiver.prefetch(7));
    EXPECT_FALSE(receiver.prefetch(7));
    EXPECT_EQ(only<Prefetch>(receiver.take_messages()).at(0).bytes, 7U);
    EXPECT_TRUE(test::new_receiver().prefetch(7));
    EXPECT_FALSE(test::receiving(*files).prefetch(7));
}

TEST(Prefetching, WaitsWhileEitherSideIsPaused) {
    auto sender = offering(files_of(2, 1));
    sender.pause();
    EXPECT_TRUE(sender.on_control(kMaxPrefetch));
    EXPECT_FALSE(sender.next_segment());
    sender.resume();
    EXPECT_EQ(sender.next_segment(), (SegmentPlan{{0, 0, 1}, {1, 0, 1}}));
}

/// The plans sent until all are, and whether each is prefetched.
std::vector<std::pair<SegmentPlan, bool>> plans_of(Sender &sender) {
    std::vector<std::pair<SegmentPlan, bool>> plans;
    while (auto plan = sender.next_segment()) {
        plans.emplace_back(*plan, sender.prefetched());
    }
    return plans;
}

/// A pair whose prefetched segments are on their way.
struct PrefetchingPair : Joined {
    std::vector<SegmentPlan> early;

    explicit PrefetchingPair(std::initializer_list<ManifestEntry> entries) {
        for (const ManifestEntry &entry : entries) {
            add(entry);
        }
        checkpoint();
        exchange_all();
        EXPECT_TRUE(receiver.prefetch(kMaxPrefetchBytes));
        exchange_all();
        early = all_segments(sender);
    }
    /// The receiver accepts, and only then the segments arrive.
    void accept(const ReceiverChoices &choices) {
        receiver.accept(table->size(), choices);
        exchange_all();
        for (auto plan : early) {
            EXPECT_TRUE(receiver.on_prefetched_started(plan).has_value());
            receiver.on_segment_written(plan);
        }
    }
};

TEST(Prefetching, WhatArrivedIsNotSentAgain) {
    PrefetchingPair pair({file("a", kMiB), file("b", 20 * kMiB)});
    pair.accept({});
    EXPECT_EQ(pair.receiver.totals().bytes, 8 * kMiB);
    EXPECT_EQ(plans_of(pair.sender),
              (std::vector<std::pair<SegmentPlan, bool>>{{{{1, 7 * kMiB, kMiB}}, false},
                                                         {{{1, 8 * kMiB, 8 * kMiB}}, false},
                                                         {{{1, 16 * kMiB, 4 * kMiB}}, false}}));
    EXPECT_EQ(only<Validator>(pair.sender.take_messages()).size(), 1U);
}

TEST(Prefetching, ChoicesAndResumedFilesStartOver) {
    PrefetchingPair pair({file("a", kMiB), file("b", kMiB), file("c", kMiB), file("d", kMiB)});
    pair.accept({.present = {{.first = 2, .count = 1}},
                 .unwanted = {{.first = 0, .count = 1}},
                 .have = {{.index = 1, .offset = 5}}});
    EXPECT_EQ(pair.receiver.totals().bytes, 2 * kMiB + 5);
    pair.sender.on_have_checked(1, false);
    pair.receiver.want({{.first = 0, .count = 1}});
    pair.exchange_all();
    EXPECT_EQ(plans_of(pair.sender),
              (std::vector<std::pair<SegmentPlan, bool>>{{{{0, 0, kMiB}, {1, 0, kMiB}}, false}}));
}

TEST(Prefetching, SegmentsOfUnwantedFilesAreNotSentOnceTheChoiceIsKnown) {
    Joined pair;
    pair.add(file("a", 20 * kMiB));
    pair.add(file("b", 1));
    pair.checkpoint();
    pair.exchange_all();
    EXPECT_TRUE(pair.receiver.prefetch(kMaxPrefetchBytes));
    pair.receiver.accept(2, {.unwanted = {{.first = 0, .count = 1}}});
    pair.exchange_all();
    EXPECT_EQ(all_segments(pair.sender), (Plans{{{1, 0, 1}}}));
}

TEST(Prefetching, ASegmentThatCannotBeReadIsReadAgain) {
    PrefetchingPair before({file("a", kMiB), file("b", 20 * kMiB)});
    for (const auto &plan : before.early) {
        before.sender.on_prefetch_failed(plan);
    }
    EXPECT_FALSE(before.sender.next_segment());
    before.early.clear();
    before.accept({});
    std::uint64_t sent = 0;
    for (const auto &plan : all_segments(before.sender)) {
        sent += plan_bytes(plan);
    }
    EXPECT_EQ(sent, 21 * kMiB);

    PrefetchingPair after({file("a", kMiB), file("b", kMiB)});
    const auto failed = std::exchange(after.early, {}).front();
    after.accept({.have = {{.index = 1, .offset = 5}}});
    after.sender.on_prefetch_failed(failed);
    EXPECT_EQ(after.sender.next_segment(), (SegmentPlan{{0, 0, kMiB}}));
    EXPECT_FALSE(after.sender.next_segment());
}

TEST(Prefetching, RefusesPiecesThatNoHonestSenderSends) {
    const auto files = files_of(3, 10);
    const auto start = [&](SegmentPlan plan) {
        auto receiver = offered(*files);
        EXPECT_TRUE(receiver.prefetch(kMaxPrefetchBytes));
        receiver.accept(2, {.unwanted = {{.first = 0, .count = 1}}});
        const auto started = receiver.on_prefetched_started(plan);
        return started ? ErrorCode::Internal : started.error().code;
    };
    EXPECT_EQ(start({{0, 0, 99}}), ErrorCode::Internal); // dropped, whatever it is
    EXPECT_EQ(start({{1, 0, 99}}), ErrorCode::PeerProtocol);
    EXPECT_EQ(start({{2, 0, 10}}), ErrorCode::PeerProtocol);
    EXPECT_EQ(start({{0, 0, 10}, {1, 0, 5}}), ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru::test
