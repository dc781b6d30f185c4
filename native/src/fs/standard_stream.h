// A pipe, socket, terminal or file that this process was started with: written in order, waiting a
// bounded time.
#pragma once

#include <chrono>
#include <cstddef>

#include "base/bytes.h"
#include "fs/file_system.h"

namespace thru::fs {

/// Writes some of `bytes` once the reader takes any, for which it waits no longer than `patience`;
/// returns how many, 0 when the reader took none in that time. `descriptor` is as the system
/// numbers those of a process, 1 for standard output. NotFound when nobody reads any more.
SystemResult<std::size_t> write_stream(int descriptor, ByteView bytes,
                                       std::chrono::milliseconds patience);

} // namespace thru::fs
