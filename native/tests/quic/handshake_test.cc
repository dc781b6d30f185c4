// Handshakes on links that lose, duplicate and reorder datagrams.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sim/virtual_link.h"

namespace thru {
namespace {

using sim::Pair;
using sim::VirtualLink;

/// Number of datagrams that may be disturbed; later ones arrive unchanged.
constexpr std::size_t kFirst = 8;
/// Time between two places in the order of arrival.
constexpr Timestamp kStep = 3 * kMillisecond;

/// Sends a hello once established, and answers one; afterwards both ends can use the connection.
struct Talker final : ConnectionListener {
    Connection *connection = nullptr;
    bool opens = false;
    bool heard = false;

    void on_established() override {
        if (opens) {
            const auto stream = connection->open_bidirectional();
            ASSERT_TRUE(stream);
            connection->write(*stream, ByteView(kHello), false);
        }
    }
    void on_stream_data(StreamId stream, ByteView bytes, bool) override {
        heard = heard || !bytes.empty();
        if (!opens) {
            connection->write(stream, ByteView(kHello), false);
        }
    }
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId) override {}

    static constexpr std::array<std::uint8_t, 3> kHello = {1, 2, 3};
};

/// Returns true if the ends can talk within the time that a link allows.
bool connects(const VirtualLink::Fate &to_sender, const VirtualLink::Fate &to_receiver) {
    Talker sender;
    Talker receiver;
    receiver.opens = true;
    Pair pair({}, sender, receiver);
    sender.connection = &pair.sender();
    receiver.connection = &pair.receiver();
    pair.to_sender().set_fate(to_sender);
    pair.to_receiver().set_fate(to_receiver);
    return pair.run_until([&] { return receiver.heard; }, 9);
}

using Order = std::array<std::size_t, kFirst>;

constexpr Order kInOrder = {0, 1, 2, 3, 4, 5, 6, 7};

/// Each datagram arrives at its place in `order`.
VirtualLink::Fate reordered(const Order &order) {
    return [order](std::size_t number) -> std::vector<Timestamp> {
        return {number < kFirst ? order.at(number) * kStep : kFirst * kStep};
    };
}

VirtualLink::Fate lost(const std::set<std::size_t> &numbers) {
    return [numbers](std::size_t number) {
        return numbers.contains(number) ? std::vector<Timestamp>{} : std::vector<Timestamp>{0};
    };
}

VirtualLink::Fate repeated(std::size_t twice, Timestamp later) {
    return [twice, later](std::size_t number) {
        return number == twice ? std::vector<Timestamp>{0, later} : std::vector<Timestamp>{0};
    };
}

std::vector<Timestamp> untouched(std::size_t) { return {0}; }

std::string text(const Order &order) {
    std::string all;
    for (const auto place : order) {
        all += std::to_string(place);
    }
    return all;
}

TEST(Handshake, SurvivesEveryOrderOfTheFirstFourDatagramsOfEachSide) {
    auto client = kInOrder;
    do {
        EXPECT_TRUE(connects(reordered(client), untouched)) << text(client);
        EXPECT_TRUE(connects(untouched, reordered(client))) << text(client);
    } while (std::next_permutation(client.begin(), client.begin() + 4));
}

TEST(Handshake, SurvivesAnyOrderOfTheFirstEightDatagramsOfBothSides) {
    std::mt19937 random(8);
    auto client = kInOrder;
    auto server = kInOrder;
    if (std::getenv("THRU_LONG_TESTS") != nullptr) {
        do {
            std::ranges::shuffle(server, random);
            ASSERT_TRUE(connects(reordered(client), reordered(server)))
                << text(client) << " and " << text(server);
        } while (std::ranges::next_permutation(client).found);
        return;
    }
    for (int round = 0; round < 100; ++round) {
        std::ranges::shuffle(client, random);
        std::ranges::shuffle(server, random);
        EXPECT_TRUE(connects(reordered(client), reordered(server)))
            << text(client) << " and " << text(server);
    }
}

TEST(Handshake, SurvivesTheLossOfAnyDatagram) {
    for (std::size_t number = 0; number < kFirst; ++number) {
        EXPECT_TRUE(connects(lost({number}), untouched)) << number;
        EXPECT_TRUE(connects(untouched, lost({number}))) << number;
        EXPECT_TRUE(connects(lost({number, number + 1}), untouched)) << number;
        EXPECT_TRUE(connects(untouched, lost({number, number + 1}))) << number;
    }
}

TEST(Handshake, SurvivesAnyDatagramThatComesTwice) {
    for (std::size_t number = 0; number < kFirst; ++number) {
        for (const auto later : {Timestamp{0}, 4 * kMillisecond, 40 * kMillisecond}) {
            EXPECT_TRUE(connects(repeated(number, later), untouched)) << number;
            EXPECT_TRUE(connects(untouched, repeated(number, later))) << number;
        }
    }
}

TEST(Handshake, SurvivesTheSecondHalfOfAHelloThatComesManyTimesBeforeTheFirst) {
    EXPECT_TRUE(connects(
        [](std::size_t number) {
            return number == 0   ? std::vector<Timestamp>{100 * kMillisecond}
                   : number == 1 ? std::vector<Timestamp>(20, 0)
                                 : std::vector<Timestamp>{0};
        },
        untouched));
}

} // namespace
} // namespace thru
