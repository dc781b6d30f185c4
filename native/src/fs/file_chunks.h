#pragma once

#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/content_chunks.h"
#include "crypto/digest.h"
#include "fs/file_system.h"

namespace thru {

/// Divides the bytes of a file from `begin` to `end` into chunks. Memory: these bytes, but at most
/// 1 MiB or twice the longest chunk. `file` must outlive this.
class FileChunks {
public:
    FileChunks(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
               const ChunkLengths &lengths);

    struct Chunk {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        Digest hash{};
    };
    /// The next chunk; nullopt if the file is shorter or unreadable. Only before done(). Disk pool.
    std::optional<Chunk> next();
    bool done() const { return offset_ == end_offset_; }

private:
    bool fill();

    const fs::FileHandle &file_;
    const std::uint64_t end_offset_;
    const ChunkLengths lengths_;
    Bytes buffer_;
    /// The unused bytes of the buffer; the first is at offset_ of the file.
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t offset_;
};

} // namespace thru
