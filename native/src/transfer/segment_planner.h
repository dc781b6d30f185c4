// Plans the segments that a sender still has to send to one receiver.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "transfer/file_states.h"
#include "transfer/index_set.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// A segment is one piece of one file, cut at multiples of kSegmentBytes, or a batch of whole files
/// up to that size. Takes a byte per entry, and more for files in several pieces. Network thread.
class SegmentPlanner {
public:
    /// The reason why an entry isn't sent.
    enum class Reason : std::uint8_t { Unwanted = 1, Present = 2, Removed = 4, Failed = 8 };
    using ValidatorOf = std::function<WireId(std::uint64_t)>;

    SegmentPlanner(std::shared_ptr<const ManifestTable> manifest, ValidatorOf validator_of);

    /// Messages may name entries below `end`.
    void set_checkpoint(std::uint64_t end);
    /// Entries below `end` are requested. Neither end ever decreases.
    void request(std::uint64_t end);
    std::uint64_t checkpoint() const { return checkpoint_; }
    std::uint64_t requested() const { return requested_; }

    /// False if already left out for `why`. Removed may lie beyond the checkpoint.
    bool leave_out(std::uint64_t index, Reason why);
    bool left_out(std::uint64_t index, Reason why) const;
    /// True if neither unwanted, present, removed nor failed.
    bool to_be_sent(std::uint64_t index) const;
    std::uint64_t planned_bytes(std::uint64_t index) const;
    /// Excludes entries in transit. Linear in the offered entries: one byte each.
    FileStates file_states() const;
    /// Undoes Unwanted and Present: the file starts over. Returns the bytes sent twice.
    std::uint64_t unskip(std::uint64_t index);

    /// These entries, rising, are not prefetched: the receiver can link them.
    void set_hard_links(std::vector<HardLink> links) { hard_links_ = std::move(links); }
    /// Plans up to `bytes` of the first files before any request: at most a batch, then a piece.
    std::deque<SegmentPlan> prefetch(std::uint64_t bytes);
    /// True if prefetched bytes of the file count: it is still wanted and had no Have.
    bool uses_prefetched(std::uint64_t index) const;
    /// Restarts a file whose prefetched bytes could not be read, before any request.
    void forget_prefetched(std::uint64_t index);

    /// Gives entries priority over all others, in this order.
    void prioritize(const IndexRanges &ranges);
    /// Makes a file that will be sent wait until the Have is checked. False if it already had one.
    bool await_check(const Have &have);
    /// True while the file waits for its Have to be checked.
    bool awaits_check(std::uint64_t index) const;
    /// `same`: the file continues at the Have's offset; otherwise it starts over.
    void on_have_checked(std::uint64_t index, bool same);
    /// The next data run of a sparse file, in answer to SenderDataWanted.
    void found_data(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    void resend(const Piece &bytes);

    /// The stream has grown to `end`, which the manifest knows; `ended` if that is its final size.
    void grow_stream(std::uint64_t end, bool ended);
    std::uint64_t stream_end() const { return stream_end_; }
    std::uint64_t stream_planned() const { return stream_planned_; }

    /// Additional results of a plan.
    struct Notes {
        /// Validator and Hole messages, sent before the segment.
        std::vector<ControlMessage> messages;
        /// Files that wait until their next data is found.
        std::vector<Piece> data_wanted;
        /// The search reached its limit; the next call continues it.
        bool searching = false;
        /// The plan repeats bytes that were planned before.
        bool repeated = false;
    };
    /// nullopt when there is nothing to send, everything waits, or the search is unfinished.
    std::optional<SegmentPlan> next(Notes &notes);

    /// Totals of requested files that are neither unwanted, removed nor failed.
    std::uint64_t files() const { return files_; }
    std::uint64_t bytes() const { return bytes_; }
    /// Requested files that were not removed, and the unwanted ones among them.
    std::uint64_t offered_files() const { return offered_files_; }
    std::uint64_t unwanted_files() const { return unwanted_files_; }

private:
    enum Flag : std::uint8_t {
        /// Completely planned.
        Planned = 16,
        /// A Have or a search for data is unanswered.
        Waiting = 32,
        /// A Have arrived; at most one is allowed.
        HaveSeen = 64,
        /// Its prioritized turn passed while it waited.
        PassedOver = 128,
    };
    /// Progress of a file that is sent in several pieces.
    struct Course {
        /// Start of the next segment.
        std::uint64_t next = 0;
        /// Sparse files: the known run of data.
        std::uint64_t data_begin = 0;
        std::uint64_t data_end = 0;
        /// Offset from which data is being searched.
        std::optional<std::uint64_t> searched;
        std::optional<std::uint64_t> claimed;
        bool validator_sent = false;
    };

    static FileState file_state(std::uint8_t entry);
    bool is_file(std::uint64_t index) const;
    /// Adds a requested file's state to all sums or subtracts it, around every change.
    void count(std::uint64_t index, bool in);
    bool counts(std::uint64_t index) const;
    void change(std::uint64_t index, unsigned set, unsigned clear);
    bool plannable(std::uint64_t index) const;
    bool goes_in_one(std::uint64_t index) const;
    /// Drops the file's Have.
    void release(std::uint64_t index);
    void set_ready(std::uint64_t index);
    std::optional<std::uint64_t> priority_candidate();
    std::optional<std::uint64_t> candidate();
    SegmentPlan next_resend();
    SegmentPlan next_batch(std::uint64_t first);
    SegmentPlan next_of_stream(std::uint64_t index);
    SegmentPlan next_piece(std::uint64_t index, Notes &notes);
    /// False if the file waits for data to be found, or ended with a hole.
    bool skip_hole(std::uint64_t index, Course &course, Notes &notes);

    std::shared_ptr<const ManifestTable> manifest_;
    ValidatorOf validator_of_;
    std::uint64_t checkpoint_ = 0;
    std::uint64_t requested_ = 0;
    std::uint64_t files_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t offered_files_ = 0;
    std::uint64_t unwanted_files_ = 0;
    /// Holes sent, at most kMaxHoles.
    std::uint64_t holes_sent_ = 0;
    std::uint64_t stream_end_ = 0;
    std::uint64_t stream_planned_ = 0;
    bool stream_ended_ = false;
    /// Empty after a request.
    std::vector<HardLink> hard_links_;
    /// Reasons and flags of each entry.
    std::vector<std::uint8_t> entries_;
    std::unordered_map<std::uint64_t, Course> courses_;
    /// All entries below are planned, left out, waiting, or in `ready_`.
    std::uint64_t cursor_ = 0;
    /// Entries before the cursor that can be planned now. Some are in `priority_`, too.
    IndexSet ready_;
    std::deque<IndexRange> priority_;
    /// Entries of `priority_` that this call of next() may still skip.
    std::uint64_t may_pass_ = 0;
    std::deque<Piece> resends_;
};

} // namespace thru
