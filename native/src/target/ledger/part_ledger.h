// What the folder's strand does with part files and the record of them.
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

/// The other side of WriteLedger, for the folder's strand only: adopts what a previous attempt
/// left, removes, and takes what is to be committed.
class PartLedger {
public:
    /// All of them outlive this.
    PartLedger(EntryLedger &entries, PartStore &store, WriteLedger &writes,
               const ManifestTable &manifest);

    /// Receives every later change. A new journal starts empty. May be null, and outlives the
    /// ledgers otherwise, or until the next call.
    void set_journal(Journal *journal);

    /// Adopts a partial file of a previous attempt, open and synced. Its extents are logged, and
    /// records of bytes beyond are invalidated.
    void adopt_large(std::uint64_t index, const PartFile &part, fs::FileHandle file,
                     const ResumedPartial &resumed);
    /// Adopts a complete part file of a previous attempt, which is durable.
    void adopt_small(std::uint64_t index, const PartFile &part);
    /// Discards what a previous attempt left of the file: it is overwritten.
    void restart(std::uint64_t index);
    /// A hole was cleared in the file.
    void add_hole(const std::shared_ptr<LargePart> &part, std::uint64_t offset,
                  std::uint64_t length);

    /// A complete file's location.
    struct CompleteFile {
        PartFile part;
        /// Null when it is in a batch.
        std::shared_ptr<LargePart> large;
    };
    /// nullopt when the entry has no part file.
    std::optional<CompleteFile> find_complete(std::uint64_t index) const;

    /// Takes what was written since the last commit. Without a journal, only large files in
    /// `complete`.
    DirtyData take_dirty(const std::vector<std::uint64_t> &complete);
    /// Invalidates `dirty`, which could not be synced, and data being written. Adds what was
    /// written to its parts meanwhile, or to all files if `everything`. Extents of its parts, and
    /// all members of its batches, have to be sent again.
    void fail_commit(DirtyData &dirty, bool everything);
    /// Invalidates extents that have to be sent again.
    void void_range(std::uint64_t index, const ByteRange &range);

    /// The entry is complete under its name.
    void set_done(std::uint64_t index);
    /// Nothing of the entry is accepted any more, and its part file is deleted.
    void drop(std::uint64_t index);
    /// Deletes the part file, unless it is retained; the file may be received again.
    void remove(std::uint64_t index);
    /// Deletes all part files.
    void remove_rest();
    /// Nothing can be written afterwards.
    void close();

private:
    EntryLedger &entries_;
    PartStore &store_;
    WriteLedger &writes_;
    const ManifestTable &manifest_;
};

} // namespace thru
