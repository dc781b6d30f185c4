// Memory for data that transfers have read and receivers have not acknowledged. One receiver gets
// the memory that its path needs, and a thousand together no more than a computer has. Receivers
// that acknowledge nothing leave enough for others. Network thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/buffer_pool.h"

namespace thru {

class SendBudget {
    /// Receivers whose data may be buffered in full on short paths. With more of them, each also
    /// has a smaller part of the bandwidth.
    static constexpr std::uint64_t kInFull = 4;
    /// Minimum for each, in bytes: a transfer below it may always read one more chunk.
    static constexpr std::uint64_t kLeast = kChunkBytes;

public:
    /// The bytes of one transfer.
    class Part {
    public:
        explicit Part(SendBudget &budget) : budget_(budget) {}
        ~Part() { hold(0); }
        Part(const Part &) = delete;
        Part &operator=(const Part &) = delete;

        /// Sets the bytes held now. A transfer that holds none leaves its part to others.
        void hold(std::uint64_t bytes) {
            budget_.holding_ += bytes > 0 ? 1U : 0U;
            budget_.holding_ -= held_ > 0 ? 1U : 0U;
            budget_.held_ += bytes;
            budget_.held_ -= std::exchange(held_, bytes);
        }
        /// Bytes that it may hold: up to `most`, within a total of `usual` for four transfers.
        std::uint64_t allowance(std::uint64_t usual, std::uint64_t most) const {
            const auto holding = std::max<std::uint64_t>(budget_.holding_, std::uint64_t{1});
            const auto equal = kInFull * usual / holding;
            // Parts from when there were fewer transfers shrink slowly, or never if a receiver
            // acknowledges nothing. Half of the rest is kept for the next transfer.
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
