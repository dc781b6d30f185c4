#include "transfer/joined.h"

namespace thru::test {
namespace {

/// A receiver that was listed this manifest, but no offer.
Receiver listed(const ManifestTable &manifest) {
    Receiver receiver = test::new_receiver();
    EXPECT_TRUE(receiver.on_control(Hello{}));
    EXPECT_TRUE(receiver.on_manifest_bytes(test::encoded(manifest)));
    return receiver;
}

TEST(HardLinks, AreRefusedUnlessTheEntriesCanBeNamesOfOneFile) {
    ManifestEntry other_time = file("d", 10);
    other_time.mtime_ns = 7;
    ManifestEntry executable = file("e", 10);
    executable.executable = true;
    ManifestEntry text = file("t", 10);
    text.text = true;
    const auto manifest =
        manifest_of({file("a", 10), file("b", 10), file("c", 11), other_time, executable, text,
                     folder("f"), folder("g"), test::gone(), file("z", 10)});
    for (const std::vector<HardLink> &wrong : std::vector<std::vector<HardLink>>{
             {{2, 0}},
             {{3, 0}},
             {{4, 0}},
             {{5, 0}},
             {{7, 6}},
             {{8, 0}},
             {{9, 8}},
             {{10, 0}},
             {{1, 0}, {9, 1}},
         }) {
        auto receiver = listed(*manifest);
        EXPECT_TRUE(receiver.on_control(HardLinks{wrong}));
        EXPECT_EQ(refused(receiver, test::offer_of(*manifest)), ErrorCode::PeerProtocol);
    }
    auto receiver = listed(*manifest);
    EXPECT_TRUE(receiver.on_control(HardLinks{{{1, 0}}}));
    EXPECT_TRUE(receiver.on_control(HardLinks{{{9, 0}}}));
    EXPECT_TRUE(receiver.on_control(test::offer_of(*manifest)));
    EXPECT_EQ(receiver.manifest()->first_name(9), 0u);
    EXPECT_EQ(receiver.manifest()->first_name(0), std::nullopt);
    EXPECT_EQ(receiver.manifest()->first_name(2), std::nullopt);
}

TEST(HardLinks, AreRefusedOutOfOrderAndAfterTheOffer) {
    const auto manifest = test::files_of(3, 10);
    auto receiver = listed(*manifest);
    EXPECT_TRUE(receiver.on_control(HardLinks{{{2, 0}}}));
    EXPECT_EQ(refused(receiver, HardLinks{{{2, 0}}}), ErrorCode::PeerProtocol);
    auto late = test::offered(*manifest);
    EXPECT_EQ(refused(late, HardLinks{{{1, 0}}}), ErrorCode::PeerProtocol);
}

/// Three names of one file and another file; the receiver links `linked`.
class LinkedPair : public testing::Test {
protected:
    void begin(const IndexRanges &linked) {
        for (const char *name : {"a", "b", "c"}) {
            pair_.add(file(name, kMiB));
        }
        pair_.add(file("d", 5));
        pair_.sender.set_hard_links({{1, 0}, {2, 0}});
        pair_.checkpoint();
        pair_.exchange_all();
        pair_.receiver.accept(4, {.linked = linked});
    }
    /// Delivers all data; returns the number of bytes.
    std::uint64_t move() {
        std::uint64_t moved = 0;
        for (pair_.exchange_all();; pair_.exchange_all()) {
            pair_.name_all();
            const auto plan = pair_.sender.next_segment();
            if (!plan) {
                return moved;
            }
            moved += plan_bytes(*plan);
            test::receive(pair_.receiver, *plan);
        }
    }
    void expect_end() {
        pair_.commit();
        const auto finished = only<SenderFinished>(pair_.sender_events);
        ASSERT_EQ(finished.size(), 1u);
        EXPECT_EQ(finished[0].totals.files, 4u);
        EXPECT_EQ(finished[0].totals.bytes, 3 * kMiB + 5);
        EXPECT_EQ(finished[0].totals.identical, 0u);
    }

    Joined pair_;
};

TEST_F(LinkedPair, NeedsTheBytesOnce) {
    begin({{1, 2}});
    EXPECT_EQ(move(), kMiB + 5);
    EXPECT_FALSE(pair_.receiver.complete());
    for (const std::uint64_t name : {1, 2}) {
        EXPECT_TRUE(pair_.receiver.is_linked(name));
        pair_.receiver.on_file_published(name, false);
    }
    expect_end();
}

TEST_F(LinkedPair, SendsNamesThatCanNotBeLinked) {
    begin({{1, 2}});
    move();
    pair_.receiver.on_file_published(1, false);
    pair_.receiver.unlink({{2, 1}});
    EXPECT_FALSE(pair_.receiver.is_linked(2));
    EXPECT_EQ(move(), kMiB);
    expect_end();
}

TEST_F(LinkedPair, SendsAllNamesToAReceiverThatLinksNone) {
    begin({});
    EXPECT_EQ(move(), 3 * kMiB + 5);
    expect_end();
}

TEST_F(LinkedPair, PrefetchesOneName) {
    EXPECT_TRUE(pair_.receiver.prefetch(kMaxPrefetchBytes));
    begin({{1, 2}});
    const auto plan = pair_.sender.next_segment();
    ASSERT_TRUE(plan && pair_.sender.prefetched());
    EXPECT_EQ(plan_bytes(*plan), kMiB + 5);
}

TEST(HardLinks, TakeAsManyMessagesAsNeeded) {
    const std::size_t count = 2 * kMaxHardLinks + 2;
    Joined pair;
    std::vector<HardLink> links;
    for (std::uint32_t index = 0; index < count; ++index) {
        pair.add(file("f" + std::to_string(index), 1));
        if (index > 0) {
            links.push_back({.index = index, .first = 0});
        }
    }
    pair.sender.set_hard_links(links);
    pair.checkpoint();
    pair.exchange_all();
    for (const HardLink &link : links) {
        ASSERT_EQ(pair.receiver.manifest()->first_name(link.index), 0u);
    }
}

} // namespace
} // namespace thru::test
