// What happens to a file or link whose place is taken. Pure: asks no disk.
//
// Folders are merged, and texts are not written: neither is decided here.
#pragma once

#include <cstdint>
#include <optional>

#include "io/file_system.h"
#include "io/receive_options.h"
#include "transfer/manifest_table.h"

namespace thru {

/// What stands where an entry goes.
enum class Standing : std::uint8_t {
    Nothing,
    /// A file of the same size and time.
    Identical,
    /// Only its content tells: a file of the same size, or a link for a link.
    Alike,
    /// Another file or link.
    Different,
    /// A folder, or neither file nor link: never replaced.
    Fixed,
};

/// `there` is the status of what has the entry's name, of the link itself when it is one.
/// `compare_content` as in ReceiveOptions.
Standing standing_of(const ManifestTable &manifest, std::uint64_t index,
                     const std::optional<fs::FileStatus> &there, bool compare_content);

/// What becomes of the entry.
enum class Decision : std::uint8_t {
    /// It is there already.
    Here,
    /// Its place is free: fs::rename_new.
    Write,
    /// It takes the place of the file or link there, which is not followed: fs::rename_over.
    WriteOver,
    /// It gets a numbered name.
    WriteBeside,
    LeaveOut,
    /// Compare a file's content or a link's text; then it is Here, or as decide_different says.
    CompareContent,
};

/// By `options.conflict`; what is identical is Here whatever that says.
Decision decide(const ManifestTable &manifest, std::uint64_t index,
                const std::optional<fs::FileStatus> &there, const ReceiveOptions &options);
/// For an entry that is known to be another than what is there.
Decision decide_different(const ManifestTable &manifest, std::uint64_t index,
                          const fs::FileStatus &there, const ReceiveOptions &options);

/// Counts one decision for an entry of `bytes`; Write and CompareContent are no conflicts (yet).
void count_decision(ConflictSummary &summary, Decision decision, std::uint64_t bytes);

/// True when a file that was given the time `offered` shows the time `stored`: file systems keep
/// only so much of it (2 s on FAT, 1 s, 10 ms on exFAT, 100 ns on NTFS), and round either way. Both
/// in nanoseconds since 1970.
bool is_same_time(std::int64_t offered, std::int64_t stored);
/// `offered` is later, by more than is_same_time overlooks.
bool is_newer(std::int64_t offered, std::int64_t stored);

} // namespace thru
