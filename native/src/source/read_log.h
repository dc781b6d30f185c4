// Records the parts of large files that receivers were sent, to distinguish a change of a file's
// attributes from a change of its data. Reasons: docs/reliability.md#files-that-change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/error.h"
#include "base/guarded.h"
#include "fs/file_system.h"
#include "source/tree_scan.h"
#include "wire/segment.h"

namespace thru {

/// Files of several segments, by entry. Any thread.
class ReadLog {
public:
    /// Bytes read by one call of settle().
    static constexpr std::uint64_t kStepBytes = 64ULL << 20;
    /// Maximum number of recorded ranges: about 64 MiB of memory for 8 TB of files. A file with
    /// unrecorded ranges counts as changed when its ctime changes.
    static constexpr std::size_t kMaxRanges = 1 << 20;

    /// While one exists, a receiver may have part of a file, and ranges are recorded.
    class Receiver {
    public:
        explicit Receiver(ReadLog &log) : log_(log) { ++log_.content_.lock()->receivers; }
        ~Receiver() { log_.leave(); }
        Receiver(const Receiver &) = delete;
        Receiver &operator=(const Receiver &) = delete;

    private:
        ReadLog &log_;
    };

    /// The ctime that represents the data: the scan's, until a change that may affect the data.
    std::int64_t data_ctime(std::uint64_t index, const FileVersion &scanned) const;
    /// True if the file, which now has the version `now`, still holds the data that was read from
    /// it; otherwise SourceChanged. False: more must be compared, call again.
    Result<bool> settle(std::uint64_t index, const FileVersion &scanned, const FileVersion &now,
                        const fs::FileHandle &file);
    /// Adds bytes read from this settled version. False if different bytes were read there before.
    bool add(const Piece &range, const FileVersion &version, const ShortHash &hash);
    /// Adds a range of zeros that was not read. The file may be settled later.
    void add_hole(const Piece &range, const FileVersion &version);
    /// Marks the file as incomplete: a receiver continues it although not all its bytes were
    /// compared.
    void trust(std::uint64_t index);

private:
    struct Range {
        std::uint64_t length = 0;
        /// nullopt: zeros.
        std::optional<ShortHash> hash;
    };
    struct File {
        /// The version settled last; nullopt: `ranges` may mix versions.
        std::optional<FileVersion> settled;
        std::int64_t data_ctime_ns = 0;
        std::map<std::uint64_t, Range> ranges;
        /// Receivers have parts that are missing in `ranges`.
        bool incomplete = false;
        /// The version that agrees with all ranges below `compared`.
        std::optional<FileVersion> comparing;
        std::uint64_t compared = 0;
    };
    struct Content {
        std::unordered_map<std::uint64_t, File> files;
        std::size_t ranges = 0;
        std::size_t receivers = 0;
    };

    bool add(const Piece &range, const FileVersion &version, const Range &known);
    void leave();

    Guarded<Content> content_;
    /// Held while ranges are compared: other threads wait for the same answer.
    std::mutex comparing_;
};

} // namespace thru
