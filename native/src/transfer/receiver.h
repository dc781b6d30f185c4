// The receiving end of one transfer as a state machine. No file, no socket, no clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "transfer/entry_table.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"
#include "transfer/range_set.h"
#include "transfer/receiver_entries.h"
#include "transfer/receiver_events.h"
#include "transfer/receiver_haves.h"
#include "transfer/receiver_pieces.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

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
    Result<> on_segment_started(const SegmentPlan &plan) { return pieces_.on_started(plan); }
    /// Asked for each piece right after on_segment_started: its bytes are to be written. Otherwise
    /// they are read and dropped: the entry was skipped, removed, failed or completed meanwhile.
    bool accepts(std::uint64_t index) const { return entries_.accepts(index); }
    /// The segment's hash was right and its data is written. Entries of it that failed are reported
    /// by on_entry_failed before.
    void on_segment_written(const SegmentPlan &plan) { pieces_.on_written(plan); }
    /// The sender reset the segment: its pieces may come again.
    void on_segment_abandoned(const SegmentPlan &plan) { pieces_.on_abandoned(plan); }
    /// The segment's hash was wrong: its pieces are requested again; those requested again for this
    /// reason before fail with HashMismatch.
    void on_segment_damaged(const SegmentPlan &plan);
    /// There was no room for the segment: its pieces are requested again by the next resume().
    void on_segment_lost(const SegmentPlan &plan) { pieces_.on_lost(plan); }
    /// The disk lost data while the segment was written: its pieces are requested again.
    void on_segment_voided(const SegmentPlan &plan) { pieces_.on_voided(plan); }
    /// The disk did not take these written bytes of a file that is not published: they are
    /// requested again.
    void on_bytes_lost(const Piece &piece);
    /// Written bytes read back wrong before their file was published: they are requested again,
    /// three times for each file; then it fails with DiskIo.
    void on_read_back_wrong(const Piece &piece);
    /// A file has its final name, or its text was shown.
    void on_file_published(std::uint64_t index, bool renamed);
    /// The file that existed has the content of the offered one, and stays.
    void on_file_identical(std::uint64_t index) { settle(index, EntryState::Identical); }
    /// The entry can't be written here: informs the sender and continues without it.
    void on_entry_failed(std::uint64_t index, ErrorCode code);
    /// Every byte of the file arrived and was verified, and none has been discarded since.
    bool holds_complete(std::uint64_t index) const {
        return entries_.state(index) == EntryState::Complete;
    }
    /// More of a stream that is wanted may come.
    bool stream_open() const { return pieces_.stream_open(); }
    /// Nothing is missing but what failed: links and folders can be finished, then on_all_durable.
    bool complete() const {
        return phase_ == Phase::Receiving && entries_.totals().missing_files == 0;
    }
    /// Everything requested is durable; without effect when it is not complete any more.
    void on_all_durable();

    /// Pauses for this side. A second pause changes the reason.
    void pause(const Pause &pause);
    void resume();
    /// At most so many bytes a second; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second) {
        out_.messages.emplace_back(Rate{bytes_per_second});
    }
    /// Whether the sender shall take only what others leave of the network; not, at first.
    void set_leaves_room(bool leaves);
    /// Asks the sender to become contacts.
    void send_contact_request(const ContactRequest &request) {
        out_.messages.emplace_back(request);
    }
    void send_find_path(FindPath message) { out_.messages.emplace_back(std::move(message)); }

    /// End of the entries that were requested or declined.
    std::uint64_t accepted_end() const { return entries_.accepted_end(); }
    /// Grows; what it has when work is handed to another thread can be read there.
    std::shared_ptr<const ManifestTable> manifest() const { return entries_.shared_manifest(); }
    ReceiverTotals totals() const;
    /// Written bytes of an entry: whole pieces.
    std::uint64_t present_bytes(std::uint64_t index) const { return pieces_.present_bytes(index); }
    /// Linear in what is offered: a byte for each.
    FileStates file_states() const { return entries_.file_states(offered_); }

    /// Progress is not among them: the owner knows of bytes under way, too.
    std::vector<ControlMessage> take_messages() { return std::exchange(out_.messages, {}); }
    std::vector<ReceiverEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Listing, Offered, Receiving, Finished };

    Result<> on(const Hello &hello);
    Result<> on(const Offer &offer);
    Result<> on(const EntryFailed &failure);
    Result<> on(const Bye &bye);
    Result<> on(const Confirm &confirm);
    Result<> on(const Origin &origin);
    Result<> on(const ContactRequest &request) { return report(request); }
    Result<> on(const FindPath &find) { return report(find); }
    Result<> on(const LeftOut &left_out);
    Result<> on(const ApprovalWanted &wanted);
    Result<> on(const Restart &restart);
    Result<> on(const Compare &compare) { return haves_.on_compare(compare); }
    Result<> on(const Validator &validator);
    Result<> on(const Hole &hole);
    Result<> on(const Pause &pause);
    Result<> on(const Resume &resume);
    Result<> on(const Removed &removed);
    template <class Other> Result<> on(const Other &other);
    Result<> report(ReceiverEvent event);
    Result<> check_offered();
    void send_skip(Skip::Why why, const IndexRanges &ranges);
    void send_prioritize(const IndexRanges &ranges);
    /// Its bytes are in place. False when that was known, or when it isn't wanted.
    bool settle(std::uint64_t index, EntryState state);
    /// False when the entry is complete or failed before, or the transfer is finished.
    bool mark_failed(std::uint64_t index, ErrorCode code);

    Phase phase_ = Phase::Greeting;
    std::uint64_t version_ = 1;
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
    /// Entries that failed at the sender while they were not wanted.
    EntryTable<std::optional<ErrorCode>> unreadable_;
    std::uint64_t problems_ = 0;
    std::uint64_t renamed_ = 0;
    /// Taken out since the last take_events().
    RangeSet removed_;
    // Counts of messages that are limited to one for each entry.
    std::uint64_t failures_received_ = 0;
    std::uint64_t validators_received_ = 0;
    std::uint64_t holes_ = 0;
    bool released_ = false;
    bool paused_ = false;
    bool room_wanted_ = false;
    bool peer_paused_ = false;
    ReceiverOutbox out_;
    ReceiverEntries entries_;
    ReceiverHaves haves_{entries_, out_};
    ReceiverPieces pieces_{entries_, haves_, out_};
};

} // namespace thru
