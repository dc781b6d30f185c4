// What a sender still has to send to one receiver, and in which order it is cut into segments.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "transfer/index_set.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// A segment is one piece of one file, cut at multiples of kSegmentBytes, or a batch of whole files
/// that are no larger than that. One byte for each entry; more only for files that are sent in
/// several pieces. Used on the network thread only.
class SegmentPlanner {
public:
    /// Why an entry isn't sent.
    enum class Reason : std::uint8_t { Unwanted = 1, Present = 2, Removed = 4, Failed = 8 };
    using ValidatorOf = std::function<WireId(std::uint64_t)>;

    SegmentPlanner(std::shared_ptr<const ManifestTable> manifest, ValidatorOf validator_of);

    /// Entries below `end` may be spoken of.
    void set_checkpoint(std::uint64_t end);
    /// Entries below `end` are to be sent. Neither of the two ever goes down.
    void request(std::uint64_t end);
    std::uint64_t checkpoint() const { return checkpoint_; }
    std::uint64_t requested() const { return requested_; }

    /// False when it was so already. `index` may lie behind the checkpoint for Removed.
    bool leave_out(std::uint64_t index, Reason why);
    bool left_out(std::uint64_t index, Reason why) const;
    /// Neither unwanted, here, removed nor failed.
    bool to_be_sent(std::uint64_t index) const;
    /// Takes Unwanted and Here back: the file comes from its start. Bytes that come a second time.
    std::uint64_t unskip(std::uint64_t index);

    /// Before all others, in this order.
    void prioritize(const IndexRanges &ranges);
    /// The file waits, if it is to be sent, until it is known whether the receiver's beginning of
    /// it is right. False when there was a Have for it before.
    bool await_check(const Have &have);
    /// False when the file waits for that no more.
    bool awaits_check(std::uint64_t index) const;
    /// It is right: the file comes from the Have's offset on. Else from its start.
    void on_have_checked(std::uint64_t index, bool same);
    /// Where the next data of a sparse file is: answer to a SenderDataWanted.
    void found_data(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    /// Sends these bytes once more.
    void resend(const Piece &bytes);

    /// What a plan needs besides itself.
    struct Notes {
        /// Validator and Hole, before the segment.
        std::vector<ControlMessage> messages;
        /// Where the holes are has to be found out before these files can go on.
        std::vector<Piece> data_wanted;
        /// So much of what was put first needs nothing that the next call goes on looking.
        bool searching = false;
    };
    /// nullopt when there is nothing to send, or what there is waits, or while it is looked for.
    std::optional<SegmentPlan> next(Notes &notes);

    /// Of what is selected and neither unwanted, removed nor failed.
    std::uint64_t files() const { return files_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    enum Flag : std::uint8_t {
        /// All of it was planned once.
        Planned = 16,
        /// A Have or the search for data has no answer yet.
        Waiting = 32,
        /// A Have came: there is one at most.
        HaveSeen = 64,
        /// Its turn to go before others came while it waited.
        PassedOver = 128,
    };
    /// Of a file that is not sent in one go.
    struct Course {
        /// Where the next segment starts.
        std::uint64_t next = 0;
        /// Sparse files: the run of data that is known.
        std::uint64_t data_begin = 0;
        std::uint64_t data_end = 0;
        /// Where data is searched from.
        std::optional<std::uint64_t> searched;
        std::optional<std::uint64_t> claimed;
        bool validator_sent = false;
    };

    bool is_file(std::uint64_t index) const;
    bool counts(std::uint64_t index) const;
    void change(std::uint64_t index, unsigned set, unsigned clear);
    bool plannable(std::uint64_t index) const;
    bool goes_in_one(std::uint64_t index) const;
    /// The Have of the file counts no more.
    void release(std::uint64_t index);
    void set_ready(std::uint64_t index);
    std::optional<std::uint64_t> priority_candidate();
    std::optional<std::uint64_t> candidate();
    SegmentPlan next_resend();
    SegmentPlan next_batch(std::uint64_t first);
    SegmentPlan next_piece(std::uint64_t index, Notes &notes);
    /// False when the file waits for data to be found, or ended with zeros.
    bool skip_hole(std::uint64_t index, Course &course, Notes &notes);

    std::shared_ptr<const ManifestTable> manifest_;
    ValidatorOf validator_of_;
    std::uint64_t checkpoint_ = 0;
    std::uint64_t requested_ = 0;
    std::uint64_t files_ = 0;
    std::uint64_t bytes_ = 0;
    /// Of kMaxHoles.
    std::uint64_t holes_sent_ = 0;
    /// Reasons and flags.
    std::vector<std::uint8_t> entries_;
    std::unordered_map<std::uint64_t, Course> courses_;
    /// Entries below are planned, left out, waiting, or in `ready_`.
    std::uint64_t cursor_ = 0;
    /// Waited or were left out when the cursor came by, and are no more. Some are in `first_`, too.
    IndexSet ready_;
    std::deque<IndexRange> priority_;
    /// Entries of it that this call of next() may still pass by.
    std::uint64_t may_pass_ = 0;
    std::deque<Piece> resends_;
};

} // namespace thru
