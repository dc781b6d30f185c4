#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "base/guarded.h"
#include "journal/journal.h"
#include "target/ledger/dirty_set.h"
#include "target/ledger/entry_ledger.h"
#include "target/part_store.h"

namespace thru {

/// The part files of all entries, and a log of data written to them. Any thread; PartLedger
/// contains the operations of the folder's strand.
class WriteLedger {
public:
    /// Both must outlive this.
    WriteLedger(const EntryLedger &entries, const PartStore &store)
        : entries_(entries), store_(store) {}

    /// nullptr if the entry is unwanted; Stopped after PartLedger::close.
    Result<std::shared_ptr<LargePart>> large(std::uint64_t index);
    /// Opens the file, or creates and logs it. Errors as in PartStore::open.
    Result<std::shared_ptr<OpenPart>> open(LargePart &part);

    /// Number of failed syncs. A writer reads it at its first byte.
    std::uint64_t generation() const;
    /// False if the data no longer counts: the disk has lost some of it since `generation`.
    bool add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent,
                    std::uint64_t generation);
    /// False as for add_extent. Deletes unwanted members.
    bool add_batch(Batch batch, std::uint64_t generation);
    void add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                      std::uint64_t end);
    /// Invalidates all records of an unverified piece: it may have overwritten an earlier copy.
    void void_piece(const std::shared_ptr<LargePart> &part, const Piece &piece);
    /// Writes buffered records, so that they survive this program. A full disk only delays that.
    void flush_journal();
    /// True if nothing can be written anymore.
    bool closed() const;

    void count_written(std::uint64_t bytes) { dirty_bytes_ += bytes; }
    /// Bytes written since the last commit began.
    std::uint64_t dirty_bytes() const { return dirty_bytes_; }

private:
    friend class PartLedger;

    struct Large {
        std::shared_ptr<LargePart> part;
        /// Bytes from a previous attempt.
        std::uint64_t resumed = 0;
    };
    struct Records {
        /// Null if nothing is logged.
        Journal *journal = nullptr;
        bool closed = false;
        /// Part files by entry: files of several segments, and complete ones from a batch.
        std::unordered_map<std::uint64_t, Large> large;
        std::unordered_map<std::uint64_t, PartFile> small;
        DirtySet dirty;

        /// True if it was neither removed nor published.
        bool has(const std::shared_ptr<LargePart> &part) const;
        std::shared_ptr<LargePart> take_large(std::uint64_t index);
        void log(const JournalRecord &record);
    };
    /// Removes members from the batch whose data is unwanted or does not count.
    std::vector<Batch::Member> take_unwanted(const Records &records, Batch &batch,
                                             bool counts) const;

    /// The slot where extents of the part are logged; nullopt if none could be resumed.
    std::optional<Slot> resumable_slot(const LargePart &part) const;

    const EntryLedger &entries_;
    const PartStore &store_;
    /// Locked after a part's mutex, never before.
    Guarded<Records> records_;
    std::atomic<std::uint64_t> dirty_bytes_ = 0;
};

} // namespace thru
