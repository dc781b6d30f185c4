// Memory for what transfers have read and their receivers have not acknowledged: one receiver gets
// as much as its path may need, a thousand together no more than a computer has, and those that let
// go of nothing leave enough to the others. Network thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/buffer_pool.h"

namespace thru {

class SendBudget {
    /// Receivers whose data may be buffered in full, where paths are short. Many at once have
    /// smaller parts of the line, too.
    static constexpr std::uint64_t kInFull = 4;
    /// What each may hold in any case, in bytes: who has less always reads one chunk more.
    static constexpr std::uint64_t kLeast = kChunkBytes;

public:
    /// What one transfer holds.
    class Part {
    public:
        explicit Part(SendBudget &budget) : budget_(budget) {}
        ~Part() { hold(0); }
        Part(const Part &) = delete;
        Part &operator=(const Part &) = delete;

        /// Bytes that it holds now. Those that hold nothing leave all to the others.
        void hold(std::uint64_t bytes) {
            budget_.holding_ += bytes > 0 ? 1U : 0U;
            budget_.holding_ -= held_ > 0 ? 1U : 0U;
            budget_.held_ += bytes;
            budget_.held_ -= std::exchange(held_, bytes);
        }
        /// Bytes that it may hold: `most`, if all that four on short paths have, `usual` each, is
        /// enough for that.
        std::uint64_t allowance(std::uint64_t usual, std::uint64_t most) const {
            const auto holding = std::max<std::uint64_t>(budget_.holding_, std::uint64_t{1});
            const auto equal = kInFull * usual / holding;
            // Parts that were larger when there were fewer take their time to shrink, or never do
            // where a receiver acknowledges nothing: half of what they leave is kept for the next.
            const auto all = 2 * kInFull * usual;
            const auto left = (all - std::min(all, budget_.held_ - held_)) / 2;
            const auto least = std::min(std::max(kLeast, usual / 2 / holding), most);
            return std::clamp(std::min(equal, left), least, most);
        }

    private:
        SendBudget &budget_;
        std::uint64_t held_ = 0;
    };

private:
    std::size_t holding_ = 0;
    std::uint64_t held_ = 0;
};

} // namespace thru
