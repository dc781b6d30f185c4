// What SegmentWriters record about part files.
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

/// The part files of all entries, and a log of what comes into them. For any thread; PartLedger has
/// what only the folder's strand may do with the same records.
class WriteLedger {
public:
    /// Both outlive this.
    WriteLedger(const EntryLedger &entries, const PartStore &store)
        : entries_(entries), store_(store) {}

    /// nullptr when nothing of the entry is wanted; Stopped after PartLedger::close.
    Result<std::shared_ptr<LargePart>> large(std::uint64_t index);
    /// Opens the file, or makes it and logs that. The errors of PartStore::open.
    Result<std::shared_ptr<fs::FileHandle>> open(LargePart &part);

    /// Number of syncs that failed. A writer reads it at its first byte.
    std::uint64_t generation() const;
    /// False when the data no longer counts: the disk lost some of it since `generation`.
    bool add_extent(const std::shared_ptr<LargePart> &part, const Extent &extent,
                    std::uint64_t generation);
    /// False as for add_extent. Members that are not wanted are deleted.
    bool add_batch(Batch batch, std::uint64_t generation);
    void add_progress(const std::shared_ptr<LargePart> &part, std::uint64_t begin,
                      std::uint64_t end);
    /// Invalidates all records of the piece, which was not verified. It was written over an earlier
    /// copy, if there was one.
    void void_piece(const std::shared_ptr<LargePart> &part, const Piece &piece);
    /// Writes buffered records, so that they outlast the program. A full disk only delays that.
    void flush_journal();
    /// Nothing can be written any more.
    bool closed() const;

    void count_written(std::uint64_t bytes) { dirty_bytes_ += bytes; }
    /// Bytes written since the last commit began.
    std::uint64_t dirty_bytes() const { return dirty_bytes_; }

private:
    friend class PartLedger;

    struct Large {
        std::shared_ptr<LargePart> part;
        /// Bytes that a previous attempt left.
        std::uint64_t resumed = 0;
    };
    struct Records {
        /// Null when nothing is logged.
        Journal *journal = nullptr;
        bool closed = false;
        /// Part files by entry: of those in several segments, and of complete ones from a batch.
        std::unordered_map<std::uint64_t, Large> large;
        std::unordered_map<std::uint64_t, PartFile> small;
        DirtySet dirty;

        /// It was neither removed nor published.
        bool has(const std::shared_ptr<LargePart> &part) const;
        std::shared_ptr<LargePart> take_large(std::uint64_t index);
        void log(const JournalRecord &record);
    };
    /// Takes those members out of the batch whose data is not wanted, or does not count.
    std::vector<Batch::Member> take_unwanted(const Records &records, Batch &batch,
                                             bool counts) const;

    /// Where extents of the part are logged; nullopt when nobody could resume from them.
    std::optional<Slot> resumable_slot(const LargePart &part) const;

    const EntryLedger &entries_;
    const PartStore &store_;
    /// Locked after a part's mutex, never before.
    Guarded<Records> records_;
    std::atomic<std::uint64_t> dirty_bytes_ = 0;
};

} // namespace thru
