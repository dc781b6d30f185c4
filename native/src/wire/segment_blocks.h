// Blocks of a compressed segment. Normative text: docs/protocol.md#compressed-segments
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

/// Blocks end where the segment's uncompressed stream has a multiple of this.
inline constexpr std::uint64_t kBlockBytes = 256ULL << 10;

struct SegmentBlock {
    Bytes bytes;
    /// Number of bytes that it holds.
    std::size_t plain = 0;
    /// Number of bytes that it took in the stream.
    std::size_t in_stream = 0;

    bool is_compressed() const { return bytes.size() < plain; }
};

/// Takes blocks from a stream that arrives in arbitrary pieces, one block at a time. Takes at most
/// eight times the memory of the received bytes.
class SegmentBlockDecoder {
public:
    /// `header_bytes`: those of type byte and header. `left`: uncompressed bytes of data and hash.
    SegmentBlockDecoder(std::size_t header_bytes, std::uint64_t left)
        : position_(header_bytes), end_(header_bytes + left) {}

    /// Returns how many of `bytes`, which continue the previous ones, belong to the current block.
    /// PeerProtocol if it is longer than its data, or if bytes follow the last one.
    Result<std::size_t> feed(ByteView bytes);
    /// True once the current block is complete: it must be taken before more bytes are fed.
    bool whole() const { return length_ == bytes_.size(); }
    /// True if no block follows the current one.
    bool at_last() const { return position_ + plain() == end_; }
    /// Requires `whole`.
    SegmentBlock take();
    /// Bytes of the current block so far.
    std::size_t held() const { return before_ + bytes_.size(); }

private:
    std::size_t plain() const;

    /// Start of the current block in the uncompressed stream.
    std::uint64_t position_;
    std::uint64_t end_;
    /// The length so far, and then the block.
    Bytes bytes_;
    std::optional<std::uint64_t> length_;
    /// Bytes of the length, once it is known.
    std::size_t before_ = 0;
};

} // namespace thru
