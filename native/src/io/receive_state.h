// What ReceiveFolder, SegmentWriter and the steps of a transfer share. Private to io/.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/journal.h"
#include "io/name_map.h"
#include "io/part_files.h"
#include "io/previous_attempt.h"
#include "io/receive_folder.h"
#include "io/target.h"

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

    /// The two that parts are told by outlive them.
    std::unique_ptr<Journal> journal;
    std::unique_ptr<PreviousAttempt> previous;
    PartFiles parts{target, names, *manifest};

    // Of the folder's strand only, as are journal and earlier.

    /// What is under way of one.
    std::unique_ptr<Preparation> preparation;
    bool journal_searched = false;
    /// See ReceiveFolder::underway.
    bool underway = false;
    /// Names and decisions are made for so many entries.
    std::size_t mapped_end = 0;
    std::size_t prepared_end = 0;
    /// Rounds in which the disk lost something.
    unsigned failed_commits = 0;
    /// To be named in the next round.
    std::vector<std::uint64_t> complete;
    /// Files and links that may take the place of what stood there, which was this.
    std::unordered_map<std::uint64_t, fs::FileStatus> replaced;
    /// Files that stand there already, if their content is the same.
    std::unordered_map<std::uint64_t, fs::FileStatus> compared;

    std::atomic<std::uint64_t> dirty_bytes = 0;
};

/// What has the name now is the very file that the entry may take the place of: what was changed
/// since it was looked at stays.
bool may_replace(const ReceiveFolder::State &state, std::uint64_t index,
                 const fs::FileHandle &folder, const std::string &name);

/// Gives a whole file its name, whatever stands there now. What it was named if not as its place
/// says; TargetNotWritable when something else was put in the place of the part file.
Result<std::string> publish(ReceiveFolder::State &state, FolderCursor &cursor, std::uint64_t index,
                            const PartFile &part);

/// Puts names, and what was made or renamed in these folders, onto the disk.
fs::SystemResult<> sync_folders(const Target &target, const std::set<std::string> &folders);

/// See ReceiveFolder::settle.
CommitResult commit(ReceiveFolder::State &state, bool last_try);

/// What a DiskFull there means.
Shortage::Kind shortage_kind(const ReceiveFolder::State &state, const Error &error);

/// See ReceiveFolder::finish.
Result<std::vector<WriteFailure>> finish(ReceiveFolder::State &state);

} // namespace thru
