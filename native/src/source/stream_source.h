// Bytes of unknown number that come from a stream of this process, kept for those who send them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "base/guarded.h"

namespace thru {

/// A window of a stream: what was read last, in memory. Any thread, but for fill().
class StreamSource {
public:
    /// `descriptor` is as for fs::read_stream, and stays open.
    explicit StreamSource(int descriptor) : descriptor_(descriptor) {}

    /// What fill() came to.
    struct Filled {
        /// All bytes that were ever read.
        std::uint64_t end = 0;
        /// Nothing more comes.
        bool ended = false;
    };
    /// Reads what is there, waiting for it a fraction of a second at most. StreamBroken when the
    /// system says that nothing more can be read, though it did not end. Disk pool, one call at a
    /// time.
    Result<Filled> fill();
    /// Copies bytes that were read. StreamBroken when they are no longer kept.
    Result<> read(std::uint64_t offset, MutableByteView out) const;
    /// Forgets what lies before `begin`, in whole blocks.
    void forget_before(std::uint64_t begin);
    /// Memory that it takes.
    std::uint64_t kept_bytes() const;

private:
    struct Window {
        /// Of a fixed size each, and only the last one is not full. Readers share them: what is
        /// forgotten meanwhile stays until they are done.
        std::deque<std::shared_ptr<Bytes>> blocks;
        /// Where the first block begins.
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };

    const int descriptor_;
    Guarded<Window> window_;
};

} // namespace thru
