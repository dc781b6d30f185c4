// Bytes from a stream of this process, of unknown length, kept for sending.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "base/guarded.h"

namespace thru {

/// A window of a stream: the most recently read bytes, in memory. Any thread, except fill().
class StreamSource {
public:
    /// `descriptor` is as for fs::read_stream, and stays open.
    explicit StreamSource(int descriptor) : descriptor_(descriptor) {}

    /// The result of fill().
    struct Filled {
        /// Number of bytes ever read.
        std::uint64_t end = 0;
        bool ended = false;
    };
    /// Reads the available bytes and waits for them at most a fraction of a second. StreamBroken if
    /// reading failed before the end. Disk pool, one call at a time.
    Result<Filled> fill();
    /// Copies bytes that were read. StreamBroken if they are no longer kept.
    Result<> read(std::uint64_t offset, MutableByteView out) const;
    /// Drops the bytes before `begin`, in whole blocks.
    void forget_before(std::uint64_t begin);
    /// Memory used, in bytes.
    std::uint64_t kept_bytes() const;

private:
    struct Window {
        /// Blocks of fixed size; the last may be partly filled. Readers keep dropped ones alive.
        std::deque<std::shared_ptr<Bytes>> blocks;
        /// Offset of the first block.
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    const int descriptor_;
    Guarded<Window> window_;
};

} // namespace thru
