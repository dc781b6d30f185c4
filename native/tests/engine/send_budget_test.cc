#include "engine/send_budget.h"

#include <deque>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/bulk_trial.h"
#include "sim/shared_trial.h"

namespace thru {
namespace {

constexpr std::uint64_t kMost = 48ULL << 20;

TEST(SendBudget, FourMayHoldAllThatOneMayAndManyHaveEqualParts) {
    SendBudget budget;
    std::deque<SendBudget::Part> parts;
    for (int index = 0; index < 4; ++index) {
        parts.emplace_back(budget).hold(1);
        EXPECT_EQ(parts.back().allowance(kMost, kMost), kMost);
    }
    for (int index = 4; index < 16; ++index) {
        parts.emplace_back(budget).hold(1);
    }
    EXPECT_EQ(parts.front().allowance(kMost, kMost), kMost / 4);
}

TEST(SendBudget, OneOnALongPathMayHoldWhatFourOthersMay) {
    SendBudget budget;
    SendBudget::Part one(budget);
    one.hold(1);
    EXPECT_EQ(one.allowance(kMost, 4 * kMost), 4 * kMost);
    SendBudget::Part other(budget);
    other.hold(1);
    EXPECT_EQ(one.allowance(kMost, 4 * kMost), 2 * kMost);
}

TEST(SendBudget, ThoseThatHoldNothingLeaveAllToTheOthers) {
    SendBudget budget;
    std::deque<SendBudget::Part> idle;
    for (int index = 0; index < 1000; ++index) {
        idle.emplace_back(budget);
    }
    SendBudget::Part one(budget);
    one.hold(1);
    EXPECT_EQ(one.allowance(kMost, kMost), kMost);
    idle.front().hold(5);
    idle.front().hold(0);
    EXPECT_EQ(one.allowance(kMost, kMost), kMost);
}

TEST(SendBudget, AThousandThatTakeAllTheyMayStayWithinABound) {
    SendBudget budget;
    std::deque<SendBudget::Part> parts;
    std::uint64_t sum = 0;
    for (int index = 0; index < 1000; ++index) {
        auto &part = parts.emplace_back(budget);
        part.hold(1);
        const auto held = part.allowance(kMost, kMost);
        EXPECT_GE(held, kChunkBytes);
        part.hold(held);
        sum += held;
    }
    EXPECT_LE(sum, 9 * kMost + 1000 * kChunkBytes);
}

TEST(SendBudget, ThoseThatLetGoOfNothingLeaveOneItsPath) {
    for (const auto &[hoarders, link] :
         {std::pair{4, sim::link_of(100, 200)}, {9, sim::link_of(50, 100)}}) {
        SendBudget budget;
        std::deque<SendBudget::Part> parts;
        for (int index = 0; index < hoarders; ++index) {
            auto &part = parts.emplace_back(budget);
            part.hold(1);
            part.hold(part.allowance(kMost, 4 * kMost));
        }
        const auto figures =
            sim::measure(sim::BulkTrial{.link = link, .seconds = 6, .budget = &budget});
        EXPECT_GT(figures.steady, 0.8) << hoarders;
    }
}

// NET-27
TEST(SendBudget, ReceiversBehindLossAndOnSlowLinesCostTheOthersNothing) {
    using sim::SharedTrial;
    using Flows = std::vector<SharedTrial::Flow>;
    auto lossy = sim::link_of(40, 10);
    lossy.loss = 0.05;
    // The hindered receivers start first, and their senders hold all the data they may.
    Flows all(3, {.own_link = lossy});
    all.insert(all.end(), 3, {.own_link = sim::link_of(40, 1)});
    const auto hindered = all.size();
    const Flows others(2, {.begins = 1, .own_link = sim::link_of(200, 40)});
    all.insert(all.end(), others.begin(), others.end());
    const auto rates_of = [](const Flows &flows) {
        SendBudget budget;
        return sim::measure(
                   SharedTrial{.flows = flows, .budget = &budget, .seconds = 6, .measured_from = 1})
            .rates;
    };
    const auto beside = rates_of(all);
    const auto alone = rates_of(others);
    for (std::size_t index = 0; index < others.size(); ++index) {
        EXPECT_GT(beside[hindered + index], 0.9 * alone[index]) << index;
    }
}

} // namespace
} // namespace thru
