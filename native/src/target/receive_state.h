// State of a receive in its folder, for the folder's strand only: writers get WriterAccess.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "journal/journal.h"
#include "names/name_map.h"
#include "target/ledger/entry_ledger.h"
#include "target/ledger/part_ledger.h"
#include "target/ledger/write_ledger.h"
#include "target/part_store.h"
#include "target/previous_attempt.h"
#include "target/receive_folder.h"
#include "target/target.h"
#include "target/writer_access.h"

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
    MadeFolders made_folders;
    EntryLedger entries;
    PartStore store{target, names, *manifest, made_folders};

    /// Outlives the ledgers, which use it.
    std::unique_ptr<Journal> journal;
    std::unique_ptr<PreviousAttempt> previous;
    WriteLedger writes{entries, store};
    PartLedger parts{entries, store, writes, *manifest};
    const WriterAccess writer_access{target, *manifest, names, options, entries, store, writes};

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
    /// Folders with names that could not be synced.
    std::set<std::string> unsynced_folders;
    /// Files to publish in the next commit.
    std::vector<std::uint64_t> complete;
    /// Files and links that may replace an existing one, with its status when inspected.
    std::unordered_map<std::uint64_t, fs::FileStatus> replaced;
    /// Held from the look at an existing file until it is replaced: where the disk takes two names
    /// for one, another publisher may be about to replace it, too.
    mutable std::mutex replacing;
    /// Existing files that are kept if their content is the same.
    std::unordered_map<std::uint64_t, fs::FileStatus> compared;
};

} // namespace thru
