// Decides which segments one receiver gets compressed. Network thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace thru {

/// Compression pays if the path is slower than compressing, and the data is compressible. Both are
/// measured, so incompressible data costs one sample in 16 MiB.
class CompressionChoice {
    /// Compression begins on paths that carry less than this part of a thread's rate, and ends
    /// above twice that: at 250 MB/s, 500 Mbit/s and 1 Gbit/s.
    static constexpr std::uint64_t kPart = 4;
    /// Smaller segments are not worth a job.
    static constexpr std::uint64_t kLeastBytes = 512;
    /// Blocks after incompressible ones that are not tried.
    static constexpr std::size_t kMostSkipped = 64;
    /// Older measurements count less: bytes and time are halved at this many bytes.
    static constexpr std::uint64_t kRemembered = 16ULL << 20;
    /// Fewer bytes take less than a tick of some systems' clocks.
    static constexpr std::uint64_t kMeasuredBytes = 1ULL << 20;

public:
    /// True if compressing a segment of `bytes` bytes and `blocks` blocks may pay. `path_rate`:
    /// bytes a second that the path carries; nullopt if unknown.
    bool begins(std::uint64_t bytes, std::size_t blocks, std::optional<std::uint64_t> path_rate) {
        const auto limit = compressed_rate() / (worthwhile_ ? kPart / 2 : kPart);
        worthwhile_ = !path_rate || *path_rate <= limit;
        if (!worthwhile_) {
            // A busy computer may have been measured: it is measured again in a while.
            time_ -= time_ / 8;
            return false;
        }
        if (skipping_ >= blocks) {
            skipping_ -= blocks;
            return false;
        }
        return bytes >= kLeastBytes;
    }
    /// True if compressing the next block of such a segment may pay.
    bool tries() {
        if (skipping_ == 0) {
            return true;
        }
        --skipping_;
        return false;
    }
    /// A block was tried: `saved` of its `bytes` were saved, in `took` of one thread.
    void on_tried(std::uint64_t bytes, std::uint64_t saved, Timestamp took) {
        saved_ += saved;
        if (saved == 0) {
            last_skip_ = std::clamp<std::size_t>(2 * last_skip_, 1, kMostSkipped);
            skipping_ = last_skip_;
            return;
        }
        last_skip_ = 0;
        bytes_ += bytes;
        time_ += took;
        if (bytes_ > kRemembered) {
            bytes_ /= 2;
            time_ /= 2;
        }
    }
    /// Bytes kept off the network.
    std::uint64_t saved() const { return saved_; }

private:
    /// Bytes a second.
    std::uint64_t compressed_rate() const {
        const bool measured = time_ > 0 && bytes_ >= kMeasuredBytes;
        return !measured ? std::uint64_t{1} << 40 : bytes_ * (kSecond / 1024) / (time_ / 1024 + 1);
    }

    std::uint64_t bytes_ = 0;
    Timestamp time_ = 0;
    bool worthwhile_ = true;
    std::size_t skipping_ = 0;
    std::size_t last_skip_ = 0;
    std::uint64_t saved_ = 0;
};

} // namespace thru
