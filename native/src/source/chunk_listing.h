// Lists the chunks of one of this side's files, in steps so that other reads continue.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fs/file_chunks.h"
#include "source/source_files.h"
#include "wire/control.h"

namespace thru {

/// One thread at a time.
class ChunkListing {
public:
    /// The file's size has ChunkLengths.
    ChunkListing(std::shared_ptr<const SourceFiles> files, std::uint64_t index)
        : files_(std::move(files)), index_(index) {}

    /// The next chunks; nullopt if more must be read, call again. Chunks without runs if the file
    /// changed or can't be read; no step follows them, or the end of the file. Disk pool.
    std::optional<Chunks> step();
    std::uint64_t index() const { return index_; }
    bool is_last(const Chunks &chunks) const;

private:
    std::shared_ptr<const SourceFiles> files_;
    const std::uint64_t index_;
    SourceFiles::OpenFile file_;
    bool settled_ = false;
    std::optional<FileChunks> chunks_;
    /// End of the listed chunks.
    std::uint64_t end_ = 0;
};

/// Reads ranges that a receiver lacks of a file, as long as it is as scanned. One thread at a time.
class RangeReader {
public:
    RangeReader(std::shared_ptr<const SourceFiles> files, std::uint64_t index)
        : files_(std::move(files)), index_(index) {}

    std::uint64_t index() const { return index_; }
    /// The hashes of the blocks of a ListBlocks; none if they can't be read. Disk pool.
    FileBlocks blocks(const ByteRange &range);
    /// The first bytes of a Fetch; the last part is empty if more can't be read. Disk pool.
    std::vector<Fetched> bytes(const ByteRange &range);

private:
    bool read(std::uint64_t offset, MutableByteView out);

    const std::shared_ptr<const SourceFiles> files_;
    const std::uint64_t index_;
    SourceFiles::OpenFile file_;
};

} // namespace thru
