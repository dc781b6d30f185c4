// Reads a planned segment from disk as the exact bytes of its stream: type, header, data, hash.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "source/source_files.h"
#include "wire/segment.h"

namespace thru {

/// One segment. Disk pool, one call at a time. Keeps a large file open only between its pieces.
class SegmentReader {
public:
    SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan);
    /// Starts at `offset` of the stream, which another reader of this plan has read. Hashes nothing
    /// and ends with that reader's `hash`. Checks files after each call.
    SegmentReader(std::shared_ptr<const SourceFiles> files, SegmentPlan plan, std::uint64_t offset,
                  const Hash &hash);
    ~SegmentReader();

    /// The failed entry and its error: SourceChanged, PathNotFound, PathUnreadable or DiskIo.
    struct Failure {
        std::uint64_t index = 0;
        Error error;
    };

    /// Fills `chunk` with the next bytes; returns their number: fewer than requested only at the
    /// end, or 0 while a touched file is compared with the data read before (call again).
    std::expected<std::size_t, Failure> read(MutableByteView chunk);
    bool finished() const;
    /// The stream's hash once computed; zeros until then. Call between reads.
    const Hash &hash() const;
    const SegmentPlan &plan() const;
    /// Length of the whole stream, known in advance.
    std::uint64_t stream_bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
