// What is done with a file whose place is taken. Pure: asks no disk. Private to io/.
#pragma once

#include <cstdint>
#include <optional>

#include "io/file_system.h"
#include "io/receive_options.h"
#include "transfer/manifest_table.h"

namespace thru {

enum class Decision : std::uint8_t {
    /// Nothing stands there.
    Write,
    /// In the place of what stands there, in one step.
    WriteOver,
    /// As `name (2).ext`.
    WriteBeside,
    LeaveOut,
    /// The same file is there already.
    Here,
    /// The same size: only its content tells.
    CompareContent,
};

/// Times as close as this are the same where a file system keeps them to 2 s only (FAT).
inline constexpr std::int64_t kCoarseTimeNs = 2'000'000'000;

/// Same size and time as offered; both times in whole seconds of an even number may be a coarse
/// file system's.
bool is_same_version(const fs::FileStatus &there, std::uint64_t size, std::int64_t mtime_ns);

/// For the file `index`, at whose place `there` stands. Identical files are Here, whatever the
/// policy. Folders, pipes and devices are never written over; links are, and never followed.
Decision decide(const std::optional<fs::FileStatus> &there, const ManifestTable &manifest,
                std::uint64_t index, const ReceiveOptions &options);

/// As decide, when the content of a CompareContent proved to be another.
Decision decide_different(const fs::FileStatus &there, const ManifestTable &manifest,
                          std::uint64_t index, const ReceiveOptions &options);

/// Counts a decision about a file of `bytes`; CompareContent counts nothing yet.
void count_decision(Decision decision, std::uint64_t bytes, ConflictSummary &summary);

} // namespace thru
