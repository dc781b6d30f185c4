// The receiving end of one transfer as a state machine. No file, no socket, no clock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "transfer/entry_table.h"
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
/// What the sender leaves out, all of it.
struct ReceiverLeftOut {
    LeftOut left_out;
};
/// All bytes of these files are written and their hashes were right: settle them and give them
/// their names.
struct ReceiverFilesComplete {
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
/// Taken out of the share: what is here of those that have no name yet goes. Told once for each
/// entry, and together for all that came since the last take_events().
struct ReceiverRemoved {
    IndexRanges ranges;
};
/// These bytes are zeros; they count as written.
struct ReceiverHole {
    Hole hole;
};
/// To be remembered with what is here of the file.
struct ReceiverValidator {
    Validator validator;
};
/// The sender paused or goes on (nullopt).
struct ReceiverPeerPaused {
    std::optional<Pause> pause;
};
/// The sender showed the key by which it is known again; its signature is still to be checked.
struct ReceiverOriginShown {
    Origin origin;
};
/// The sender would keep this side as a contact.
struct ReceiverContactRequested {
    ContactRequest request;
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
    std::variant<ReceiverGreeted, ReceiverLeftOut, ReceiverOffered, ReceiverFilesComplete,
                 ReceiverEntryFailed, ReceiverRestarted, ReceiverRemoved, ReceiverHole,
                 ReceiverValidator, ReceiverPeerPaused, ReceiverOriginShown,
                 ReceiverContactRequested, ReceiverComplete, ReceiverFinished, ReceiverReleased>;

/// What is done with offered entries. Indexes that appear nowhere are wanted whole.
struct ReceiverChoices {
    /// Complete already.
    IndexRanges present;
    IndexRanges unwanted;
    /// Partly here; each index once.
    std::vector<Have> have;
    /// Before all others: set after set, each in the manifest's order.
    std::vector<IndexRanges> first;
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

    /// Asks for what is offered from the last accepted end on to `end`, a ReceiverOffered::end. To
    /// be called when folders are made and what failed there is reported.
    void accept(std::uint64_t end, const ReceiverChoices &choices);
    /// During the transfer: these files need not come, whatever is here of them goes. Nothing
    /// happens to those that have their names.
    void skip(const IndexRanges &ranges);
    /// Takes skips back: the files come whole. Those that have their names or failed stay as they
    /// are.
    void want(const IndexRanges &ranges);

    /// Checks a segment's header before anything of it is written: indexes, kinds, bounds, overlap,
    /// one piece or whole files.
    Result<> on_segment_started(const SegmentPlan &plan);
    /// Asked for each piece right after on_segment_started: its bytes are to be written. Else they
    /// are read and dropped: the entry was skipped, removed, failed or became whole meanwhile.
    bool accepts(std::uint64_t index) const;
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
    /// again, three times for each file; then it fails with DiskIo.
    void on_read_back_wrong(std::uint64_t index, std::uint64_t offset, std::uint64_t length);
    /// A file has its final name, or its text was shown.
    void on_file_published(std::uint64_t index, bool renamed);
    /// It can't be written here: tells the sender and goes on without it.
    void on_entry_failed(std::uint64_t index, ErrorCode code);
    /// ReceiverComplete was told, and holds: nothing was accepted or wanted since that is missing.
    bool complete() const { return phase_ == Phase::Receiving && complete_; }
    /// After the last ReceiverComplete: everything that was asked for is on the disk.
    void on_all_durable();

    /// Of this side. A second pause changes its reason.
    void pause(const Pause &pause);
    void resume();
    /// At most so many bytes a second; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second);
    /// This side would keep the sender as a contact.
    void send_contact_request(const ContactRequest &request) { messages_.emplace_back(request); }

    /// Entries below are asked for, or were chosen not to be.
    std::uint64_t accepted_end() const { return accepted_; }
    /// Grows; what it has when work is handed to another thread can be read there.
    std::shared_ptr<const ManifestTable> manifest() const;
    /// Verified and written, what was here before included.
    std::uint64_t files() const;
    std::uint64_t bytes() const;
    /// Of what is wanted and neither failed nor was removed.
    std::uint64_t total_files() const;
    std::uint64_t total_bytes() const;

    /// Progress is among them at most once for each call, when they changed.
    std::vector<ControlMessage> take_messages();
    std::vector<ReceiverEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Listing, Offered, Receiving, Finished };
    enum class EntryState : std::uint8_t {
        /// Nothing of it is here or on its way. Also what is no file.
        Waiting,
        /// It lies whole in a segment that is being received.
        Arriving,
        /// It is in partial_.
        Partial,
        /// All its bytes are written, its name is not given yet.
        Complete,
        Published,
        /// Was complete before.
        Present,
        /// Was never asked for.
        Unwanted,
        /// Was asked for: bytes of it may still come.
        Skipped,
        /// Skipped, and wanted again: asked for when nothing of it is on its way any more.
        Unskipping,
        Removed,
        Failed,
    };
    /// A file that comes in several pieces, began earlier, or comes a second time. Empty files
    /// count as one byte here: so that it can be missing.
    struct PartialFile {
        /// No other segment may have these bytes.
        RangeSet claimed;
        /// Verified and written.
        RangeSet written;
        /// Pieces that are being received.
        std::uint32_t in_flight = 0;
        /// Where a Have that has no answer yet ends in these sets.
        std::optional<std::uint64_t> have;
    };

    Result<> on(const Hello &hello);
    Result<> on(const Offer &offer);
    Result<> on(const EntryFailed &failure);
    Result<> on(const Bye &bye);
    Result<> on(const Confirm &confirm);
    Result<> on(const Origin &origin);
    Result<> on(const ContactRequest &request);
    Result<> on(const LeftOut &left_out);
    Result<> on(const Restart &restart);
    Result<> on(const Validator &validator);
    Result<> on(const Hole &hole);
    Result<> on(const Pause &pause);
    Result<> on(const Resume &resume);
    Result<> on(const Removed &removed);
    template <class Other> Result<> on(const Other &other);
    Result<> check_offered();
    /// Of a Have: true when the file waits for it; false when it doesn't matter any more.
    Result<bool> match_answer(std::uint64_t index);
    void send_skip(Skip::Why why, const IndexRanges &ranges);
    void check_complete();

    bool is_file(std::uint64_t index) const;
    bool accepted_file(std::uint64_t index) const;
    /// Its bytes have to come, or it has no name yet.
    static bool is_missing(EntryState state);
    static bool is_done(EntryState state);
    std::uint64_t present_bytes(std::uint64_t index) const;
    /// Adds the entry as it is now to all sums, or takes it out of them: around every change.
    void count(std::uint64_t index, bool in);
    void set_state(std::uint64_t index, EntryState state);
    /// All below `end` is accepted.
    void cover(std::uint64_t end);
    /// Nobody waits for the entry any more: it has its name, is skipped, removed or failed.
    void withdraw(std::uint64_t index, EntryState state);
    /// What was skipped or unwanted waits to come.
    void unskip(std::uint64_t index);
    void become_complete(std::uint64_t index);
    /// False when the entry is complete, was known to have failed, or nothing counts any more.
    bool mark_failed(std::uint64_t index, ErrorCode code);

    bool covers_file(const Piece &piece) const;
    /// Where the piece lies in the sets of its PartialFile.
    std::pair<std::uint64_t, std::uint64_t> range_of(const Piece &piece) const;
    Result<> claim(const Piece &piece, bool alone);
    Result<> claim_part(const Piece &piece);
    void resume_from(const Have &have);
    void restart_file(std::uint64_t index);
    /// Bytes that were written of this range and don't count any more, nor are claimed.
    std::uint64_t clear_range(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    void drop_if_empty(std::uint64_t index);
    /// No more of a piece that was claimed arrives. False when its bytes were dropped.
    bool end_piece(const Piece &piece);
    /// The piece can come again in any shape. How many bytes of it had been written.
    std::uint64_t unclaim(const Piece &piece);
    void check_file_complete(std::uint64_t index);
    void request_resend(const Piece &piece);

    Phase phase_ = Phase::Greeting;
    ManifestDecoder decoder_;
    std::optional<Offer> offer_;
    bool origin_shown_ = false;
    /// How often the sender said what it leaves out.
    std::uint64_t left_out_received_ = 0;
    /// Totals of the first checkpoint.
    std::optional<Offer> checkpoint_totals_;
    /// The end of the last ReceiverOffered.
    std::uint64_t offered_ = 0;
    /// The `end` of the last Request.
    std::uint64_t accepted_ = 0;
    std::shared_ptr<ManifestTable> manifest_;

    /// May run ahead of the manifest: what was removed can be known before it is listed.
    std::vector<EntryState> states_;
    std::unordered_map<std::uint64_t, PartialFile> partial_;
    /// Ranges in all of partial_: a bound on what a peer can make us remember.
    std::size_t ranges_ = 0;
    /// What of them, at most, is not the peer's doing.
    std::size_t own_ranges_ = 0;
    /// Files that were skipped and wanted again: their bytes may come twice.
    std::unordered_set<std::uint64_t> repeated_;
    // By index, as far as needed: a sender can make them speak of every entry.

    /// Pieces being received whose bytes are dropped, of files that are skipped or whole.
    EntryTable<std::uint32_t> dropping_;
    /// The sender could not read them while nobody wanted them.
    EntryTable<std::optional<ErrorCode>> unreadable_;
    /// Have without an answer that has become irrelevant.
    std::unordered_set<std::uint64_t> stale_haves_;
    /// Asked for again because of a wrong hash: index and offset.
    std::set<std::pair<std::uint64_t, std::uint64_t>> damaged_;
    std::unordered_map<std::uint64_t, unsigned> read_back_wrong_;
    /// To be asked for by resume(): from index and offset to length.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> lost_;
    std::vector<std::uint64_t> complete_files_;

    /// Accepted files that are missing.
    std::uint64_t missing_ = 0;
    std::uint64_t total_files_ = 0;
    std::uint64_t total_bytes_ = 0;
    /// Complete files, and all bytes that are here.
    Progress progress_;
    Progress reported_;
    std::uint64_t problems_ = 0;
    std::uint64_t renamed_ = 0;
    /// ReceiverComplete was told for what is accepted now.
    bool complete_ = false;
    /// Taken out since the last take_events().
    RangeSet removed_;
    // What the sender says once for each entry or for each Have: so often it was said.
    std::uint64_t failures_received_ = 0;
    std::uint64_t validators_received_ = 0;
    std::uint64_t answers_ = 0;
    std::uint64_t holes_ = 0;
    /// Have that were sent.
    std::uint64_t haves_ = 0;
    /// How often a file was wanted again: its Validator may come once more.
    std::uint64_t unskips_ = 0;
    bool released_ = false;
    bool paused_ = false;
    bool peer_paused_ = false;
    std::vector<ControlMessage> messages_;
    std::vector<ReceiverEvent> events_;
};

} // namespace thru
