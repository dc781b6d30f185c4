// Reads a planned segment from disk as the very bytes of its stream: type, header, data, hash.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "source/source_files.h"
#include "wire/segment.h"

namespace thru {

/// One segment. Runs on the disk pool, one call at a time. Keeps a large file's descriptor between
/// its own pieces only.
class SegmentReader {
public:
    SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan);
    /// From `offset` of the stream on, which another reader of this plan has read: hashes nothing,
    /// and ends with `hash`, what that one came to. Checks files after each call.
    SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan, std::uint64_t offset,
                  const Hash &hash);
    ~SegmentReader();

    /// What failed: the entry and why (SourceChanged when it is not what was scanned or ended
    /// early, PathNotFound, PathUnreadable, DiskIo).
    struct Failure {
        std::uint64_t index = 0;
        Error error;
    };

    /// Fills `chunk` with the next bytes of the stream, up to its size; the number written. Fewer
    /// than asked only at the end, and none while a file that was touched is compared with what was
    /// read of it before: call it again.
    std::expected<std::size_t, Failure> read(MutableByteView chunk);
    bool finished() const;
    /// What the stream ends with, once that was computed; zeros until then. Between calls of read.
    const Hash &hash() const;
    const SegmentPlan &plan() const;
    /// Length of the whole stream, known beforehand.
    std::uint64_t stream_bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
