// Probes and silence: the behavior of a connection when the other side is silent, and after sleep.
#include "quic/liveness.h"

#include <ngtcp2/ngtcp2.h>

#include <gtest/gtest.h>

#include "sim/bulk_line.h"

namespace thru {
namespace {

using sim::BulkLine;
using sim::CountingReceiver;
using sim::Pair;

struct Line {
    Line() : pair({.one_way_delay = 50 * kMillisecond}, sender, receiver) {
        sender.connection = &pair.sender();
        receiver.connection = &pair.receiver();
        EXPECT_TRUE(pair.run_until([&] { return sender.established && receiver.established; }));
        wait(1);
    }
    void cut() {
        pair.to_sender().set_loss(1);
        pair.to_receiver().set_loss(1);
    }
    void wait(double seconds) {
        pair.run_until([] { return false; }, seconds);
    }
    bool falls_silent(double seconds) {
        return pair.run_until([&] { return pair.receiver().silent(); }, seconds);
    }
    bool sender_closed() { return pair.sender().closed().has_value(); }
    bool closed() { return sender_closed() || pair.receiver().closed(); }

    CountingReceiver sender;
    CountingReceiver receiver;
    Pair pair;
};

TEST(Liveness, ABusyLineThatBreaksIsSilentWithinThreeSeconds) {
    BulkLine line;
    EXPECT_FALSE(line.pair.sender().silent());
    EXPECT_FALSE(line.pair.receiver().silent());
    line.set_loss(1);
    line.run(3);
    EXPECT_TRUE(line.pair.sender().silent());
    EXPECT_TRUE(line.pair.receiver().silent());
    EXPECT_FALSE(line.pair.sender().closed());
}

TEST(Liveness, ABusyLineThatComesBackWithinTwoSecondsIsNeverSilent) {
    BulkLine line;
    line.set_loss(1);
    line.run(1.7);
    line.set_loss(0);
    EXPECT_FALSE(line.pair.run_until(
        [&] {
            line.sender.pump();
            return line.pair.sender().silent() || line.pair.receiver().silent();
        },
        3));
    const auto received = line.receiver.received;
    line.run(2);
    EXPECT_GT(line.receiver.received, received + 1'000'000);
}

#ifdef NGTCP2_PATCHED_BY_THRUFLUX
/// Datagrams wait for a computer that is suspended.
TEST(Liveness, DatagramsThatWaitDuringASilenceDontCountAsRoundTrips) {
    for (const auto control : {CongestionControl::Bbr, CongestionControl::Cubic}) {
        BulkLine line({.congestion_control = control});
        for (int time = 0; time < 2; ++time) {
            const auto wakes = line.pair.now() + 40 * kSecond;
            auto taken = wakes;
            line.pair.to_receiver().set_fate([&](std::size_t) {
                const auto now = line.pair.now();
                // They are taken one after the other.
                taken += now < wakes ? kMillisecond / 10 : 0;
                return std::vector<Timestamp>{now < taken ? taken - now : 0};
            });
            EXPECT_LT(line.longest_round_trip(42), 0.2);
            const auto before = line.receiver.received;
            EXPECT_LT(line.longest_round_trip(1), 0.2);
            EXPECT_GT(line.receiver.received, before + 6'000'000) << "half of the line's rate";
        }
    }
}
#endif

TEST(Liveness, ARoundTripThatGrowsBeyondAProbeTimeoutIsMeasured) {
    for (const auto control : {CongestionControl::Bbr, CongestionControl::Cubic}) {
        BulkLine line({.congestion_control = control});
        line.pair.to_receiver().set_fate(
            [](std::size_t) { return std::vector<Timestamp>{3 * kSecond}; });
        EXPECT_GT(line.longest_round_trip(30), 2.5);
    }
}

TEST(Liveness, AnIdleLineThatBreaksIsSilentWithinNineSeconds) {
    Line line;
    line.wait(60);
    line.cut();
    EXPECT_FALSE(line.falls_silent(1)) << "nothing was to be expected";
    EXPECT_TRUE(line.falls_silent(8));
}

TEST(Liveness, ASuspectThatIsGoneIsSilentWithinHalfASecondAndTwoRoundTrips) {
    Line line;
    line.cut();
    line.pair.receiver().probe_peer(line.pair.now());
    EXPECT_TRUE(line.falls_silent(0.6));
}

TEST(Liveness, ASuspectThatAnswersIsNotSilent) {
    Line line;
    line.wait(20);
    line.pair.receiver().probe_peer(line.pair.now());
    EXPECT_FALSE(line.falls_silent(60));
}

TEST(Liveness, WhenAWayIsLeftOnlyWhoDoesntAnswerByTheOtherOneIsSilent) {
    BulkLine line;
    line.set_loss(1);
    line.run(3);
    auto &receiver = line.pair.receiver();
    ASSERT_TRUE(receiver.silent());
    receiver.on_path_left(line.pair.now());
    EXPECT_FALSE(receiver.silent()) << "nobody was asked yet";
    line.run(0.7);
    EXPECT_TRUE(receiver.silent());
    line.set_loss(0);
    receiver.on_path_left(line.pair.now());
    for (int moment = 0; moment < 20; ++moment) {
        line.run(0.1);
        EXPECT_FALSE(receiver.silent());
    }
}

TEST(Liveness, ALineThatComesBackIsNoLongerSilent) {
    Line line;
    line.cut();
    ASSERT_TRUE(line.falls_silent(10));
    line.wait(50);
    line.pair.to_sender().set_loss(0);
    line.pair.to_receiver().set_loss(0);
    EXPECT_TRUE(line.pair.run_until(
        [&] { return !line.pair.receiver().silent() && !line.pair.sender().silent(); }, 2));
    EXPECT_FALSE(line.closed());
}

TEST(Liveness, AnIdleLineIsNeverSilentAndAsksRarely) {
    Line line;
    line.wait(20);
    const auto before = line.pair.to_sender().calls() + line.pair.to_receiver().calls();
    EXPECT_FALSE(line.falls_silent(600));
    const auto sent = line.pair.to_sender().calls() + line.pair.to_receiver().calls() - before;
    // Each side sends at most a probe and a reply every six seconds.
    EXPECT_LE(sent, 4 * 100U + 8U);
}

TEST(Liveness, SilenceIsEndedByTheIdleTimeoutAlone) {
    Line line;
    line.cut();
    line.wait(110);
    EXPECT_FALSE(line.closed());
    line.wait(30);
    ASSERT_TRUE(line.pair.receiver().closed());
    EXPECT_EQ(line.pair.receiver().closed()->error->code, ErrorCode::PeerGone);
    EXPECT_FALSE(line.pair.receiver().silent()) << "it is over";
}

#ifdef NGTCP2_PATCHED_BY_THRUFLUX
TEST(Liveness, DataFlowsWithinTwoSecondsAfterAMinuteWithoutTheNetwork) {
    for (const auto algorithm : {CongestionControl::Bbr, CongestionControl::Cubic}) {
        for (const auto one_way : {kMillisecond / 10, 20 * kMillisecond, 150 * kMillisecond}) {
            for (const auto seconds : {1.0, 7.3, 30.0, 60.0, 100.0}) {
                BulkLine line({.congestion_control = algorithm}, one_way);
                line.set_loss(1);
                line.run(seconds);
                line.set_loss(0);
                EXPECT_LE(line.next_data(), 2.0)
                    << seconds << " s, " << one_way << " ns, " << static_cast<int>(algorithm);
                const auto received = line.receiver.received;
                line.run(2);
                EXPECT_GT(line.receiver.received, received + 1'000'000) << "and goes on";
            }
        }
    }
}
#endif

TEST(Liveness, OneDirectionThatBreaksIsNoticedByWhoHearsNothing) {
    BulkLine line;
    line.pair.to_receiver().set_loss(1);
    line.run(4);
    EXPECT_TRUE(line.pair.receiver().silent());
    EXPECT_FALSE(line.pair.sender().silent()) << "it hears the receiver's questions";
}

TEST(Liveness, WhatAStrangerSendsIsNoSignOfLife) {
    Line line;
    line.cut();
    const Bytes rubbish(1200, std::uint8_t{0x4f});
    EXPECT_TRUE(line.pair.run_until(
        [&] {
            line.pair.receiver().on_datagrams(rubbish, rubbish.size(), line.pair.now());
            return line.pair.receiver().silent();
        },
        10));
}

TEST(Liveness, AfterALongSleepTheConnectionIsOverAndTheOtherSideIsReported) {
    Line line;
    line.pair.receiver().on_wake(140 * kSecond, line.pair.now());
    ASSERT_TRUE(line.pair.receiver().closed());
    EXPECT_EQ(line.pair.receiver().closed()->error->code, ErrorCode::PeerGone);
    ASSERT_TRUE(line.pair.run_until([&] { return line.sender_closed(); }, 0.2));
    EXPECT_EQ(line.pair.sender().closed()->error->code, ErrorCode::PeerGone);
}

TEST(Liveness, AfterAShortSleepALiveConnectionContinues) {
    Line line;
    line.pair.receiver().on_wake(60 * kSecond, line.pair.now());
    EXPECT_FALSE(line.falls_silent(60));
    line.pair.sender().on_wake(10 * kSecond, line.pair.now());
    EXPECT_FALSE(line.falls_silent(60));
    EXPECT_FALSE(line.closed());
}

TEST(Liveness, AfterAShortSleepADeadLineIsSilentWithinMoments) {
    Line line;
    line.cut();
    line.pair.receiver().on_wake(10 * kSecond, line.pair.now());
    EXPECT_FALSE(line.falls_silent(1)) << "an answer may take a second";
    EXPECT_TRUE(line.falls_silent(0.6));
}

TEST(Liveness, WhatWasSentBeforeASleepIsNoSignOfLife) {
    Line line;
    const auto stream = line.pair.sender().open_unidirectional();
    ASSERT_TRUE(stream);
    const Bytes content(1 << 20);
    line.pair.sender().write(*stream, content, true);
    line.wait(0.04);
    line.cut();
    line.pair.receiver().on_wake(10 * kSecond, line.pair.now());
    EXPECT_TRUE(line.falls_silent(2));
}

TEST(Liveness, ALineWhoseAddressIsGoneIsSilentAtOnceUntilSomethingComesNevertheless) {
    Line line;
    line.pair.receiver().on_network_change(true, line.pair.now());
    EXPECT_TRUE(line.pair.receiver().silent());
    EXPECT_TRUE(line.pair.run_until([&] { return !line.pair.receiver().silent(); }, 0.2));
}

TEST(Liveness, WhoIsAskedBecauseTheNetworkChangedMayTakeASecond) {
    Line line;
    line.wait(1);
    line.pair.receiver().on_network_change(false, line.pair.now());
    EXPECT_FALSE(line.falls_silent(5));
    line.cut();
    line.pair.receiver().on_network_change(false, line.pair.now());
    EXPECT_FALSE(line.falls_silent(1));
    EXPECT_TRUE(line.falls_silent(0.4));
}

} // namespace
} // namespace thru
