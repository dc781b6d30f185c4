// State of a receive in its folder. Folder's strand only: writers use WriterAccess.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "names/name_map.h"
#include "target/existing/existing_files.h"
#include "target/existing/sender_record.h"
#include "target/ledger/entry_ledger.h"
#include "target/ledger/part_ledger.h"
#include "target/ledger/write_ledger.h"
#include "target/lost_attributes.h"
#include "target/older/chunk_requests.h"
#include "target/part_store.h"
#include "target/planned_links.h"
#include "target/receive_folder.h"
#include "target/receive_journal.h"
#include "target/target.h"
#include "target/writer_access.h"

namespace thru {

/// Files and failures passed from one commit to the next.
class CommitQueue {
public:
    void add(std::uint64_t index) { complete_.push_back(index); }
    std::vector<std::uint64_t> take() { return std::exchange(complete_, {}); }
    std::size_t size() const { return complete_.size(); }
    /// Removes waiting files: if wanted again, they must not be published half received.
    void remove(const IndexRanges &ranges) {
        std::erase_if(complete_, [&](std::uint64_t index) {
            return !part_of(ranges, index, index + 1).empty();
        });
    }

    /// The disk lost data in a commit.
    void add_failed() { ++failed_; }
    unsigned failed() const { return failed_; }

private:
    std::vector<std::uint64_t> complete_;
    unsigned failed_ = 0;
};

struct ReceiveFolder::State {
    State(Target opened, std::shared_ptr<const ManifestTable> of, const ReceiveOptions &chosen,
          const TransferIds &transfer);

    const Target target;
    const std::shared_ptr<const ManifestTable> manifest;
    const ReceiveOptions options;
    /// The origin is that of journals; see renamed_origin.
    const TransferIds ids;

    NameMap names;
    const SenderRecords records;
    MadeFolders made_folders;
    EntryLedger entries;
    PartStore store{target, names, *manifest, made_folders};

    ReceiveJournal journal{*this};
    WriteLedger writes{entries, store};
    PartLedger parts{entries, store, writes, *manifest};
    ExistingFiles existing;
    LostAttributes lost_attributes;
    const WriterAccess writer_access{target,   *manifest, names,  options,        entries,
                                     existing, store,     writes, lost_attributes};

    CommitQueue queue;
    PlannedLinks links;
    /// Blocks of BasisCopies so far.
    std::uint64_t basis_blocks = 0;
    ChunkRequests chunks;
    /// Missing ranges of ChunkCopies and resumed files so far.
    std::uint64_t chunk_gaps = 0;
    /// Deletions in this round so far.
    DeletionReport deletions;

    /// The decision about an existing file that differs, with its record considered.
    Decision decide_different(std::uint64_t index, const fs::FileStatus &file) const;
    /// The entry may replace this file as long as the policy allows it.
    void allow_replacing(std::uint64_t index, const fs::FileStatus &file);

    /// See ReceiveFolder::underway.
    bool underway() const {
        return options.wait_for_room || entries.any_prepared() || journal.is_own();
    }
};

} // namespace thru
