// The target folder: part files, a journal to resume from, files published when complete and
// durable, nothing outside, nothing overwritten unless the receiver chose so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "names/name_map.h"
#include "target/conflict.h"
#include "target/shortage.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

class Preparation;
struct WriterAccess;

/// An entry that could not be written, and why.
struct WriteFailure {
    std::uint64_t index = 0;
    Error error;
};

/// The result of preparing a run of offered entries.
struct Prepared {
    /// Complete: an earlier attempt finished them.
    IndexRanges present;
    /// The same files exist, by their size and time.
    IndexRanges uncompared;
    /// Left out by the conflict policy.
    IndexRanges unwanted;
    /// Resumed from an earlier attempt.
    std::vector<Have> have;
    /// Hashes of their bytes.
    ClaimedExtents extents;
    /// The missing ranges below their offsets.
    std::vector<Piece> missing;
    std::vector<WriteFailure> failures;
    /// Bytes of `present` and `have` that an earlier attempt received.
    std::uint64_t resumed_bytes = 0;
    ConflictSummary summary;
    /// Names that this system can't hold: how many there are now, in this run and those before it,
    /// and those of this run, as far as they are among the first kMaxListedNames.
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
};

/// The result of a commit.
struct CommitResult {
    struct Published {
        std::uint64_t index = 0;
        /// It was published under another name because its own was taken.
        bool renamed = false;
        /// Nothing was published: the file that existed has the same content.
        bool identical = false;
    };
    std::vector<Published> published;
    std::vector<WriteFailure> failures;
    /// Bytes that read back wrong, with ReceiveOptions::verify, or are missing.
    std::vector<Piece> damaged;
    /// Bytes that the disk did not take.
    std::vector<Piece> unsynced;
    /// Complete files that could not be published although there is room; the next commit tries
    /// again.
    std::uint64_t unpublished = 0;
    /// All complete files that the next commit publishes.
    std::size_t waiting = 0;
    /// Syncs that failed so far. Of a segment that began before the last of them, what was written
    /// may be among `unsynced`.
    std::uint64_t failed_syncs = 0;
    /// The error that ends the transfer: the disk lost data twice, or is gone. DiskFull only delays
    /// it, and is not counted.
    std::optional<Error> fatal;
    /// With DiskFull.
    Shortage::Kind full = Shortage::Kind::Space;
};

/// Operations on the folder are messages, done one by one on one strand of the disk pool; only
/// SegmentWriters work beside it, on strands of their own.
class ReceiveFolder {
public:
    /// Opens (and creates) the folder; with ReceiveOptions::resume looks for a journal of an
    /// earlier attempt there. TargetNotWritable (also when it is no folder), TargetGone, DiskFull.
    /// Disk pool.
    static Result<std::shared_ptr<ReceiveFolder>>
    open(const std::string &directory, std::shared_ptr<const ManifestTable> manifest,
         const ReceiveOptions &options, const TransferIds &ids);
    ~ReceiveFolder();

    // On the folder's strand.

    /// Begins to decide for entries [first, end), of which those in `unwanted` are not received.
    /// Runs follow each other without gaps, before any segment of theirs is written.
    void begin_preparation(std::size_t first, std::size_t end, const IndexRanges &unwanted);
    /// Does one step: inspects what exists, then makes folders. The result after the last step;
    /// nullopt before. Everything but drop and want for the run's own entries may come between two
    /// steps. BadManifest refuses all entries before anything is made; DiskFull (with the need in
    /// Error::cause, bytes) when there is no room for what is missing or, for a receive that is
    /// underway(), no room to begin: then the same step can be repeated once there is. TargetGone.
    Result<std::optional<Prepared>> prepare_some();
    /// A run is prepared, or this receive resumes its own journal: it waits when room is short.
    bool underway() const;

    /// The sender's validator, kept for the next attempt.
    void on_validator(const Validator &validator);
    /// A hole is logged and not written. Where bytes of an earlier attempt can't be cleared, the
    /// entry is dropped, and the failure is returned.
    std::optional<WriteFailure> on_hole(const Hole &hole);
    /// Deletes their part files; segments of theirs still under way are discarded.
    void drop(const IndexRanges &ranges);
    /// The sender's bytes differ from those of an earlier attempt, or of the existing file. False
    /// when the conflict policy then leaves the file out, so it is to be skipped.
    bool restart(std::uint64_t index);
    /// The sender's bytes of these ranges differ, so they are written anew.
    void invalidate(std::uint64_t index, const std::vector<ByteRange> &ranges);
    /// Undoes drop, except for what was dropped before it was offered.
    void want(const IndexRanges &ranges);

    /// All bytes of these files are written and verified: the next commit publishes them.
    void add_complete(const std::vector<std::uint64_t> &indexes);
    /// One commit: syncs what was written, reads it back if asked, publishes complete files, syncs
    /// their folders, then logs that. Everything that was complete before the call is published
    /// after it. `last_try`: files that can't be published now fail; their parts stay for a later
    /// attempt.
    CommitResult commit(bool last_try = false);

    /// Makes links, sets times of folders, and ends the journal, after everything is committed and
    /// nothing is being prepared. Failures of links and folders.
    Result<std::vector<WriteFailure>> finish();
    /// Interrupts the transfer: what is written is made durable for the next attempt, as far as the
    /// disk lets it. Without ReceiveOptions::resume, part files are deleted. Writes fail from now
    /// on.
    void suspend();

    /// Whether there is room for so many bytes now: what the disk tells, and whether a file can be
    /// made and written, since it does not tell everything. TargetGone.
    Result<bool> has_room(std::uint64_t bytes);

    // Any thread.

    /// The disk that it is on: a number for DiskUse::disk.
    std::uint64_t disk() const;
    /// Bytes written since the last commit began.
    std::uint64_t dirty_bytes() const;
    /// For SegmentWriters, as long as the folder lives.
    const WriterAccess &writer_access() const;

    /// For the folder's strand; defined in receive_state.h.
    struct State;

private:
    explicit ReceiveFolder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
    /// The preparation under way.
    std::unique_ptr<Preparation> preparation_;
};

} // namespace thru
