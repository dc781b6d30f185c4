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
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"
#include "transfer/range_set.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

struct ReceiverGreeted {
    std::string name;
    /// The share's id: the same when the sender was restarted with it.
    WireId share{};
};
/// Entries below `end` are offered. The first time with the sender's totals checked, and again
/// whenever the share grew.
struct ReceiverOffered {
    std::uint64_t end = 0;
};
/// Everything that the sender leaves out.
struct ReceiverLeftOut {
    LeftOut left_out;
};
/// All bytes of these files are written and verified: commit and publish them.
struct ReceiverFilesComplete {
    std::vector<std::uint64_t> indexes;
};
/// Sent once for each entry, whichever side could not read or write it. Its part file is deleted.
struct ReceiverEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// The bytes from a previous attempt are useless: the file comes from its start.
struct ReceiverRestarted {
    std::uint64_t index = 0;
};
/// These bytes from a previous attempt are useless, and are sent again.
struct ReceiverOutdated {
    std::uint64_t index = 0;
    std::vector<ByteRange> ranges;
};
/// Removed from the share: part files are deleted. Sent once for each entry, and together for all
/// since the last take_events().
struct ReceiverRemoved {
    IndexRanges ranges;
};
/// These bytes are zeros; they count as written.
struct ReceiverHole {
    Hole hole;
};
/// To be stored with the part file.
struct ReceiverValidator {
    Validator validator;
};
/// The sender paused or resumed (nullopt).
struct ReceiverPeerPaused {
    std::optional<Pause> pause;
};
/// The sender showed the key by which it is known again; its signature is still to be checked.
struct ReceiverOriginShown {
    Origin origin;
};
/// The sender asks to become contacts.
struct ReceiverContactRequested {
    ContactRequest request;
};
/// About a search for a direct path.
struct ReceiverPathSought {
    FindPath find;
};
/// The sender's person is asked whether this side may have the share: the offer follows the answer.
struct ReceiverApprovalAwaited {};
/// Nothing is missing but what failed: links and folders can be finished, then on_all_durable.
struct ReceiverComplete {};
/// Done is among the messages. More may be offered after it.
struct ReceiverFinished {
    Done totals;
};
/// The sender sent BYE after DONE: the connection can be closed.
struct ReceiverReleased {};
using ReceiverEvent =
    std::variant<ReceiverGreeted, ReceiverLeftOut, ReceiverOffered, ReceiverFilesComplete,
                 ReceiverEntryFailed, ReceiverRestarted, ReceiverOutdated, ReceiverRemoved,
                 ReceiverHole, ReceiverValidator, ReceiverPeerPaused, ReceiverOriginShown,
                 ReceiverContactRequested, ReceiverPathSought, ReceiverApprovalAwaited,
                 ReceiverComplete, ReceiverFinished, ReceiverReleased>;

/// Choices about offered entries. Indexes that appear nowhere are wanted from their start.
struct ReceiverChoices {
    /// Complete already: an earlier attempt received them.
    IndexRanges present;
    /// The same files exist, by their size and time: nobody compared their content.
    IndexRanges uncompared;
    IndexRanges unwanted;
    /// Partly present; each index once.
    std::vector<Have> have;
    /// Before all others: set after set, each in the manifest's order.
    std::vector<IndexRanges> first;
    /// Hashes of the bytes of each `have`, from the first byte as far as they are known.
    ClaimedExtents extents{};
    /// The missing ranges below the offset of each `have`, requested once the sender confirms it.
    std::vector<Piece> missing{};
};

/// Used on the network thread only.
class Receiver {
public:
    /// `receive` stays the same when this receive resumes after a broken connection.
    Receiver(std::string own_name, WireId receive);

    /// PeerProtocol, PeerVersion, or the code of the sender's Bye.
    Result<> on_control(const ControlMessage &message);
    /// Bytes of the manifest stream. PeerProtocol, LimitExceeded.
    Result<> on_manifest_bytes(ByteView bytes);

    /// Asks for what is offered from the last accepted end on to `end`, a ReceiverOffered::end. To
    /// be called when folders are made and what failed there is reported.
    void accept(std::uint64_t end, const ReceiverChoices &choices);
    /// Skips files during the transfer: their part files are deleted. Published files stay.
    void skip(const IndexRanges &ranges);
    /// Undoes skips: the files come from their start. Published and failed files stay as they are.
    void want(const IndexRanges &ranges);
    /// Puts what is missing of these files before all others, in this order.
    void prioritize(const IndexRanges &ranges);

    /// Checks a segment's header before anything of it is written: indexes, kinds, bounds, overlap,
    /// one piece or whole files.
    Result<> on_segment_started(const SegmentPlan &plan);
    /// Asked for each piece right after on_segment_started: its bytes are to be written. Otherwise
    /// they are read and dropped: the entry was skipped, removed, failed or completed meanwhile.
    bool accepts(std::uint64_t index) const;
    /// The segment's hash was right and its data is written. Entries of it that failed are reported
    /// by on_entry_failed before.
    void on_segment_written(const SegmentPlan &plan);
    /// The sender reset the segment: its pieces may come again.
    void on_segment_abandoned(const SegmentPlan &plan);
    /// The segment's hash was wrong: its pieces are requested again; those requested again for this
    /// reason before fail with HashMismatch.
    void on_segment_damaged(const SegmentPlan &plan);
    /// There was no room for the segment: its pieces are requested again by the next resume().
    void on_segment_lost(const SegmentPlan &plan);
    /// The disk lost data while the segment was written: its pieces are requested again.
    void on_segment_voided(const SegmentPlan &plan);
    /// The disk did not take these written bytes of a file that is not published: they are
    /// requested again.
    void on_bytes_lost(std::uint64_t index, std::uint64_t offset, std::uint64_t length);
    /// Written bytes read back wrong before their file was published: they are requested again,
    /// three times for each file; then it fails with DiskIo.
    void on_read_back_wrong(std::uint64_t index, std::uint64_t offset, std::uint64_t length);
    /// A file has its final name, or its text was shown.
    void on_file_published(std::uint64_t index, bool renamed);
    /// The file that existed has the content of the offered one, and stays.
    void on_file_identical(std::uint64_t index);
    /// The entry can't be written here: informs the sender and continues without it.
    void on_entry_failed(std::uint64_t index, ErrorCode code);
    /// Every byte of the file arrived and was verified, and none has been discarded since.
    bool holds_complete(std::uint64_t index) const {
        return index < states_.size() && states_[index] == EntryState::Complete;
    }
    /// More of a stream that is wanted may come.
    bool stream_open() const;
    /// Whether the last ReceiverComplete still holds: nothing was accepted or wanted since that is
    /// missing.
    bool complete() const { return phase_ == Phase::Receiving && complete_; }
    /// After the last ReceiverComplete: everything requested is durable.
    void on_all_durable();

    /// Pauses for this side. A second pause changes the reason.
    void pause(const Pause &pause);
    void resume();
    /// At most so many bytes a second; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second);
    /// Whether the sender shall take only what others leave of the network; not, at first.
    void set_leaves_room(bool leaves);
    /// Asks the sender to become contacts.
    void send_contact_request(const ContactRequest &request) { messages_.emplace_back(request); }
    void send_find_path(FindPath message) { messages_.emplace_back(std::move(message)); }

    /// End of the entries that were requested or declined.
    std::uint64_t accepted_end() const { return accepted_; }
    /// Grows; what it has when work is handed to another thread can be read there.
    std::shared_ptr<const ManifestTable> manifest() const;
    /// Verified and written, with what was present before.
    std::uint64_t files() const;
    std::uint64_t bytes() const;
    /// What of an entry is written: whole pieces.
    std::uint64_t present_bytes(std::uint64_t index) const;
    /// Linear in what is offered: a byte for each.
    FileStates file_states() const;
    /// Totals of what is wanted and neither failed nor was removed.
    std::uint64_t total_files() const;
    std::uint64_t total_bytes() const;
    /// Files that are accepted or declined and were not removed.
    std::uint64_t offered_files() const { return offered_files_; }
    /// Those of them that are not wanted.
    std::uint64_t unwanted_files() const { return unwanted_files_; }

    /// Progress is among them at most once for each call, when they changed.
    std::vector<ControlMessage> take_messages();
    std::vector<ReceiverEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Listing, Offered, Receiving, Finished };
    enum class EntryState : std::uint8_t {
        /// Nothing of it is present or on its way. Also for entries that are no files.
        Waiting,
        /// It is complete in a segment that is being received.
        Arriving,
        /// It is in partial_.
        Partial,
        /// All its bytes are written; it is not published yet.
        Complete,
        Published,
        /// An earlier attempt completed it.
        Present,
        /// The file that existed has the same content.
        Identical,
        /// The file that existed has the same size and time.
        Uncompared,
        /// Was never asked for.
        Unwanted,
        /// Deselected after it was requested; bytes may still arrive.
        Skipped,
        /// Skipped and wanted again: requested once none of its bytes are on their way.
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
        /// The missing ranges below that offset.
        RangeSet missing;
        /// Hashes of the bytes of the Have.
        std::vector<Extents::Run> extents;
        /// The number of them that the sender has, and the offset where they end.
        std::size_t extents_sent = 0;
        std::uint64_t extents_end = 0;
    };

    Result<> on(const Hello &hello);
    Result<> on(const Offer &offer);
    Result<> on(const EntryFailed &failure);
    Result<> on(const Bye &bye);
    Result<> on(const Confirm &confirm);
    Result<> on(const Origin &origin);
    Result<> on(const ContactRequest &request);
    Result<> on(const FindPath &find);
    Result<> on(const LeftOut &left_out);
    Result<> on(const ApprovalWanted &wanted);
    Result<> on(const Restart &restart);
    Result<> on(const Compare &compare);
    Result<> on(const Validator &validator);
    Result<> on(const Hole &hole);
    Result<> on(const Pause &pause);
    Result<> on(const Resume &resume);
    Result<> on(const Removed &removed);
    template <class Other> Result<> on(const Other &other);
    Result<> check_offered();
    /// Matches the answer to a Have: true when the file waits for it; false when it no longer
    /// matters.
    Result<bool> match_answer(std::uint64_t index);
    void send_skip(Skip::Why why, const IndexRanges &ranges);
    void check_complete();

    bool is_file(std::uint64_t index) const;
    bool accepted_file(std::uint64_t index) const;
    /// Its bytes are missing, or it is not published yet.
    static bool is_missing(EntryState state);
    static bool is_done(EntryState state);
    /// It was there before any attempt to receive it.
    static bool is_identical(EntryState state);
    static FileState file_state(std::uint8_t state);
    /// Adds the entry as it is now to all sums, or takes it out of them: around every change.
    void count(std::uint64_t index, bool in);
    void set_state(std::uint64_t index, EntryState state);
    /// All below `end` is accepted.
    void cover(std::uint64_t end);
    /// Moves an entry to a final state: published, skipped, removed or failed.
    void withdraw(std::uint64_t index, EntryState state);
    /// Its bytes are in place. False when that was known, or when it isn't wanted.
    bool settle(std::uint64_t index, EntryState state);
    /// Makes a skipped or unwanted file wanted.
    void unskip(std::uint64_t index);
    void become_complete(std::uint64_t index);
    /// False when the entry is complete or failed before, or the transfer is finished.
    bool mark_failed(std::uint64_t index, ErrorCode code);

    bool covers_file(const Piece &piece) const;
    /// Where the piece lies in the sets of its PartialFile.
    std::pair<std::uint64_t, std::uint64_t> range_of(const Piece &piece) const;
    Result<> claim(const Piece &piece, bool alone);
    Result<> claim_part(const Piece &piece);
    /// The empty piece that ends a stream, behind its data.
    bool ends_stream(const Piece &piece) const;
    Result<> fit_stream(const Piece &piece, bool alone);
    void finish_stream(const Piece &piece);
    void resume_from(const Have &have, std::vector<Extents::Run> extents);
    void restart_file(std::uint64_t index);
    /// Clears claims and written bytes of this range; returns how many bytes had been written.
    std::uint64_t clear_range(std::uint64_t index, std::uint64_t begin, std::uint64_t end);
    void drop_if_empty(std::uint64_t index);
    /// A claimed piece ended. False when its bytes were dropped.
    bool end_piece(const Piece &piece);
    /// Releases a piece's claim, so that it can come again in any shape. How many bytes of it had
    /// been written.
    std::uint64_t unclaim(const Piece &piece);
    void check_file_complete(std::uint64_t index);
    /// Whether written bytes of it can be requested again.
    bool holds_unpublished(std::uint64_t index) const;
    void request_resend(const Piece &piece);

    Phase phase_ = Phase::Greeting;
    std::uint64_t version_ = 1;
    /// Where the piece that ends the stream said that it ends.
    std::optional<std::uint64_t> stream_end_;
    /// That piece was verified.
    bool stream_ended_ = false;
    ManifestDecoder decoder_;
    std::optional<Offer> offer_;
    bool origin_shown_ = false;
    bool approval_awaited_ = false;
    /// LEFT_OUT messages received.
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
    /// Files that were skipped and wanted again, or that a disk lost bytes of while more came:
    /// their bytes may arrive twice.
    std::unordered_set<std::uint64_t> repeated_;
    // By index, as far as needed: a sender can make them cover every entry.

    /// Pieces being received whose bytes are dropped, of files that are skipped or whole.
    EntryTable<std::uint32_t> dropping_;
    /// Entries that failed at the sender while they were not wanted.
    EntryTable<std::optional<ErrorCode>> unreadable_;
    /// Unanswered HAVEs that have become irrelevant.
    std::unordered_set<std::uint64_t> stale_haves_;
    /// Pieces requested again because of a wrong hash: index and offset.
    std::set<std::pair<std::uint64_t, std::uint64_t>> damaged_;
    std::unordered_map<std::uint64_t, unsigned> read_back_wrong_;
    /// Pieces that resume() requests: from index and offset to length.
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> lost_;
    std::vector<std::uint64_t> complete_files_;

    /// Accepted files that are missing.
    std::uint64_t missing_ = 0;
    std::uint64_t total_files_ = 0;
    std::uint64_t total_bytes_ = 0;
    std::uint64_t offered_files_ = 0;
    std::uint64_t unwanted_files_ = 0;
    std::uint64_t identical_ = 0;
    std::uint64_t identical_bytes_ = 0;
    std::uint64_t uncompared_ = 0;
    /// Complete files, and all present bytes.
    Progress progress_;
    Progress reported_;
    std::uint64_t problems_ = 0;
    std::uint64_t renamed_ = 0;
    /// ReceiverComplete was sent for what is accepted now.
    bool complete_ = false;
    /// Taken out since the last take_events().
    RangeSet removed_;
    // Counts of messages that are limited to one for each entry or Have.
    std::uint64_t failures_received_ = 0;
    std::uint64_t validators_received_ = 0;
    std::uint64_t answers_ = 0;
    std::uint64_t holes_ = 0;
    /// Have that were sent.
    std::uint64_t haves_ = 0;
    /// The number of Compares that may still come.
    std::uint64_t compares_ = 0;
    /// How often a file was wanted again: its validator may come once more.
    std::uint64_t unskips_ = 0;
    bool released_ = false;
    bool paused_ = false;
    bool room_wanted_ = false;
    bool peer_paused_ = false;
    std::vector<ControlMessage> messages_;
    std::vector<ReceiverEvent> events_;
};

} // namespace thru
