// Pieces of received files: which bytes are claimed, written, or to be sent again.
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

/// Moves entries between states as their bytes come, and asks the sender for those that have to
/// come again.
class ReceiverPieces {
public:
    /// All of these outlive it.
    ReceiverPieces(ReceiverEntries &entries, ReceiverHaves &haves, ReceiverOutbox &out)
        : entries_(entries), haves_(haves), out_(out) {}

    // Segments; see Receiver.

    Result<> on_started(const SegmentPlan &plan);
    void on_written(const SegmentPlan &plan);
    void on_abandoned(const SegmentPlan &plan);
    /// The entries that failed by it.
    std::vector<std::uint64_t> on_damaged(const SegmentPlan &plan);
    void on_lost(const SegmentPlan &plan);
    void on_voided(const SegmentPlan &plan);
    void request_lost();
    /// False when the entry can't be received any more.
    bool on_bytes_lost(const Piece &piece);
    bool on_read_back_wrong(const Piece &piece);

    /// Begins an accepted file with the bytes of `have`, whose hashes are `extents`, and sends it.
    void resume_from(const Have &have, std::vector<Extents::Run> extents);
    /// The bytes below `end` of a resumed file are useless.
    void restart(std::uint64_t index, std::uint64_t end);

    /// Moves an entry to a final state: published, skipped, removed or failed.
    void withdraw(std::uint64_t index, EntryState state);
    /// Makes a skipped or unwanted file wanted. False when that has to wait for bytes of it that
    /// are on their way.
    bool want(std::uint64_t index);
    /// Counts the files that were wanted again.
    std::uint64_t wanted_again() const { return wanted_again_; }
    void check_complete(std::uint64_t index);

    /// More of a stream that is wanted may come.
    bool stream_open() const;
    /// Written bytes of an entry: whole pieces.
    std::uint64_t present_bytes(std::uint64_t index) const;
    /// The sum of that over files that are Partial.
    std::uint64_t partial_bytes() const { return partial_bytes_; }
    /// Files that became complete since the last call, and still are.
    std::vector<std::uint64_t> take_complete();

private:
    /// A file that comes in several pieces, began earlier, or comes a second time. Empty files
    /// count as one byte here: so that it can be missing.
    struct PartialFile {
        /// No other segment may have these bytes.
        RangeSet claimed;
        /// Verified and written.
        RangeSet written;
        /// Pieces that are being received.
        std::uint32_t in_flight = 0;
    };

    bool covers_file(const Piece &piece) const;
    /// The place of the piece in the sets of its PartialFile.
    std::pair<std::uint64_t, std::uint64_t> range_of(const Piece &piece) const;
    Result<> claim(const Piece &piece, bool alone);
    Result<> claim_part(const Piece &piece);
    /// The empty piece that ends a stream, behind its data.
    bool ends_stream(const Piece &piece) const;
    Result<> fit_stream(const Piece &piece, bool alone);
    void finish_stream(const Piece &piece);
    void claim_range(PartialFile &file, std::uint64_t begin, std::uint64_t end);
    void add_written(const Piece &piece);
    /// Clears claims and written bytes of this range; returns how many bytes had been written.
    std::uint64_t clear_range(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    void drop_if_empty(std::uint64_t index);
    void forget(std::uint64_t index);
    void drop_piece(std::uint64_t index);
    /// A claimed piece ended. False when its bytes were dropped.
    bool end_piece(const Piece &piece);
    /// Releases a piece's claim, so that it can come again in any shape. How many bytes of it had
    /// been written.
    std::uint64_t unclaim(const Piece &piece);
    void want_again(std::uint64_t index);
    void become_complete(std::uint64_t index);
    /// True when written bytes of it can be requested again.
    bool holds_unpublished(std::uint64_t index) const;
    void request_resend(const Piece &piece);

    ReceiverEntries &entries_;
    ReceiverHaves &haves_;
    ReceiverOutbox &out_;
    std::unordered_map<std::uint64_t, PartialFile> partial_;
    std::uint64_t partial_bytes_ = 0;
    /// Ranges in all of partial_: a bound on what a peer can make us remember.
    std::size_t ranges_ = 0;
    /// The most of them that are not the peer's doing.
    std::size_t own_ranges_ = 0;
    /// Files that were skipped and wanted again, or that a disk lost bytes of while more came:
    /// their bytes may arrive twice.
    std::unordered_set<std::uint64_t> repeated_;
    /// Pieces being received whose bytes are dropped, of files that are skipped or whole. A sender
    /// can make it cover every entry.
    EntryTable<std::uint32_t> dropping_;
    std::uint64_t wanted_again_ = 0;
    /// Pieces requested again because of a wrong hash: index and offset.
    std::set<std::pair<std::uint64_t, std::uint64_t>> damaged_;
    std::unordered_map<std::uint64_t, unsigned> read_back_wrong_;
    /// Pieces that request_lost() requests: from index and offset to length.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> lost_;
    std::vector<std::uint64_t> complete_files_;
    /// The end of the stream, as the piece that ends it says.
    std::optional<std::uint64_t> stream_end_;
    /// The piece that ends the stream was verified.
    bool stream_ended_ = false;
};

} // namespace thru
