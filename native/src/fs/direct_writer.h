// Writes that bypass the system's cache.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "fs/file_system.h"

namespace thru::fs {

/// Writes large ranges of one file directly to its disk. They would displace everything else in the
/// cache, and systems can take longer to find memory for them than disks to write them. One thread
/// at a time.
class DirectWriter {
public:
    /// Each direct write waits for the disk, so smaller ranges are written to the cache.
    static constexpr std::size_t kMinBytes = 128ULL << 10;

    /// nullptr where open_direct() fails.
    static std::unique_ptr<DirectWriter> of(const FileHandle &file);
    /// False once it only writes to the cache.
    bool open() const { return direct_.has_value(); }

    /// Writes to the file, which is also open as `file`. Edges that fill no block of the disk are
    /// written to the cache, as are small ranges, and all ranges once the disk proves slow.
    SystemResult<> write(const FileHandle &file, std::uint64_t offset, ByteView bytes);

private:
    explicit DirectWriter(FileHandle direct) : direct_(std::move(direct)) {}
    bool write_blocks(std::uint64_t offset, ByteView blocks);

    /// Closed once the disk was too slow, or refused a write.
    std::optional<FileHandle> direct_;
    /// Room for blocks at an address that the disk accepts.
    Bytes memory_;
    std::uint64_t written_ = 0;
    std::chrono::nanoseconds took_{};
};

} // namespace thru::fs
