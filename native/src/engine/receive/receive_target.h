// The folder of one receive, as an actor: everything done to it is a message, in order, on one
// strand of the disk pool. Data is written concurrently. Network thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "engine/receive/selection.h"
#include "target/receive_folder.h"
#include "transfer/entry_table.h"

namespace thru {

class ReceiveTarget {
public:
    /// Results; called on the network thread.
    struct Listener {
        /// Entries below `end` are prepared.
        std::function<void(std::size_t end, Prepared, const std::vector<IndexRanges> &first)>
            on_prepared;
        /// The sender must list and send chunks; give_chunks and give_answer take them.
        std::function<void(const WantedChunks &)> on_chunks_wanted;
        std::function<void(const CommitResult &)> on_committed;
        /// True unless some of the file must be sent again.
        std::function<bool(std::uint64_t index)> is_complete;
        /// Links and folders are finished, everything is durable, and nothing was requested since.
        std::function<void(const Finished &)> on_finished;
        /// The existing file proved to differ, so the conflict policy left the entry out.
        std::function<void(std::uint64_t index)> on_left_out;
        /// The entries can no longer be linked, so they must be received; unordered.
        std::function<void(std::vector<std::uint64_t>)> on_unlinked;
        /// An entry could not be written, outside of segments and commits.
        std::function<void(const WriteFailure &)> on_entry_failed;
        std::function<void(const Error &)> on_failed;
    };

    /// Wakes `task`, which must outlive this, when the disk has answered.
    ReceiveTarget(EngineContext &context, Scheduler::Task &task,
                  std::shared_ptr<const ManifestTable> manifest, Listener listener);
    /// Keeps incomplete files for a later attempt or deletes them, as the options say.
    ~ReceiveTarget();

    /// Opens `directory` once no earlier attempt is still being suspended there.
    void open(const std::string &directory, const ReceiveOptions &options, const TransferIds &ids,
              Selection selection);
    /// Entries below `end` are offered. Prepares the new ones once the folder is open and earlier
    /// entries are prepared. Entries offered meanwhile form one run.
    void prepare_up_to(std::size_t end) { offered_end_ = end; }
    /// Entries removed by the sender, even before the offer: deletes their stored data.
    void exclude(const IndexRanges &ranges);
    IndexRanges excluded() const { return excluded(0, excluded_.end()); }
    /// Posted messages that are not done yet.
    std::size_t jobs() const { return jobs_; }

    // Messages about prepared entries; other entries in `ranges` are ignored.

    void drop(const IndexRanges &ranges);
    void want(const IndexRanges &ranges);
    void restart(std::uint64_t index);
    /// These bytes of an earlier attempt are useless and will be sent again.
    void invalidate(std::uint64_t index, std::vector<ByteRange> ranges);
    void on_hole(const Hole &hole);
    void on_validator(const Validator &validator);

    /// A part of the answer to on_chunks_wanted; no chunks if the sender can't list the file.
    void give_chunks(const Chunks &chunks, bool last);
    /// The same for blocks or bytes of a range.
    void give_answer(const RangeAnswer &answer);

    /// No round follows.
    void end_following();

    /// nullptr until the first preparation is done.
    const std::shared_ptr<ReceiveFolder> &folder() const { return folder_; }
    /// Strand that orders a new segment behind messages that change the meaning of its bytes;
    /// nullptr if there are none, and the segment may use its own strand.
    std::shared_ptr<DiskPool::Strand> strand_behind() const {
        return fences_ > 0 ? strand_ : nullptr;
    }

    /// CommitResult::failed_syncs of the last commit.
    std::uint64_t failed_syncs() const { return failed_syncs_; }
    /// False beyond 32,768 unpublished files, `files` included, or 256 MiB since the commit began.
    bool may_write(std::size_t files) const;

    /// All bytes of these files are written and verified.
    void add_complete(const std::vector<std::uint64_t> &indexes);
    /// A segment was written and verified, so there is room.
    void note_written() { wrote_ = true; }
    /// A write found no room: no more data should arrive until there is some.
    void wait_for_room(const Shortage &shortage);
    /// The missing resource; nullopt if there is room.
    const std::optional<Shortage> &shortage() const { return shortage_; }
    /// True while entries are being prepared or wait for the folder.
    bool preparing() const {
        return state_ == State::Waiting || state_ == State::Opening || state_ == State::Preparing;
    }
    /// True while preparing waits for the sender's CHUNKS.
    bool waits_for_chunks() const { return listing_run_ != nullptr; }
    /// True while data is synced and published, or files wait to be published.
    bool committing() const {
        return commit_state_ == CommitState::Running || state_ == State::Finishing ||
               next_publish_ != kNever;
    }

    /// State of the rest of the transfer.
    struct Around {
        /// More data is in transit.
        bool arriving = false;
        /// Everything requested is published: links and folders can be finished.
        bool complete = false;
        /// The sender could read everything that it shares.
        bool whole = true;
    };
    /// Posts the next messages. Once per turn.
    void service(const Around &around, Timestamp now);
    Timestamp deadline() const;

private:
    enum class State : std::uint8_t {
        /// No folder is chosen yet.
        Unopened,
        /// An earlier attempt still holds the folder's journal, from which this one resumes.
        Waiting,
        Opening,
        Preparing,
        Ready,
        Finishing,
        Finished,
        /// Nothing more is posted.
        Failed,
    };
    enum class CommitState : std::uint8_t {
        None,
        Running,
        /// The last commit found no room for names.
        NoRoom,
    };
    /// State shared by jobs on the strand.
    struct Opened {
        std::shared_ptr<ReceiveFolder> folder;
    };
    struct Run;

    /// Excluded entries of [begin, end).
    IndexRanges excluded(std::size_t begin, std::size_t end) const;
    template <class Work, class Then>
    void post(Work work, Then then, DiskLane lane = DiskLane::Lookup);
    void advance(const Around &around);
    void open_folder();
    void prepare_next(const std::shared_ptr<Run> &run);
    void end_listing_wait();
    void on_prepared(const Run &run, Prepared prepared);
    void finish(bool whole);
    bool can_commit() const;
    void commit();
    void on_committed(CommitResult result);
    void check_room();
    void fail(const Error &error);

    EngineContext &context_;
    std::shared_ptr<const ManifestTable> manifest_;
    Listener listener_;
    std::string directory_;
    ReceiveOptions options_;
    TransferIds ids_;
    std::shared_ptr<const Selection> selection_;
    EntryTable<bool> excluded_;
    std::shared_ptr<DiskPool::Strand> strand_;
    std::shared_ptr<Opened> opened_;
    std::optional<std::uint64_t> disk_;
    std::shared_ptr<ReceiveFolder> folder_;

    State state_ = State::Unopened;
    std::size_t offered_end_ = 0;
    std::size_t prepared_end_ = 0;
    std::size_t jobs_ = 0;
    /// Pending messages that change the meaning of a file's bytes.
    std::size_t fences_ = 0;
    /// Entries were wanted since finishing began: it must be repeated.
    bool wanted_since_ = false;

    CommitState commit_state_ = CommitState::None;
    std::vector<std::uint64_t> complete_files_;
    /// Complete files passed to a commit and not published yet.
    std::size_t handed_over_ = 0;
    std::uint64_t failed_syncs_ = 0;
    Timestamp next_commit_ = kNever;

    /// Start of failures to publish complete files; retries have growing intervals.
    Timestamp unpublished_since_ = kNever;
    Timestamp next_publish_ = kNever;
    Timestamp publish_interval_ = 0;

    std::optional<Shortage> shortage_;
    /// The run whose next step waits for a list of chunks.
    std::shared_ptr<Run> listing_run_;
    /// The run whose next step waits for room.
    std::shared_ptr<Run> short_run_;
    Timestamp next_room_check_ = kNever;
    Timestamp room_check_interval_ = 0;
    /// A segment was written since room was last found.
    bool wrote_ = true;

    /// Time of the last service().
    Timestamp now_ = 0;
    Lifetime lifetime_;
};

} // namespace thru
