// A segment: at most 8 MiB of file data on one unidirectional stream, then a hash of everything.
// One piece of one file, or a batch of whole files. Normative text: docs/protocol.md#segment-stream
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"

namespace thru {

/// First byte of every unidirectional stream.
enum class StreamType : std::uint8_t {
    Manifest = 1,
    Segment = 2,
    /// A segment in answer to Prefetch; its own type byte follows.
    Prefetched = 3,
    /// A segment whose data and hash travel in blocks: segment_blocks.h.
    CompressedSegment = 4,
};

/// A run of bytes of one manifest entry.
struct Piece {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool operator==(const Piece &) const = default;
};

inline constexpr std::uint64_t kSegmentBytes = 8ULL << 20;
inline constexpr std::size_t kMaxPieces = 4096;
inline constexpr std::size_t kSegmentHashBytes = 32;
/// Maximum number of bytes of file data that a receiver gets before Request.
inline constexpr std::uint64_t kMaxPrefetchBytes = kSegmentBytes;
/// Maximum number of all headers and hashes of prefetched segments, in bytes.
inline constexpr std::uint64_t kMaxPrefetchOverhead = 128ULL << 10;
/// A BLAKE3 hash.
using Hash = std::array<std::uint8_t, kSegmentHashBytes>;
/// Long enough to detect accidental changes.
using ShortHash = std::array<std::uint8_t, 16>;
ShortHash shortened(const Hash &hash);
/// The type byte, the count, and kMaxPieces pieces of three varints.
inline constexpr std::size_t kMaxSegmentHeaderBytes = 1 + 4 + kMaxPieces * (4 + 8 + 4);

/// Pieces in rising order of index, each index once; lengths add up to at most kSegmentBytes. Code
/// that knows the files' sizes checks that it is one piece, or that every piece is a whole file.
///
/// The stream ends with BLAKE3(header || BLAKE3(data)), where header includes the type byte of an
/// uncompressed segment. So both ends know the hash of the data alone, which later shows if the
/// data is unchanged.
using SegmentPlan = std::vector<Piece>;

/// Sum of the lengths.
std::uint64_t plan_bytes(const SegmentPlan &plan);

/// Appends type byte and header of an uncompressed segment.
void encode_segment_header(const SegmentPlan &plan, Bytes &out);

/// Takes type byte and header from the front of a stream that arrives in arbitrary pieces. Reads
/// each byte at most twice, however small the pieces, and takes memory only for received bytes.
class SegmentHeaderDecoder {
public:
    /// Refuses compressed segments unless `compressed_too`.
    explicit SegmentHeaderDecoder(bool compressed_too = false) : compressed_too_(compressed_too) {}

    /// Returns how many of `bytes`, which continue the previous ones, belong to the header.
    /// PeerProtocol if it is malformed or exceeds a limit; the decoder is then unusable.
    Result<std::size_t> feed(ByteView bytes);
    /// True once the header is complete.
    bool done() const { return done_; }
    /// True if data and hash travel in blocks.
    bool compressed() const { return compressed_; }
    /// Type byte and header as received, but with the type of an uncompressed segment.
    const Bytes &bytes() const { return bytes_; }
    /// Built from the bytes on each call; empty until done.
    SegmentPlan plan() const;

private:
    /// Parses as much of bytes_ as possible.
    Result<> read_on();
    Result<> read_count();

    Bytes bytes_;
    std::size_t read_ = 0;
    /// Number of pieces; 0 until known.
    std::uint64_t count_ = 0;
    // Totals over the pieces read.
    std::uint64_t pieces_ = 0;
    std::uint64_t last_index_ = 0;
    std::uint64_t total_ = 0;
    bool done_ = false;
    bool compressed_too_;
    bool compressed_ = false;
};

} // namespace thru
