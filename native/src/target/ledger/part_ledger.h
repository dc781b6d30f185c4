#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "journal/journal.h"
#include "target/ledger/dirty_set.h"
#include "target/ledger/entry_ledger.h"
#include "target/ledger/write_ledger.h"
#include "target/part_store.h"

namespace thru {

struct ResumedPartial;

/// The counterpart of WriteLedger for the folder's strand: adopts files of a previous attempt,
/// removes files, and takes data to commit.
class PartLedger {
public:
    /// All must outlive this.
    PartLedger(EntryLedger &entries, PartStore &store, WriteLedger &writes,
               const ManifestTable &manifest);

    /// The journal receives every later change; a new one starts empty. May be null. Otherwise it
    /// must live until the next call or the end of the ledgers.
    void set_journal(Journal *journal);

    /// Adopts an open, synced partial file: logs its extents and voids records of bytes beyond.
    void adopt_large(std::uint64_t index, const PartFile &part, fs::FileHandle file,
                     const ResumedPartial &resumed);
    /// Adopts a complete, durable part file of a previous attempt.
    void adopt_small(std::uint64_t index, const PartFile &part);
    /// Discards the file's data from a previous attempt: it will be overwritten.
    void restart(std::uint64_t index);
    /// A hole was cleared in the file.
    void add_hole(const std::shared_ptr<LargePart> &part, std::uint64_t offset,
                  std::uint64_t length);

    struct CompleteFile {
        PartFile part;
        /// Null if it is in a batch.
        std::shared_ptr<LargePart> large;
    };
    /// nullopt if the entry has no part file.
    std::optional<CompleteFile> find_complete(std::uint64_t index) const;

    /// Takes data written since the last commit; without a journal, only `complete` large files.
    DirtyData take_dirty(const std::vector<std::uint64_t> &complete);
    /// `dirty` could not be synced: invalidates it and data being written. Adds the data written to
    /// its parts meanwhile, or to all files if `everything`. Extents of its parts and all members
    /// of its batches must be sent again.
    void fail_commit(DirtyData &dirty, bool everything);
    /// Invalidates extents that must be sent again.
    void void_range(std::uint64_t index, const ByteRange &range);

    /// The entry is complete under its name.
    void set_done(std::uint64_t index);
    /// Accepts no more data of the entry, and deletes its part file.
    void drop(std::uint64_t index);
    /// Deletes the part file, unless it is retained; the file may be received again.
    void remove(std::uint64_t index);
    /// Deletes all part files.
    void remove_rest();
    /// Rejects all later writes.
    void close();

private:
    EntryLedger &entries_;
    PartStore &store_;
    WriteLedger &writes_;
    const ManifestTable &manifest_;
};

} // namespace thru
