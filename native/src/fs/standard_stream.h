// A pipe, socket, terminal or file that this process inherited, with bounded waits.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/bytes.h"
#include "fs/file_system.h"

namespace thru::fs {

/// The result of a wait for the other end.
struct Flow {
    /// 0 if the other end did nothing in that time.
    std::size_t bytes = 0;
    /// True at the end of the input.
    bool ended = false;
};

/// Reads available bytes, at most `out`; waits up to `patience` for the first one. `descriptor` is
/// the process's descriptor number, 0 for standard input.
SystemResult<Flow> read_stream(int descriptor, MutableByteView out,
                               std::chrono::milliseconds patience);

/// Writes some of `bytes`, waiting up to `patience`. NotFound if the reader is gone.
SystemResult<Flow> write_stream(int descriptor, ByteView bytes, std::chrono::milliseconds patience);

} // namespace thru::fs
