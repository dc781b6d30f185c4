// The receiving end of one transfer as a state machine. No file, no socket, no clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/error.h"
#include "transfer/manifest_table.h"
#include "transfer/range_set.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

struct ReceiverGreeted {
    std::string name;
    /// Of the share: the same when the sender was started again with it.
    WireId share{};
};
/// Entries below `end` are offered. The first time with the sender's totals checked, and again
/// whenever the share grew.
struct ReceiverOffered {
    std::uint64_t end = 0;
};
/// All bytes of these files are written and their hashes were right: settle them and give them
/// their names.
struct ReceiverFilesWhole {
    std::vector<std::uint64_t> indexes;
};
/// Told once for each entry, whichever side could not read or write it. What is here of it goes.
struct ReceiverEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// What was here of the file from an earlier attempt is worth nothing: it comes from its start.
struct ReceiverRestarted {
    std::uint64_t index = 0;
};
/// Taken out of the share: what is here of those that have no name yet goes.
struct ReceiverRemoved {
    IndexRanges ranges;
};
/// These bytes are zeros; they count as written.
struct ReceiverZeros {
    Zeros zeros;
};
/// To be remembered with what is here of the file.
struct ReceiverSource {
    Source source;
};
/// The sender paused or goes on (nullopt).
struct ReceiverPeerPaused {
    std::optional<Pause> pause;
};
/// Nothing is missing but what failed: links and folders can be finished, then on_settled.
struct ReceiverComplete {};
/// Done is among the messages. More may be offered after it.
struct ReceiverFinished {
    Done totals;
};
/// The sender said goodbye after Done: the connection can go.
struct ReceiverReleased {};
using ReceiverEvent =
    std::variant<ReceiverGreeted, ReceiverOffered, ReceiverFilesWhole, ReceiverEntryFailed,
                 ReceiverRestarted, ReceiverRemoved, ReceiverZeros, ReceiverSource,
                 ReceiverPeerPaused, ReceiverComplete, ReceiverFinished, ReceiverReleased>;

/// What is done with offered entries. Indexes that appear nowhere are wanted whole.
struct ReceiverChoices {
    /// Complete already.
    IndexRanges here;
    IndexRanges unwanted;
    /// Partly here; each index once.
    std::vector<Have> have;
    /// Before all others, in this order.
    IndexRanges first;
};

/// Used on the network thread only.
class Receiver {
public:
    /// `receive` is the same when this receive comes back after its connection broke.
    Receiver(std::string own_name, WireId receive);

    /// PeerProtocol, PeerVersion, or the code of the sender's Bye.
    Result<> on_control(const ControlMessage &message);
    /// Bytes of the manifest stream. PeerProtocol, LimitExceeded.
    Result<> on_manifest_bytes(ByteView bytes);

    /// Asks for what is offered from the last accepted end on to `end`, a ReceiverOffered::end. To be
    /// called when folders are made and what failed there is reported.
    void accept(std::uint64_t end, const ReceiverChoices &choices);
    /// During the transfer: these files need not come, whatever is here of them goes.
    void skip(const IndexRanges &ranges);
    /// Takes skips back: the files come whole. Those that have their names stay as they are.
    void want(const IndexRanges &ranges);

    /// Checks a segment's header before anything of it is written: indexes, kinds, bounds, overlap,
    /// one piece or whole files.
    Result<> on_segment_started(const SegmentPlan &plan);
    /// The segment's hash was right and its data is written. Entries of it that failed are reported
    /// by on_entry_failed before.
    void on_segment_written(const SegmentPlan &plan);
    /// The sender took the segment back: its pieces may come again.
    void on_segment_abandoned(const SegmentPlan &plan);
    /// The segment's hash was wrong: its pieces are asked for again; those that had been asked for
    /// again for this reason before fail with HashMismatch.
    void on_segment_damaged(const SegmentPlan &plan);
    /// There was no room for the segment: its pieces are asked for again by the next resume().
    void on_segment_lost(const SegmentPlan &plan);
    /// Bytes that were written read back wrong, before their file had its name: they are asked for
    /// again, once; then the file fails with DiskIo.
    void on_read_back_wrong(std::uint64_t index, std::uint64_t offset, std::uint64_t length);
    /// A file has its final name, or its text was shown.
    void on_file_named(std::uint64_t index, bool renamed);
    /// It can't be written here: tells the sender and goes on without it.
    void on_entry_failed(std::uint64_t index, ErrorCode code);
    /// After ReceiverComplete: everything is on the disk.
    void on_settled();

    /// Of this side. A second pause changes its reason.
    void pause(const Pause &pause);
    void resume();
    /// At most so many bytes a second; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second);

    /// Grows; what it has when work is handed to another thread can be read there.
    std::shared_ptr<const ManifestTable> manifest() const;
    /// Verified and written, what was here before included.
    std::uint64_t files() const;
    std::uint64_t bytes() const;
    /// Of what is wanted and neither failed nor was removed.
    std::uint64_t total_files() const;
    std::uint64_t total_bytes() const;

    std::vector<ControlMessage> take_messages();
    std::vector<ReceiverEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Listing, Offered, Receiving, Finished };
    enum class EntryState : std::uint8_t {
        /// Nothing of it is here or on its way.
        Waiting,
        /// It lies whole in a segment that is being received.
        Arriving,
        /// Some of its segments came or are coming.
        Partial,
        /// All its bytes are written, its name is not given yet.
        Whole,
        Named,
        Failed,
    };
    struct PartialFile {
        RangeSet claimed;
        /// Bytes of the segments that were verified and written.
        std::uint64_t written = 0;
    };

    Result<> on_hello(const Hello &hello);
    Result<> on_offer(const Offer &offer);
    Result<> on_remote_failure(const EntryFailed &failure);
    Result<> on_bye(const Bye &bye);
    Result<> check_offered();
    Result<> claim(const Piece &piece);
    Result<> claim_part(const Piece &piece);
    void drop_partial(std::uint64_t index);
    bool is_whole(const Piece &piece) const;
    /// False when the entry is complete, was known to have failed, or nothing counts any more.
    bool mark_failed(std::uint64_t index, ErrorCode code);
    void check_finished();

    Phase phase_ = Phase::Greeting;
    ManifestDecoder decoder_;
    std::optional<Offer> offer_;
    std::shared_ptr<ManifestTable> manifest_;
    std::vector<EntryState> states_;
    std::unordered_map<std::uint64_t, PartialFile> partial_;
    /// Ranges in all of partial_: a bound on what a peer can make us remember.
    std::size_t ranges_ = 0;
    /// Complete files and the bytes of all segments written, failed files left out.
    Durable durable_;
    Durable reported_;
    std::uint64_t failed_files_ = 0;
    std::uint64_t problems_ = 0;
    std::uint64_t renamed_ = 0;
    std::vector<ControlMessage> messages_;
    std::vector<ReceiverEvent> events_;
};

} // namespace thru
