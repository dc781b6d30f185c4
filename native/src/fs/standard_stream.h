// A pipe, socket, terminal or file that this process was started with: read and written in order,
// waiting a bounded time.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/bytes.h"
#include "fs/file_system.h"

namespace thru::fs {

/// What came of a wait for the other end.
struct Flow {
    /// 0 when the other end did nothing in that time.
    std::size_t bytes = 0;
    /// Reading: nothing more comes.
    bool ended = false;
};

/// Reads what is there, at most `out`; waits for the first byte no longer than `patience`.
/// `descriptor` is as the system numbers those of a process, 0 for standard input.
SystemResult<Flow> read_stream(int descriptor, MutableByteView out,
                               std::chrono::milliseconds patience);

/// Writes some of `bytes` once the reader takes any, for which it waits no longer than `patience`.
/// NotFound when nobody reads any more.
SystemResult<Flow> write_stream(int descriptor, ByteView bytes, std::chrono::milliseconds patience);

} // namespace thru::fs
