// The receiver's choices for one transfer, and the preflight of the folder it chose.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru {

/// What happens to a file whose name is taken by one that is not identical. Folders are merged.
enum class ConflictPolicy : std::uint8_t {
    /// The new one becomes `name (2).ext`.
    KeepBoth,
    /// The new one takes its place, in one step, when it is complete.
    Replace,
    /// As Replace when the new one was modified later, else it is left out.
    ReplaceOlder,
    /// The new one is left out.
    Skip,
};

struct ReceiveOptions {
    ConflictPolicy conflict = ConflictPolicy::KeepBoth;
    /// A file of the same size is identical when its content is, which reads both whole; else when
    /// its time is the same, too.
    bool compare_content = false;
    /// Resume an earlier attempt, and leave what a later one can resume.
    bool resume = true;
    /// Read everything back from the disk before it gets its name.
    bool verify = false;
    bool keep_times = true;
    bool keep_executable = true;
    bool make_links = true;
    bool make_empty_folders = true;
    /// Names that every system can hold, even where this one could hold more.
    bool portable_names = false;
};

/// Stands for the key by which a sender is known again; zero when it showed none.
using OriginId = std::array<std::uint8_t, 16>;

/// The owner of a journal. Anybody who received from a share can claim its id: only the origin is
/// proven.
struct TransferIds {
    WireId share{};
    WireId receive{};
    OriginId origin{};
    /// What the sender calls itself.
    std::string sender;
};

/// How many files met existing ones at the target, and what was done.
struct ConflictSummary {
    /// The same file existed already.
    std::uint64_t identical = 0;
    std::uint64_t identical_bytes = 0;
    /// Another file existed.
    std::uint64_t different = 0;
    /// Those of `different` that are replaced.
    std::uint64_t replaced = 0;
    std::uint64_t kept_both = 0;
    std::uint64_t left_out = 0;
};

/// A name that this system can't hold, and what it is written as.
struct MappedName {
    std::string path;
    std::string written_as;
};

/// An existing file where an entry would be written.
struct Conflict {
    std::uint64_t index = 0;
    std::uint64_t existing_bytes = 0;
    std::int64_t existing_mtime_ns = 0;
    /// The one that is offered was modified later.
    bool offered_is_newer = false;
};

/// What a folder has no room for, and how much.
struct Shortage {
    enum class Kind : std::uint8_t {
        Space,
        /// This user's share of the disk, whatever else is free.
        Quota,
        /// The disk holds no more files.
        Files,
    };
    Kind kind = Kind::Space;
    /// Bytes that have to become free, at least 1.
    std::uint64_t bytes = 1;
};

/// Most mapped names, conflicts and too large files that are listed; the rest are only counted.
inline constexpr std::size_t kMostListed = 1000;

/// Preflight of a folder before anything is accepted; it makes and changes nothing.
struct PreflightResult {
    /// The folder exists already.
    bool exists = false;
    ConflictSummary conflicts;
    std::vector<Conflict> listed_conflicts;
    /// Bytes of an earlier attempt that need not be sent again.
    std::uint64_t resumed_bytes = 0;
    /// Files that are wanted, texts included, and their sizes.
    std::uint64_t wanted_files = 0;
    std::uint64_t wanted_bytes = 0;
    /// Bytes that have to be written, and that are free.
    std::uint64_t needed_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
    /// Files that the file system can't hold.
    std::vector<std::uint64_t> too_large;
};

/// TargetNotWritable, TargetGone, BadManifest. Skips `unwanted`. Disk pool.
Result<PreflightResult> preflight_target(const std::string &directory,
                                         const ManifestTable &manifest, std::size_t end,
                                         const ReceiveOptions &options,
                                         const IndexRanges &unwanted);

} // namespace thru
