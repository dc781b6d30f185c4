// Searches for a direct path: their start and end, and what a hostile peer gains by them.
#include "link/path_search.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace thru {
namespace {

constexpr Timestamp kStart = 100 * kSecond;

std::string candidate(int number, std::string_view type = "host") {
    return "candidate:" + std::to_string(number) + " 1 UDP 2015363327 192.0.2.7 " +
           std::to_string(20'000 + number) + " typ " + std::string(type);
}

/// Both ends of a connection that delivers messages instantly, in virtual time.
struct Sides {
    explicit Sides(bool knows = true) : sender_knows(knows) {
        for (auto *each : {&sender, &receiver}) {
            each->set_relayed(true, now);
        }
    }

    /// Runs until `seconds` have passed, or a search begins at the receiver.
    bool run_to_search(double seconds) {
        const auto end = now + static_cast<Timestamp>(seconds * 1e9);
        const auto before = receiver.under_way();
        while (receiver.under_way() == before || receiver.under_way() == 0) {
            const auto next = std::min(sender.deadline(), receiver.deadline());
            if (next > end) {
                now = end;
                return false;
            }
            now = std::max(now, next);
            sender.on_deadline(now);
            receiver.on_deadline(now);
            exchange();
        }
        return true;
    }
    void exchange() {
        for (bool more = true; more;) {
            auto to_sender = receiver.take_messages();
            auto to_receiver = sender.take_messages();
            more = !to_sender.empty() || !to_receiver.empty();
            for (const auto &message : to_sender) {
                auto lines = sender_knows ? sender.on_message(message, now)
                                          : Result<std::vector<std::string>>{};
                ASSERT_TRUE(lines);
                at_sender.insert(at_sender.end(), lines->begin(), lines->end());
            }
            for (const auto &message : to_receiver) {
                auto lines = receiver.on_message(message, now);
                ASSERT_TRUE(lines);
                at_receiver.insert(at_receiver.end(), lines->begin(), lines->end());
            }
        }
    }
    double seconds() const { return static_cast<double>(now - kStart) / 1e9; }

    bool sender_knows;
    Timestamp now = kStart;
    PathSearch sender{LinkRole::Sender};
    PathSearch receiver{LinkRole::Receiver};
    std::vector<std::string> at_sender;
    std::vector<std::string> at_receiver;
};

TEST(PathSearch, BeginsSoonAfterARelayedConnection) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    EXPECT_NEAR(sides.seconds(), 2, 0.1);
    EXPECT_EQ(sides.receiver.under_way(), 1);
    EXPECT_EQ(sides.sender.under_way(), 1);
}

TEST(PathSearch, BeginsNeverOnADirectOne) {
    Sides sides;
    sides.sender.set_relayed(false, sides.now);
    sides.receiver.set_relayed(false, sides.now);
    sides.sender.on_network_change(sides.now);
    sides.receiver.on_network_change(sides.now);
    EXPECT_FALSE(sides.run_to_search(100'000));
}

TEST(PathSearch, BringsTheCandidatesOfEachSideToTheOther) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    sides.sender.announce(candidate(1));
    sides.receiver.announce(candidate(2));
    sides.receiver.announce(candidate(3, "srflx raddr 10.0.0.1 rport 2000"));
    sides.exchange();
    EXPECT_EQ(sides.at_receiver, std::vector{candidate(1)});
    EXPECT_EQ(sides.at_sender,
              (std::vector{candidate(2), candidate(3, "srflx raddr 10.0.0.1 rport 2000")}));
}

TEST(PathSearch, GoesOnWhileItsPathIsTriedAndEndsBeforeTheSendersPart) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    for (int tried = 0; tried < kMaxSearchTries; ++tried) {
        sides.now = sides.receiver.deadline();
        sides.receiver.hold(sides.now);
        sides.receiver.on_deadline(sides.now);
        EXPECT_EQ(sides.receiver.under_way(), 1) << tried;
    }
    sides.now = sides.receiver.deadline();
    EXPECT_LE(sides.now, sides.sender.deadline());
    sides.receiver.on_deadline(sides.now);
    EXPECT_EQ(sides.receiver.under_way(), 0);
}

TEST(PathSearch, IsRepeatedMoreAndMoreRarely) {
    Sides sides;
    std::vector<double> pauses;
    double before = 0;
    for (int search = 0; search < 8; ++search) {
        ASSERT_TRUE(sides.run_to_search(1000));
        pauses.push_back(sides.seconds() - before);
        before = sides.seconds();
    }
    EXPECT_TRUE(std::ranges::is_sorted(pauses));
    EXPECT_LT(pauses[1], 15);
    EXPECT_GT(pauses.back(), 250);
    EXPECT_LT(pauses.back(), 400);
}

TEST(PathSearch, BeginsAtOnceWhenANetworkHasChangedOnEitherSide) {
    for (const bool at_sender : {false, true}) {
        Sides sides;
        for (int search = 0; search < 6; ++search) {
            ASSERT_TRUE(sides.run_to_search(1000));
        }
        EXPECT_FALSE(sides.run_to_search(100)) << "the next one is far off";
        (at_sender ? sides.sender : sides.receiver).on_network_change(sides.now);
        sides.exchange();
        EXPECT_TRUE(sides.run_to_search(0.1)) << at_sender;
        EXPECT_EQ(sides.sender.under_way(), sides.receiver.under_way());
    }
}

TEST(PathSearch, BeginsAnewWhenTheNetworkChangesMeanwhile) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    sides.receiver.on_network_change(sides.now);
    EXPECT_EQ(sides.receiver.under_way(), 0);
    EXPECT_TRUE(sides.run_to_search(5.1));
    EXPECT_EQ(sides.receiver.under_way(), 2);
    EXPECT_EQ(sides.sender.under_way(), 2);
}

TEST(PathSearch, IsGivenUpWithASenderThatKnowsNothingOfIt) {
    Sides sides(false);
    EXPECT_TRUE(sides.run_to_search(10));
    EXPECT_TRUE(sides.run_to_search(60));
    EXPECT_FALSE(sides.run_to_search(100'000));
    sides.receiver.on_network_change(sides.now);
    EXPECT_FALSE(sides.run_to_search(100'000));
}

TEST(PathSearch, RestsForLongAfterAPathThatWasNoGood) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    sides.receiver.end(sides.now);
    sides.receiver.set_relayed(false, sides.now);
    sides.receiver.set_relayed(true, sides.now);
    sides.receiver.put_off(sides.now);
    EXPECT_FALSE(sides.run_to_search(290));
    EXPECT_TRUE(sides.run_to_search(20));
}

TEST(PathSearch, RestsTwiceAsLongAfterEachFurtherOneUntilANetworkChanges) {
    Sides sides;
    for (const double minutes : {5, 10, 20, 40, 80, 80}) {
        sides.receiver.set_relayed(false, sides.now);
        sides.receiver.set_relayed(true, sides.now);
        sides.receiver.put_off(sides.now);
        EXPECT_FALSE(sides.run_to_search(minutes * 60 - 1)) << minutes;
        EXPECT_TRUE(sides.run_to_search(2)) << minutes;
        sides.receiver.end(sides.now);
    }
    sides.receiver.on_network_change(sides.now);
    EXPECT_TRUE(sides.run_to_search(6));
    sides.receiver.end(sides.now);
    sides.receiver.put_off(sides.now);
    EXPECT_FALSE(sides.run_to_search(299));
    EXPECT_TRUE(sides.run_to_search(2));
}

TEST(PathSearch, TakesNoMoreCandidatesThanItsLimitAndNoneThatAreNoUse) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    FindPath many{.search = 1};
    for (int number = 0; number < 20; ++number) {
        many.candidates.push_back(candidate(number));
    }
    ASSERT_TRUE(sides.sender.on_message(many, sides.now));
    const auto rest = sides.sender.on_message(many, sides.now);
    ASSERT_TRUE(rest);
    EXPECT_EQ(rest->size(), kMaxPathCandidates - 20);

    ASSERT_TRUE(sides.run_to_search(100));
    const auto useless = sides.sender.on_message(
        {.search = 2,
         .candidates = {candidate(1, "relay"), "candidate:1 1 UDP 1 224.0.0.1 9999 typ host",
                        "candidate:1 1 UDP 1 192.0.2.1 22 typ host",
                        "candidate:1 1 UDP 1 example.org 9999 typ host"}},
        sides.now);
    ASSERT_TRUE(useless);
    EXPECT_TRUE(useless->empty());
}

TEST(PathSearch, RefusesWhatCanNotBe) {
    Sides sides;
    ASSERT_TRUE(sides.run_to_search(10));
    EXPECT_FALSE(sides.sender.on_message({.search = 0}, sides.now));
    EXPECT_FALSE(sides.receiver.on_message({.search = 2}, sides.now));
    EXPECT_FALSE(sides.sender.on_message({.search = 1, .candidates = {"candidate:"}}, sides.now));
}

TEST(PathSearch, ASenderTakesPartInNoMoreThanItsLimit) {
    PathSearch sender{LinkRole::Sender};
    auto now = kStart;
    int took_part = 0;
    for (std::uint16_t number = 1; number < 60'000; ++number) {
        now += kSecond / 10;
        ASSERT_TRUE(sender.on_message({.search = number}, now));
        took_part += sender.under_way() == number ? 1 : 0;
    }
    EXPECT_EQ(took_part, 500);
    EXPECT_EQ(sender.take_messages().size(), 500U);
}

TEST(PathSearch, AReceiverThatIsAskedAllTheTimeSearchesNoMoreThanItsLimit) {
    Sides sides;
    int began = 0;
    std::uint16_t before = 0;
    for (int round = 0; round < 60'000; ++round) {
        sides.now += kSecond / 10;
        ASSERT_TRUE(sides.receiver.on_message({.search = 0}, sides.now));
        sides.receiver.on_deadline(sides.now);
        sides.exchange();
        const auto number = sides.receiver.under_way();
        began += number != 0 && number != before ? 1 : 0;
        before = number != 0 ? number : before;
    }
    EXPECT_EQ(began, 500);
}

} // namespace
} // namespace thru
