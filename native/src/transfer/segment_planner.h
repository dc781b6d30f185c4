// Plans what a sender still has to send to one receiver, and in which segments.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "transfer/file_states.h"
#include "transfer/index_set.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// A segment is one piece of one file, cut at multiples of kSegmentBytes, or a batch of complete
/// files that are no larger than that. One byte for each entry; more only for files that are sent
/// in several pieces. Used on the network thread only.
class SegmentPlanner {
public:
    /// Why an entry isn't sent.
    enum class Reason : std::uint8_t { Unwanted = 1, Present = 2, Removed = 4, Failed = 8 };
    using ValidatorOf = std::function<WireId(std::uint64_t)>;

    SegmentPlanner(std::shared_ptr<const ManifestTable> manifest, ValidatorOf validator_of);

    /// Entries below `end` may be named in messages.
    void set_checkpoint(std::uint64_t end);
    /// Entries below `end` are requested. Neither of the two ever decreases.
    void request(std::uint64_t end);
    std::uint64_t checkpoint() const { return checkpoint_; }
    std::uint64_t requested() const { return requested_; }

    /// False when it was left out for that reason already. `index` may lie behind the checkpoint
    /// for Removed.
    bool leave_out(std::uint64_t index, Reason why);
    bool left_out(std::uint64_t index, Reason why) const;
    /// Neither unwanted, present, removed nor failed.
    bool to_be_sent(std::uint64_t index) const;
    /// How far it is planned, in bytes.
    std::uint64_t planned_bytes(std::uint64_t index) const;
    /// Without what is under way. Linear in what is offered: a byte for each.
    FileStates file_states() const;
    /// Undoes Unwanted and Present: the file comes from its start. Returns the bytes that are sent
    /// a second time.
    std::uint64_t unskip(std::uint64_t index);

    /// Puts entries before all others, in this order.
    void prioritize(const IndexRanges &ranges);
    /// Makes the file wait, if it is to be sent, until the Have is checked. False when there was a
    /// Have for it before.
    bool await_check(const Have &have);
    /// Whether the file waits for its Have to be checked.
    bool awaits_check(std::uint64_t index) const;
    /// `same`: the file continues at the Have's offset. Otherwise it comes from its start.
    void on_have_checked(std::uint64_t index, bool same);
    /// The next data of a sparse file: the answer to a SenderDataWanted.
    void found_data(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    /// Plans these bytes once more.
    void resend(const Piece &bytes);

    /// The stream has that many bytes, which the manifest knows; `ended` when no more come.
    void grow_stream(std::uint64_t end, bool ended);
    std::uint64_t stream_end() const { return stream_end_; }
    std::uint64_t stream_planned() const { return stream_planned_; }

    /// What a plan requires besides itself.
    struct Notes {
        /// Validator and Hole, before the segment.
        std::vector<ControlMessage> messages;
        /// Files whose next data has to be found before they continue.
        std::vector<Piece> data_wanted;
        /// The search stopped at its limit: the next call continues it.
        bool searching = false;
        /// The plan is of bytes that were planned before.
        bool repeated = false;
    };
    /// nullopt when there is nothing to send, everything waits, or the search is not finished.
    std::optional<SegmentPlan> next(Notes &notes);

    /// Totals of what is requested and neither unwanted, removed nor failed.
    std::uint64_t files() const { return files_; }
    std::uint64_t bytes() const { return bytes_; }
    /// Requested files that were not removed, and how many of them the receiver doesn't want.
    std::uint64_t offered_files() const { return offered_files_; }
    std::uint64_t unwanted_files() const { return unwanted_files_; }

private:
    enum Flag : std::uint8_t {
        /// All of it has been planned.
        Planned = 16,
        /// A Have or the search for data has no answer yet.
        Waiting = 32,
        /// A Have arrived: there is one at most.
        HaveSeen = 64,
        /// Its prioritized turn came while it waited.
        PassedOver = 128,
    };
    /// Progress of a file that is sent in several pieces.
    struct Course {
        /// Where the next segment starts.
        std::uint64_t next = 0;
        /// Sparse files: the run of data that is known.
        std::uint64_t data_begin = 0;
        std::uint64_t data_end = 0;
        /// The offset from which data is searched.
        std::optional<std::uint64_t> searched;
        std::optional<std::uint64_t> claimed;
        bool validator_sent = false;
    };

    static FileState file_state(std::uint8_t entry);
    bool is_file(std::uint64_t index) const;
    /// Adds a requested file as it is now to all sums, or takes it out of them: around every
    /// change.
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
    /// False when the file waits for data to be found, or ended with a hole.
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
    /// Reasons and flags.
    std::vector<std::uint8_t> entries_;
    std::unordered_map<std::uint64_t, Course> courses_;
    /// Entries below are planned, left out, waiting, or in `ready_`.
    std::uint64_t cursor_ = 0;
    /// Entries behind the cursor that can be planned now. Some are in `priority_`, too.
    IndexSet ready_;
    std::deque<IndexRange> priority_;
    /// Entries of `priority_` that this call of next() may still pass over.
    std::uint64_t may_pass_ = 0;
    std::deque<Piece> resends_;
};

} // namespace thru
