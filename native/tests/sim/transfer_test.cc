// Whole transfers in virtual time: both state machines, the wire format and QUIC over a lossy link.
#include "sim/transfer_ends.h"
#include "sim/virtual_link.h"

namespace thru::test {
namespace {

using sim::LinkConfig;
using sim::ReceivingEnd;
using sim::SendingEnd;

/// One transfer; configure it before run().
class QuicTransfer {
public:
    QuicTransfer(const LinkConfig &link, std::shared_ptr<ManifestTable> manifest,
                 std::set<std::uint64_t> unreadable = {}, ReceiverChoices choices = {})
        : sending(std::move(manifest), std::move(unreadable)), receiving(std::move(choices)),
          pair(link, sending, receiving) {
        sending.attach(pair.sender());
        receiving.attach(pair.receiver());
    }

    /// Runs until `done`, or for `seconds` of virtual time.
    template <class Condition> bool run_until(Condition done, double seconds = 600) {
        return pair.run_until(
            [&] {
                sending.pump();
                receiving.pump();
                return done();
            },
            seconds);
    }
    bool run() {
        return run_until([this] { return sending.finished() && receiving.released(); });
    }
    double seconds() const { return static_cast<double>(pair.now() - kSecond) / 1e9; }
    const Done &end() const { return *receiving.finished(); }

    SendingEnd sending;
    ReceivingEnd receiving;
    sim::Pair pair;
};

std::shared_ptr<ManifestTable> mixed_files() {
    return test::manifest_of({test::folder("a"), test::file("a/big", 20'000'001),
                              test::file("a/empty", 0), test::file("a/one", 1),
                              test::folder("a/none"), test::file("b", 8 << 20),
                              test::file("c", (8 << 20) + 1)});
}

TEST(TransferOverALink, MixedFilesArriveWhateverTheSeed) {
    for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
        QuicTransfer transfer(
            {.one_way_delay = 15 * kMillisecond, .rate = 25e6, .loss = 0.01, .seed = seed},
            mixed_files());
        ASSERT_TRUE(transfer.run()) << "seed " << seed;
        EXPECT_EQ(transfer.end().files, 5U);
        EXPECT_EQ(transfer.end().bytes, 20'000'002U + (8 << 20) + (8 << 20) + 1);
        EXPECT_EQ(transfer.sending.finished()->bytes, transfer.end().bytes);
    }
}

TEST(TransferOverALink, FilesThatFailInTheMiddleLeaveTheOthersWhole) {
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        QuicTransfer transfer({.one_way_delay = 15 * kMillisecond, .loss = 0.02, .seed = seed},
                              test::files_of(200, 60'000), {3, 90, 91, 199});
        ASSERT_TRUE(transfer.run()) << "seed " << seed;
        EXPECT_EQ(transfer.end().files, 196U);
        EXPECT_EQ(transfer.end().problems, 4U);
    }
}

TEST(TransferOverALink, AThousandFilesTakeNoLongerThanOneOfTheirSize) {
    const LinkConfig link{.one_way_delay = 50 * kMillisecond, .rate = 37.5e6, .queue = 2 << 20};
    QuicTransfer one(link, test::files_of(1, 32'000'000));
    QuicTransfer many(link, test::files_of(1000, 32'000));
    ASSERT_TRUE(one.run() && many.run());
    // In virtual time, the figure is the same on every machine.
    EXPECT_LT(many.seconds(), one.seconds() * 1.03) << one.seconds() << " s for one file";
}

TEST(TransferOverALink, FilesThatEachTakeSeveralPacketsTakeNoLongerThanOneOfTheirSize) {
    const LinkConfig link{.one_way_delay = 50 * kMillisecond, .rate = 37.5e6, .queue = 2 << 20};
    QuicTransfer one(link, test::files_of(1, 1000ULL << 18));
    QuicTransfer many(link, test::files_of(1000, 1ULL << 18));
    ASSERT_TRUE(one.run() && many.run());
    EXPECT_LT(many.seconds(), one.seconds() * 1.03) << one.seconds() << " s for one file";
}

TEST(TransferOverALink, ALinkThatLosesAFifthStillDelivers) {
    QuicTransfer transfer({.one_way_delay = 10 * kMillisecond, .loss = 0.2, .seed = 9},
                          test::files_of(30, 5000));
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().files, 30U);
}

TEST(TransferOverALink, DamagedSegmentsAreResent) {
    QuicTransfer transfer({.loss = 0.01}, test::files_of(10, 9 * kMiB));
    transfer.sending.damage_every(15);
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().files, 10U);
    EXPECT_GT(transfer.sending.sent(), 90 * kMiB);
}

TEST(TransferOverALink, OnlyTheRestOfPartialFilesIsSent) {
    const WireId source{3, 0};
    QuicTransfer transfer({.loss = 0.01}, test::files_of(2, 20 * kMiB), {},
                          {.have = {{.index = 0, .offset = 15 * kMiB, .validator = source},
                                    {.index = 1, .offset = 15 * kMiB, .validator = source}}});
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().bytes, 40 * kMiB);
    EXPECT_EQ(transfer.sending.sent(), 25 * kMiB); // the second file's source differs
}

TEST(TransferOverALink, HolesTakeNoTimeOnTheLink) {
    QuicTransfer transfer({.loss = 0.01},
                          test::manifest_of({test::sparse_file("image", 40 * kMiB)}));
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().bytes, 40 * kMiB);
    EXPECT_EQ(transfer.sending.sent(), 20 * kMiB);
}

TEST(TransferOverALink, AShareGrowsAndShrinksWhileItIsReceived) {
    const auto manifest = test::files_of(40, kMiB);
    QuicTransfer transfer({.loss = 0.02, .seed = 5}, manifest);
    ASSERT_TRUE(transfer.run_until(
        [&] { return transfer.receiving.receiver().totals().bytes > 8 * kMiB; }));
    test::add_all(*manifest, {test::file("more", 9 * kMiB), test::file("last", 5)});
    transfer.sending.share_more();
    transfer.sending.sender().on_removed({{.first = 35, .count = 5}});
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().entries, 42U);
    EXPECT_EQ(transfer.end().files, 37U);
    EXPECT_EQ(transfer.end().bytes, 44 * kMiB + 5);
}

TEST(TransferOverALink, APausedTransferIsStillThere) {
    QuicTransfer transfer({.rate = 5e6}, test::files_of(1, 60 * kMiB));
    ASSERT_TRUE(transfer.run_until(
        [&] { return transfer.receiving.receiver().totals().bytes >= 8 * kMiB; }));
    transfer.receiving.receiver().pause({});
    transfer.run_until([] { return false; }, 300);
    EXPECT_LT(transfer.receiving.receiver().totals().bytes, 60 * kMiB);
    EXPECT_FALSE(transfer.pair.sender().closed());
    transfer.receiving.receiver().resume();
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().bytes, 60 * kMiB);
}

TEST(TransferOverALink, FilesAreSkippedAndWantedWhileTheyArrive) {
    QuicTransfer transfer({.rate = 5e6, .loss = 0.01, .seed = 3}, test::files_of(4, 20 * kMiB));
    Receiver &receiver = transfer.receiving.receiver();
    ASSERT_TRUE(transfer.run_until([&] { return receiver.totals().bytes >= 8 * kMiB; }));
    receiver.skip({{.first = 0, .count = 2}});
    ASSERT_TRUE(transfer.run_until([&] { return receiver.totals().bytes >= 8 * kMiB; }));
    receiver.want({{.first = 0, .count = 1}});
    ASSERT_TRUE(transfer.run());
    EXPECT_EQ(transfer.end().files, 3U);
    EXPECT_EQ(transfer.end().bytes, 60 * kMiB);
}

} // namespace
} // namespace thru::test
