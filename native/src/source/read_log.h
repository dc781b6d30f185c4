// Remembers which parts of large files receivers were sent, so that a change of a file's attributes
// alone can be told from a change of its data. The reasons are in
// docs/reliability.md#files-that-change.
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

/// Files that take several segments, by entry. Any thread.
class ReadLog {
public:
    /// Read by one call of settle().
    static constexpr std::uint64_t kStepBytes = 64ULL << 20;
    /// The most ranges that are remembered: about 64 MiB of memory for 8 TB of files. In a file
    /// with more of them a change that only its ctime shows counts as one of the data.
    static constexpr std::size_t kMaxRanges = 1 << 20;

    /// While one lives, some receiver may have part of a file, and ranges are remembered.
    class Receiver {
    public:
        explicit Receiver(ReadLog &log) : log_(log) { ++log_.content_.lock()->receivers; }
        ~Receiver() { log_.leave(); }
        Receiver(const Receiver &) = delete;
        Receiver &operator=(const Receiver &) = delete;

    private:
        ReadLog &log_;
    };

    /// A ctime that stands for the data: that of the scan, until a change is found that may be one
    /// of the data.
    std::int64_t data_ctime(std::uint64_t index, const FileVersion &scanned) const;
    /// True when the file, which now has the version `now`, still holds the data that was read of
    /// it; else SourceChanged. False: there is more to compare, call it again.
    Result<bool> settle(std::uint64_t index, const FileVersion &scanned, const FileVersion &now,
                        const fs::FileHandle &file);
    /// Bytes that were read from the file in this version, after it was settled. False when other
    /// bytes were read there before.
    bool add(const Piece &range, const FileVersion &version, const ShortHash &hash);
    /// Adds a range of zeros that was not read. The file may be settled later.
    void add_hole(const Piece &range, const FileVersion &version);
    /// A receiver continues the file, although not all of its bytes were compared.
    void trust(std::uint64_t index);

private:
    struct Range {
        std::uint64_t length = 0;
        /// nullopt: zeros.
        std::optional<ShortHash> hash;
    };
    struct File {
        /// The version that was settled last; nullopt: `ranges` may be of several versions.
        std::optional<FileVersion> settled;
        std::int64_t data_ctime_ns = 0;
        /// By offset.
        std::map<std::uint64_t, Range> ranges;
        /// Receivers have parts that are not in `ranges`.
        bool incomplete = false;
        /// The version that all ranges below `compared` agree with.
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
    /// Held while ranges are compared: the others wait for the same answer.
    std::mutex comparing_;
};

} // namespace thru
