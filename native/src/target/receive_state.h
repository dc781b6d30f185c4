// State shared by ReceiveFolder, SegmentWriter and the steps of a transfer.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "journal/journal.h"
#include "names/name_map.h"
#include "target/part_files.h"
#include "target/previous_attempt.h"
#include "target/receive_folder.h"
#include "target/target.h"

namespace thru {

class Preparation;

struct ReceiveFolder::State {
    State(Target opened, std::shared_ptr<const ManifestTable> of, const ReceiveOptions &chosen,
          const TransferIds &transfer);
    ~State();

    const Target target;
    const std::shared_ptr<const ManifestTable> manifest;
    const ReceiveOptions options;
    const TransferIds ids;

    NameMap names;

    /// Both outlive the parts, which use them.
    std::unique_ptr<Journal> journal;
    std::unique_ptr<PreviousAttempt> previous;
    PartFiles parts{target, names, *manifest};

    // For the folder's strand only, as are journal and previous.

    /// The preparation under way.
    std::unique_ptr<Preparation> preparation;
    bool journal_searched = false;
    /// See ReceiveFolder::underway.
    bool underway = false;
    /// Names are mapped for so many entries.
    std::size_t mapped_end = 0;
    std::size_t prepared_end = 0;
    /// Commits in which the disk lost data.
    unsigned failed_commits = 0;
    /// Files to publish in the next commit.
    std::vector<std::uint64_t> complete;
    /// Files and links that may replace an existing one, with its status when inspected.
    std::unordered_map<std::uint64_t, fs::FileStatus> replaced;
    /// Existing files that are kept if their content is the same.
    std::unordered_map<std::uint64_t, fs::FileStatus> compared;

    std::atomic<std::uint64_t> dirty_bytes = 0;
};

/// What is exhausted when an operation there returned DiskFull.
Shortage::Kind shortage_kind(const ReceiveFolder::State &state, const Error &error);

} // namespace thru
