// Decides about files whose place is taken. Pure: accesses no disk.
#pragma once

#include <cstdint>
#include <optional>

#include "base/error.h"
#include "fs/file_system.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

enum class Decision : std::uint8_t {
    /// Nothing exists there.
    Write,
    /// Atomically replaces the existing file.
    WriteOver,
    /// Gets a numbered name: `name (2).ext`.
    WriteBeside,
    LeaveOut,
    /// A folder or special file can't be replaced: the entry fails.
    Blocked,
    /// The same file exists already.
    Present,
    /// A file of the same size, or a link for a link: the content or link text decides.
    CompareContent,
};

/// True if the time `offered` may show as `stored`: file systems store times in steps (2 s on FAT,
/// 1 s, 10 ms on exFAT, 100 ns on NTFS) and round either way. Both in nanoseconds since 1970.
bool is_same_time(std::int64_t offered, std::int64_t stored);
/// True if `offered` is later by more than such a step.
bool is_newer(std::int64_t offered, std::int64_t stored);

/// True if the existing file has the offered size and time.
bool is_same_version(const fs::FileStatus &existing, std::uint64_t size, std::int64_t mtime_ns);

bool is_unchanged(const fs::FileStatus &before, const fs::FileStatus &now);

/// The policy for entry `index` when another file has its place.
ConflictPolicy policy_for(const ManifestTable &manifest, std::uint64_t index,
                          const ReceiveOptions &options);

/// True if a file of the same size is identical if its content is; otherwise its time decides.
bool compares_content(const ManifestTable &manifest, std::uint64_t index,
                      const ReceiveOptions &options);

/// Decides about the file or link `index`, whose place is taken by `existing` (a link's own
/// status). Identical files are always Present. Links are overwritten but never followed; folders,
/// pipes and devices are never overwritten. Not for folders (merged) and texts (not written).
Decision decide(const std::optional<fs::FileStatus> &existing, const ManifestTable &manifest,
                std::uint64_t index, const ReceiveOptions &options);

/// The error of a Blocked entry.
Error name_taken();

/// The decision once the content of a CompareContent proved to differ.
Decision decide_different(const fs::FileStatus &existing, const ManifestTable &manifest,
                          std::uint64_t index, const ReceiveOptions &options);

/// True if a decision of the functions above becomes WriteOver for a file that SenderRecords cover.
bool depends_on_record(const ManifestTable &manifest, std::uint64_t index,
                       const ReceiveOptions &options, Decision decision);

/// Smaller files are sent whole, whatever version of them exists.
inline constexpr std::uint64_t kMinBasisBytes = 1ULL << 20;

/// True if only the blocks in which the entry differs from the existing file are received.
bool is_updated(const ManifestTable &manifest, std::uint64_t index, const ReceiveOptions &options,
                Decision decision, const fs::FileStatus &existing);

/// Number of files whose place was taken, by decision.
struct ConflictSummary {
    /// The same file existed.
    std::uint64_t identical = 0;
    std::uint64_t identical_bytes = 0;
    /// A different file existed.
    std::uint64_t different = 0;
    /// Part of `different` that is replaced.
    std::uint64_t replaced = 0;
    std::uint64_t kept_both = 0;
    std::uint64_t left_out = 0;
};

/// Counts a decision about a file of `bytes`; CompareContent is not counted yet.
void count_decision(Decision decision, std::uint64_t bytes, ConflictSummary &summary);

} // namespace thru
