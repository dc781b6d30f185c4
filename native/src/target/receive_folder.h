// The target folder: part files, and a journal for resuming. Files are published once complete and
// durable. Nothing is written outside, and nothing is overwritten unless the receiver chose so.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "names/name_map.h"
#include "target/deletion/deletion_report.h"
#include "target/existing/conflict.h"
#include "target/shortage.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"
#include "transfer/receiver_chunks.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

class Preparation;
struct WriterAccess;

struct WriteFailure {
    std::uint64_t index = 0;
    Error error;
};

/// The result of preparing a run of offered entries.
struct Prepared {
    /// Completed by an earlier attempt.
    IndexRanges present;
    /// Existing files of the same size and time.
    IndexRanges uncompared;
    /// Left out by the conflict policy.
    IndexRanges unwanted;
    /// Will become further names of files of this receive.
    IndexRanges linked;
    /// Resumed from an earlier attempt.
    std::vector<Have> have;
    /// Hashes of their bytes.
    ClaimedExtents extents;
    /// The missing ranges below their offsets.
    std::vector<Piece> missing;
    /// Entries of `have` that are copies of other versions, each with the number of its bytes that
    /// were fetched.
    std::unordered_map<std::uint64_t, std::uint64_t> of_basis;
    std::vector<WriteFailure> failures;
    /// Bytes of `present` and `have` that an earlier attempt received.
    std::uint64_t resumed_bytes = 0;
    ConflictSummary summary;
    /// Names this system can't hold: the total, and this run's among the first kMaxListedNames.
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
};

/// The result of finishing.
struct Finished {
    /// Links that could not be made.
    std::vector<WriteFailure> failures;
    DeletionReport deletions;
    /// See CommitResult.
    std::map<std::uint64_t, Error> lost_attributes;
};

struct CommitResult {
    struct Published {
        std::uint64_t index = 0;
        /// Published under another name because its own was taken.
        bool renamed = false;
        /// Not published: an existing file has the same content.
        bool identical = false;
    };
    std::vector<Published> published;
    std::vector<WriteFailure> failures;
    /// Files that were saved without all of their extended attributes.
    std::map<std::uint64_t, Error> lost_attributes;
    /// Entries of Prepared::linked that must be received: they could not be linked.
    std::vector<std::uint64_t> unlinked;
    /// Bytes that are missing or, with ReceiveOptions::verify, read back wrong.
    std::vector<Piece> damaged;
    /// Bytes that the disk lost.
    std::vector<Piece> unsynced;
    /// Complete files not published despite sufficient room; the next commit tries again.
    std::uint64_t unpublished = 0;
    /// Number of complete files for the next commit.
    std::size_t waiting = 0;
    /// Number of failed syncs so far; `unsynced` may contain data of segments begun before.
    std::uint64_t failed_syncs = 0;
    /// The error that ends the transfer: the disk lost data twice, or is gone. Not DiskFull.
    std::optional<Error> fatal;
    /// The exhausted resource, with DiskFull.
    Shortage::Kind full = Shortage::Kind::Space;
};

/// Operations on the folder are messages, executed one by one on one strand of the disk pool. Only
/// SegmentWriters work concurrently, on their own strands.
class ReceiveFolder {
public:
    /// Opens or creates the folder; with ReceiveOptions::resume also searches for an earlier
    /// journal. TargetNotWritable (also if it is no folder), TargetGone, DiskFull, NameNotAllowed
    /// for a rename. Disk pool.
    static Result<std::shared_ptr<ReceiveFolder>>
    open(const std::string &directory, std::shared_ptr<const ManifestTable> manifest,
         const ReceiveOptions &options, const TransferIds &ids);
    ~ReceiveFolder();

    // On the folder's strand.

    /// Begins to decide about entries [first, end), except those in `unwanted`. Runs are
    /// contiguous; each precedes the writing of its segments.
    void begin_preparation(std::size_t first, std::size_t end, const IndexRanges &unwanted);
    /// Does one step: inspects existing files, then makes folders. Returns the result after the
    /// last step; nullopt before. All other operations may run between steps, except drop and want
    /// of the run's own entries.
    ///
    /// BadManifest refuses all entries before anything is made. DiskFull (needed bytes in
    /// Error::cause) if there is no room for the missing data, or to begin if underway(); repeat
    /// the step once there is room. TargetGone.
    Result<std::optional<Prepared>> prepare_some();
    /// The chunks that the preparation needs since the last call. Only if
    /// TransferIds::lists_chunks.
    WantedChunks take_wanted_chunks();
    /// True if the next step needs chunks that have not been given.
    bool waits_for_chunks() const;
    /// The next chunks of a list; none if the sender can't list the file.
    void give_chunks(const Chunks &chunks, bool last);
    /// The blocks or bytes of a range; none if the sender can't read them.
    void give_answer(const RangeAnswer &answer);
    /// Waits if room is short: a run is prepared, this receive resumes its own journal, or the
    /// options say so.
    bool underway() const;

    /// The sender's validator, stored for the next attempt.
    void on_validator(const Validator &validator);
    /// Logs a hole. Returns the failure, and drops the entry, if earlier bytes can't be cleared.
    std::optional<WriteFailure> on_hole(const Hole &hole);
    /// Deletes the entries' part files and discards their segments in transit. Returns the entries
    /// that can no longer be linked to them, and must be received.
    std::vector<std::uint64_t> drop(const IndexRanges &ranges);
    /// The sender's bytes differ from those of an earlier attempt or of the existing file. False if
    /// the conflict policy then leaves the file out: skip it.
    bool restart(std::uint64_t index);
    /// The sender's bytes in these ranges differ: they will be written again.
    void invalidate(std::uint64_t index, const std::vector<ByteRange> &ranges);
    /// Undoes drop, except for entries dropped before they were offered.
    void want(const IndexRanges &ranges);

    /// All bytes of these files are written and verified: the next commit publishes them.
    void add_complete(const std::vector<std::uint64_t> &indexes);
    /// One commit: syncs written data, reads it back if requested, publishes all files that are
    /// complete by now, syncs their folders, then logs that. `last_try`: files that can't be
    /// published fail; their parts stay for a later attempt.
    CommitResult commit(bool last_try = false);

    /// Makes links, sets folder times and ends the journal. Requires that everything is committed
    /// and nothing is being prepared. With ReceiveOptions::deletions also moves what the sender no
    /// longer has, unless it could not read everything (`whole`).
    Result<Finished> finish(bool whole = true);
    /// No round follows: deletes what is kept for it.
    void end_following();
    /// Interrupts the transfer: makes written data durable for the next attempt, if the disk
    /// permits. Without ReceiveOptions::resume deletes part files instead. Later writes fail.
    void suspend();

    /// True if there is room for `bytes` now: checks the disk's figures and creates a file, since
    /// the figures are incomplete. TargetGone.
    Result<bool> has_room(std::uint64_t bytes);

    // Any thread.

    /// The folder's disk: a number for DiskUse::disk.
    std::uint64_t disk() const;
    /// Bytes written since the last commit began.
    std::uint64_t dirty_bytes() const;
    /// Access for SegmentWriters; valid while the folder exists.
    const WriterAccess &writer_access() const;

    /// State for the folder's strand; defined in receive_state.h.
    struct State;

private:
    explicit ReceiveFolder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
    /// The preparation in progress.
    std::unique_ptr<Preparation> preparation_;
};

} // namespace thru
