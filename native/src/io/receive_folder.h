// The folder that is received into: part files, a journal to continue from, names given when
// complete and durable, nothing outside, nothing overwritten unless the receiver chose so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "io/receive_options.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// An entry that could not be written, and why.
struct WriteFailure {
    std::uint64_t index = 0;
    Error error;
};

/// What is to be done with a run of offered entries, found out at the target.
struct Prepared {
    /// Complete: identical there, or finished by an earlier attempt.
    IndexRanges present;
    /// Left out by the conflict policy.
    IndexRanges unwanted;
    /// Continued from an earlier attempt.
    std::vector<Have> have;
    std::vector<WriteFailure> failures;
    /// Bytes of `here` and `have` that an earlier attempt received.
    std::uint64_t resumed_bytes = 0;
    ConflictSummary summary;
    /// Names that this system can't hold: how many there are now, in this run and those before it,
    /// and those of this run, as far as they are among the first kMostListed.
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
};

/// What a round of settling did.
struct CommitResult {
    struct Published {
        std::uint64_t index = 0;
        /// It got another name than its own because that was taken.
        bool renamed = false;
    };
    std::vector<Published> published;
    std::vector<WriteFailure> failures;
    /// Read back wrong; only with ReceiveOptions::verify.
    std::vector<Resend> damaged;
    /// Whole files that could not get their names; the next round tries again.
    std::uint64_t unpublished = 0;
    /// What ends the transfer: the disk lost data twice, or is gone. DiskFull only delays names.
    std::optional<Error> fatal;
    /// With DiskFull.
    Shortage::Kind full = Shortage::Kind::Space;
};

/// What is done to the folder itself is a queue of messages, which the disk pool does one by one on
/// one strand; only SegmentWriters work beside it, on strands of their own.
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
    /// Does a step of what was begun: looks at what is there, then makes folders. What was found
    /// after the last one; nullopt when there are more. Everything but drop and want of the run's
    /// own entries may come between two steps. BadManifest refuses all entries before anything is
    /// made; DiskFull (with the need in Error::cause, bytes) when there is no room for what is
    /// missing or, of a receive that is underway(), none to begin with: then the same step can be
    /// done once there is. TargetGone.
    Result<std::optional<Prepared>> prepare_some();
    /// A run is through, or this receive comes back to what it began: want of room is waited out.
    bool underway() const;
    /// All steps.
    Result<Prepared> prepare(std::size_t first, std::size_t end, const IndexRanges &unwanted);

    /// The sender's validator, kept for the next attempt.
    void on_validator(const Validator &validator);
    /// A hole: nothing is written, the journal knows. Where bytes of an earlier attempt stand that
    /// can't be made zeros, the entry is dropped, and why is returned.
    std::optional<WriteFailure> on_hole(const Hole &hole);
    /// What is here of them is deleted; segments of theirs still under way are dropped.
    void drop(const IndexRanges &ranges);
    /// The sender has other bytes than what is here from an earlier attempt, or than the file that
    /// stands there. False: the conflict policy leaves it out then, so it is to be skipped.
    bool restart(std::uint64_t index);
    /// They are chosen after all: undoes drop. Not of what was dropped before it was offered.
    void want(const IndexRanges &ranges);

    /// All bytes of these files are written and verified: the next round settles them.
    void add_complete(std::vector<std::uint64_t> indexes);
    /// One round: syncs what was written, reads it back if asked, names whole files, syncs their
    /// folders, then tells the journal. Everything that was whole before the call is settled after
    /// it. `last_try`: what can't be named now has failed; its part stays for a later attempt.
    CommitResult commit(bool last_try = false);

    /// After everything is settled and nothing is prepared: links, times of folders, and the end of
    /// the journal. Failures of links and folders.
    Result<std::vector<WriteFailure>> finish();
    /// The transfer is interrupted: what is written is made durable for the next attempt, as far as
    /// the disk lets it. Without ReceiveOptions::resume, part files are deleted. Writes fail from
    /// now on.
    void suspend();

    /// Whether there is room for so many bytes now: what the disk tells, and whether a file can be
    /// made and written, since it does not tell everything. TargetGone.
    Result<bool> has_room(std::uint64_t bytes);

    // Any thread.

    /// Bytes written since the last round began: a reason for a new one.
    std::uint64_t dirty_bytes() const;
    /// Private to io/.
    struct State;

private:
    friend class SegmentWriter;
    explicit ReceiveFolder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// How a segment ended.
enum class SegmentOutcome : std::uint8_t {
    /// More bytes are to come.
    Unfinished,
    /// All data is written and the hash was right.
    Verified,
    /// The hash was wrong; nothing of it counts.
    Damaged,
    /// No room on the disk; nothing of it counts.
    NoRoom,
};

/// Writes one segment's stream as it arrives: data to part files, then checks the hash. Runs on the
/// disk pool, one call at a time.
class SegmentWriter {
public:
    /// `header` is the stream's raw type byte and header, which the hash covers. Bytes of pieces
    /// that are `dropped`, by their place in the plan, are read and nothing else; the rest is
    /// written.
    SegmentWriter(std::shared_ptr<ReceiveFolder> folder, SegmentPlan plan, ByteView header,
                  std::vector<bool> dropped = {});
    /// What is not verified is taken back.
    ~SegmentWriter();

    /// The next bytes after the header, at least once, if only with none. PeerProtocol and
    /// TargetGone end the transfer; failures to write single entries are collected instead and the
    /// rest is still written. After Damaged or NoRoom bytes are ignored.
    Result<> write(ByteView bytes);
    SegmentOutcome outcome() const;

    const SegmentPlan &plan() const;
    const std::vector<WriteFailure> &failures() const;
    /// After NoRoom.
    Shortage shortage() const;
    /// Texts of this segment, which are not written: index and bytes, after Verified.
    struct Text {
        std::uint64_t index = 0;
        std::string text;
    };
    std::vector<Text> take_texts();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
