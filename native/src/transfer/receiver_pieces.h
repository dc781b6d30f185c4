// Pieces of received files: the bytes that are claimed, written, or must be sent again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "transfer/entry_table.h"
#include "transfer/range_set.h"
#include "transfer/receiver_entries.h"
#include "transfer/receiver_events.h"
#include "transfer/receiver_haves.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// Changes entry states as their bytes arrive, and asks the sender to repeat lost bytes.
class ReceiverPieces {
public:
    /// All must outlive this.
    ReceiverPieces(ReceiverEntries &entries, ReceiverHaves &haves, ReceiverOutbox &out)
        : entries_(entries), haves_(haves), out_(out) {}

    /// Prefetched segments may arrive.
    bool prefetching() const { return prefetching_; }
    void set_prefetching() { prefetching_ = true; }

    // Segments; see Receiver.

    Result<> on_started(const SegmentPlan &plan);
    Result<> on_prefetched(SegmentPlan &plan);
    void on_written(const SegmentPlan &plan);
    void on_abandoned(const SegmentPlan &plan);
    /// Returns the entries that fail because of it.
    std::vector<std::uint64_t> on_damaged(const SegmentPlan &plan);
    void on_lost(const SegmentPlan &plan);
    void on_voided(const SegmentPlan &plan);
    void request_lost();
    /// False if the entry can no longer be received.
    bool on_bytes_lost(const Piece &piece);
    bool on_read_back_wrong(const Piece &piece);

    /// Begins an accepted file with the bytes of `have`, and sends that with its hashes `extents`.
    void resume_from(const Have &have, std::vector<Extents::Run> extents,
                     std::optional<std::uint64_t> fetched);
    /// Discards the bytes below `end` of a resumed file, which are sent again.
    void restart(std::uint64_t index, std::uint64_t end);

    /// Moves an entry to a final state: published, skipped, removed or failed.
    void withdraw(std::uint64_t index, EntryState state);
    /// Makes a skipped or unwanted file wanted. False if it must wait for bytes in transit.
    bool want(std::uint64_t index);
    std::uint64_t wanted_again() const { return wanted_again_; }
    void check_complete(std::uint64_t index);

    bool stream_open() const;
    std::uint64_t present_bytes(std::uint64_t index) const;
    /// The sum of present_bytes over Partial files.
    std::uint64_t partial_bytes() const { return partial_bytes_; }
    /// Files that became complete since the last call and still are.
    std::vector<std::uint64_t> take_complete();

private:
    /// A file received in several pieces, begun earlier, or received a second time. An empty file
    /// counts as one byte, so that it can be missing.
    struct PartialFile {
        /// Bytes that no other segment may contain.
        RangeSet claimed;
        /// Verified and written.
        RangeSet written;
        std::uint32_t in_flight = 0;
    };

    bool covers_file(const Piece &piece) const;
    /// The piece's range in the sets of its PartialFile.
    std::pair<std::uint64_t, std::uint64_t> range_of(const Piece &piece) const;
    Result<> claim(const Piece &piece, bool alone);
    Result<> claim_part(const Piece &piece);
    /// True for the empty piece after a stream's data, which ends it.
    bool ends_stream(const Piece &piece) const;
    Result<> fit_stream(const Piece &piece, bool alone);
    void finish_stream(const Piece &piece);
    void claim_range(PartialFile &file, std::uint64_t begin, std::uint64_t end);
    void add_written(const Piece &piece);
    /// Clears claims and written bytes of this range; returns the number of written bytes cleared.
    std::uint64_t clear_range(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    void drop_if_empty(std::uint64_t index);
    void forget(std::uint64_t index);
    void drop_piece(std::uint64_t index);
    /// A claimed piece ended. False if its bytes were dropped.
    bool end_piece(const Piece &piece);
    /// Releases a piece's claim for other pieces. Returns the number of its written bytes.
    std::uint64_t unclaim(const Piece &piece);
    void want_again(std::uint64_t index);
    void become_complete(std::uint64_t index);
    /// True if its written bytes can be requested again.
    bool holds_unpublished(std::uint64_t index) const;
    void request_resend(const Piece &piece);

    ReceiverEntries &entries_;
    ReceiverHaves &haves_;
    ReceiverOutbox &out_;
    std::unordered_map<std::uint64_t, PartialFile> partial_;
    std::uint64_t partial_bytes_ = 0;
    /// Number of ranges in all of partial_, which bounds the memory that a peer can claim.
    std::size_t ranges_ = 0;
    /// Upper bound of the ranges that the peer did not cause.
    std::size_t own_ranges_ = 0;
    /// Files skipped and wanted again, or that lost bytes as more arrived: bytes may arrive twice.
    std::unordered_set<std::uint64_t> repeated_;
    /// Pieces in transit to drop, as their files are skipped or whole; possibly of every entry.
    EntryTable<std::uint32_t> dropping_;
    std::uint64_t wanted_again_ = 0;
    bool prefetching_ = false;
    /// Files with a Have while prefetched segments may arrive: their prefetched bytes are unused.
    std::unordered_set<std::uint64_t> resumed_;
    /// Pieces requested again after a wrong hash: index and offset.
    std::set<std::pair<std::uint64_t, std::uint64_t>> damaged_;
    std::unordered_map<std::uint64_t, unsigned> read_back_wrong_;
    /// Pieces for request_lost(): index and offset to length.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> lost_;
    std::vector<std::uint64_t> complete_files_;
    /// The stream's end according to the piece that ends it.
    std::optional<std::uint64_t> stream_end_;
    /// The piece that ends the stream was verified.
    bool stream_ended_ = false;
};

} // namespace thru
