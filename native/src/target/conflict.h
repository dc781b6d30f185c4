// Decides about files whose place is taken. Pure: asks no disk.
#pragma once

#include <cstdint>
#include <optional>

#include "fs/file_system.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

enum class Decision : std::uint8_t {
    /// Nothing exists there.
    Write,
    /// Replaces the existing file in one step.
    WriteOver,
    /// As `name (2).ext`.
    WriteBeside,
    LeaveOut,
    /// The same file exists already.
    Present,
    /// A file of the same size, or a link for a link: only its content or its text tells.
    CompareContent,
};

/// True when a file that was given the time `offered` may show the time `stored`: file systems keep
/// it in steps (2 s on FAT, 1 s, 10 ms on exFAT, 100 ns on NTFS) and round either way. Both in
/// nanoseconds since 1970.
bool is_same_time(std::int64_t offered, std::int64_t stored);
/// `offered` is later by more than such a step.
bool is_newer(std::int64_t offered, std::int64_t stored);

/// A file of the same size and time as offered.
bool is_same_version(const fs::FileStatus &existing, std::uint64_t size, std::int64_t mtime_ns);

/// The existing file is still the one that was inspected.
bool is_unchanged(const fs::FileStatus &before, const fs::FileStatus &now);

/// What the receiver wants for the entry `index` when another file has its place.
ConflictPolicy policy_for(const ManifestTable &manifest, std::uint64_t index,
                          const ReceiveOptions &options);

/// For the file or link `index`, whose place is taken by `existing`: the status of the link itself
/// when it is one. Folders are merged and texts are not written: neither is decided here. Identical
/// files are Present, whatever the policy. Folders, pipes and devices are never written over; links
/// are, and never followed.
Decision decide(const std::optional<fs::FileStatus> &existing, const ManifestTable &manifest,
                std::uint64_t index, const ReceiveOptions &options);

/// As decide, when the content of a CompareContent proved to be another.
Decision decide_different(const fs::FileStatus &existing, const ManifestTable &manifest,
                          std::uint64_t index, const ReceiveOptions &options);

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

/// Counts a decision about a file of `bytes`; CompareContent counts nothing yet.
void count_decision(Decision decision, std::uint64_t bytes, ConflictSummary &summary);

} // namespace thru
