#include "fs/file_chunks.h"

#include <algorithm>

namespace thru {

namespace {

constexpr std::uint64_t kReadBytes = 1 << 20;

} // namespace

FileChunks::FileChunks(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
                       const ChunkLengths &lengths)
    : file_(file), end_offset_(end), lengths_(lengths),
      buffer_(
          static_cast<std::size_t>(std::min(end - begin, std::max(kReadBytes, 2 * lengths.max())))),
      offset_(begin) {}

std::optional<FileChunks::Chunk> FileChunks::next() {
    if (end_ - begin_ < std::min(end_offset_ - offset_, lengths_.max()) && !fill()) {
        return std::nullopt;
    }
    const ByteView left = ByteView(buffer_).subspan(begin_, end_ - begin_);
    const std::size_t length = chunk_length(left, lengths_);
    const Chunk chunk{.offset = offset_, .length = length, .hash = blake3_of(left.first(length))};
    begin_ += length;
    offset_ += length;
    return chunk;
}

bool FileChunks::fill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
    const auto wanted = static_cast<std::size_t>(
        std::min<std::uint64_t>(buffer_.size() - end_, end_offset_ - offset_ - end_));
    const auto got =
        fs::read_at(file_, offset_ + end_, MutableByteView(buffer_).subspan(end_, wanted));
    end_ += wanted;
    return got && *got == wanted;
}

} // namespace thru
