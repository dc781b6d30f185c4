// The receiving end of one transfer as a state machine. No file, no socket, no clock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "transfer/entry_table.h"
#include "transfer/file_states.h"
#include "transfer/manifest_table.h"
#include "transfer/range_set.h"
#include "transfer/receiver_chunks.h"
#include "transfer/receiver_entries.h"
#include "transfer/receiver_events.h"
#include "transfer/receiver_haves.h"
#include "transfer/receiver_pieces.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// Choices about offered entries. Indexes listed nowhere are wanted from their start.
struct ReceiverChoices {
    /// Completed by an earlier attempt.
    IndexRanges present;
    /// Existing files of the same size and time; their content was not compared.
    IndexRanges uncompared;
    IndexRanges unwanted;
    /// Further names of files that will be published: ManifestTable::first_name.
    IndexRanges linked{};
    /// Partly present; each index at most once.
    std::vector<Have> have;
    /// Sent before all others: set after set, each in manifest order.
    std::vector<IndexRanges> first;
    /// Known hashes of each `have`, starting at the file's first byte.
    ClaimedExtents extents{};
    /// The missing ranges below the offset of each `have`, requested once the sender confirms it.
    std::vector<Piece> missing{};
    /// Entries of `have` whose bytes are of another version of the file, each with the number of
    /// its bytes that were fetched.
    std::unordered_map<std::uint64_t, std::uint64_t> of_basis{};
};

/// Used on the network thread only.
class Receiver {
public:
    /// `receive` stays the same when this receive resumes after a broken connection; `browser` is
    /// for a web page. `takes` is a set of kTakes bits.
    Receiver(std::string own_name, WireId receive, bool browser = false, std::uint64_t takes = 0);

    /// PeerProtocol, PeerVersion, or the code of the sender's Bye.
    Result<> on_control(const ControlMessage &message);
    /// Bytes of the manifest stream. PeerProtocol, LimitExceeded.
    Result<> on_manifest_bytes(ByteView bytes);

    /// Asks for up to `bytes` of the first files as soon as they are offered. Only once, and only
    /// before accept(); returns false otherwise.
    bool prefetch(std::uint64_t bytes);
    bool prefetching() const { return pieces_.prefetching(); }
    /// Lets the sender compress segments. Only before accept().
    void allow_compression() {
        if (!std::exchange(compression_allowed_, true)) {
            out_.messages.emplace_back(Compress{});
        }
    }
    bool compression_allowed() const { return compression_allowed_; }
    /// Requests the offered entries from the last accepted end up to `end`, a ReceiverOffered::end.
    /// Call it after folders are made and their failures reported.
    void accept(std::uint64_t end, const ReceiverChoices &choices);
    /// Skips files during the transfer: the owner deletes their part files. Published files stay.
    void skip(const IndexRanges &ranges);
    /// Undoes skips: unpublished files that did not fail are sent from their start.
    void want(const IndexRanges &ranges) { send_whole(ranges, false); }
    /// Entries that can't become further names are sent from their start.
    void unlink(const IndexRanges &ranges) { send_whole(ranges, true); }
    /// True while the entry waits to become a further name of a file.
    bool is_linked(std::uint64_t index) const {
        return entries_.state(index) == EntryState::Linked;
    }
    /// Gives the missing bytes of these files priority over all others, in this order.
    void prioritize(const IndexRanges &ranges);

    /// Checks a header first: indexes, kinds, bounds, overlap, one piece or whole files.
    Result<> on_segment_started(const SegmentPlan &plan) { return pieces_.on_started(plan); }
    /// The same for a prefetched segment, after accept(): removes unused pieces from `plan`, and
    /// all later calls about the segment get the rest.
    Result<> on_prefetched_started(SegmentPlan &plan) { return pieces_.on_prefetched(plan); }
    /// Called for each piece after on_segment_started. True if its bytes must be written; otherwise
    /// they are dropped, because the entry was skipped, removed, failed or completed.
    bool accepts(std::uint64_t index) const { return entries_.accepts(index); }
    /// The hash was right and the data is written. Failed entries went to on_entry_failed before.
    void on_segment_written(const SegmentPlan &plan) { pieces_.on_written(plan); }
    /// The sender reset the segment: its pieces may arrive again.
    void on_segment_abandoned(const SegmentPlan &plan) { pieces_.on_abandoned(plan); }
    /// The segment's hash was wrong: its pieces are requested again. Pieces already requested again
    /// for this reason fail with HashMismatch.
    void on_segment_damaged(const SegmentPlan &plan);
    /// The disk had no room for the segment: the next resume() requests its pieces again.
    void on_segment_lost(const SegmentPlan &plan) { pieces_.on_lost(plan); }
    /// The disk lost data while the segment was written: its pieces are requested again.
    void on_segment_voided(const SegmentPlan &plan) { pieces_.on_voided(plan); }
    /// The disk lost these written bytes of an unpublished file: they are requested again.
    void on_bytes_lost(const Piece &piece);
    /// Written bytes read back wrong: they are requested again. After three times, DiskIo.
    void on_read_back_wrong(const Piece &piece);
    /// A file has its final name, or its text was displayed.
    void on_file_published(std::uint64_t index, bool renamed);
    /// The existing file has the offered content and stays.
    void on_file_identical(std::uint64_t index) { settle(index, EntryState::Identical); }
    /// The entry can't be written here: informs the sender and continues without it.
    void on_entry_failed(std::uint64_t index, ErrorCode code);
    /// True if every byte of the file is verified and none was discarded afterwards.
    bool holds_complete(std::uint64_t index) const {
        return entries_.state(index) == EntryState::Complete;
    }
    /// True if more of a wanted stream may arrive.
    bool stream_open() const { return pieces_.stream_open(); }
    /// True if only failed entries are missing: finish links and folders, then call on_all_durable.
    bool complete() const {
        return phase_ == Phase::Receiving && entries_.totals().missing_files == 0;
    }
    /// Everything requested is durable; no effect if complete() no longer holds.
    void on_all_durable();

    /// Pauses on this side. A second pause changes the reason.
    void pause(const Pause &pause) {
        paused_ = true;
        out_.messages.emplace_back(pause);
    }
    void resume();
    /// Limits the sender to `bytes_per_second`; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second) {
        out_.messages.emplace_back(Rate{bytes_per_second});
    }
    /// Asks the sender to use only capacity that other traffic leaves; initially off.
    void set_background(bool enabled) {
        if (std::exchange(background_, enabled) != enabled) {
            out_.messages.emplace_back(
                Background{enabled ? Background::Enabled::Yes : Background::Enabled::No});
        }
    }
    /// Keeps the connection after Done, if the sender reports changes of its share.
    void follow() {
        wants_to_follow_ = true;
        answer_follow();
    }
    /// True if the sender reports changes of its share.
    bool followable() const { return followable_; }
    /// True if the sender lists the chunks of its files.
    bool lists_chunks() const { return lists_chunks_; }
    /// Before accept() of the files.
    void ask_for_chunks(const WantedChunks &wanted);
    /// True if the sender keeps the connection after Done.
    bool follows() const { return follow_sent_; }
    /// Asks the sender to become a contact.
    void send_contact_request(const ContactRequest &request) {
        out_.messages.emplace_back(request);
    }
    void send_find_path(FindPath message) { out_.messages.emplace_back(std::move(message)); }

    /// End of the entries that were requested or declined.
    std::uint64_t accepted_end() const { return entries_.accepted_end(); }
    /// The manifest, which grows. Another thread may read the entries present when it received its
    /// work.
    std::shared_ptr<const ManifestTable> manifest() const { return entries_.shared_manifest(); }
    ReceiverTotals totals() const;
    /// Bytes taken from other versions of the files, over this connection.
    std::uint64_t reused_bytes() const { return reused_bytes_ + haves_.reused_bytes(); }
    /// Written bytes of an entry, in whole pieces.
    std::uint64_t present_bytes(std::uint64_t index) const { return pieces_.present_bytes(index); }
    /// Linear in the offered entries: one byte each.
    FileStates file_states() const { return entries_.file_states(offered_); }

    /// Excludes Progress: the owner also knows the bytes in transit.
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
    Result<> on(const HardLinks &message) {
        return offer_ ? fail(ErrorCode::PeerProtocol, 0, "HARD_LINKS after OFFER")
                      : entries_.take(message);
    }
    Result<> on(const FileAttributes &file) {
        return offer_ || (takes_ & kTakesAttributes) == 0
                   ? fail(ErrorCode::PeerProtocol, 0, "ATTRIBUTES after OFFER, or unrequested")
                   : entries_.take(file);
    }
    Result<> on(const CreationTimes &times) {
        return offer_ || (takes_ & kTakesCreationTimes) == 0
                   ? fail(ErrorCode::PeerProtocol, 0, "CREATION_TIMES after OFFER, or unrequested")
                   : entries_.take(times);
    }
    Result<> on(const ApprovalRequested &requested);
    Result<> on(const Restart &restart);
    Result<> on(const Compare &compare) { return haves_.on_compare(compare); }
    Result<> on(const Validator &validator);
    Result<> on(const Hole &hole);
    Result<> on(const Pause &pause);
    Result<> on(const Resume &resume);
    Result<> on(const Removed &removed);
    Result<> on(const Follow &) {
        if (!std::exchange(followable_, true)) {
            answer_follow();
            out_.events.emplace_back(ReceiverFollowable{});
        }
        return {};
    }
    Result<> on(const ChunkLists &) {
        lists_chunks_ = true;
        return {};
    }
    Result<> on(const Chunks &part);
    Result<> on(const FileBlocks &blocks);
    Result<> on(const Fetched &part);
    template <class Other> Result<> on(const Other &other);
    Result<> report(ReceiverEvent event);
    Result<> check_offered();
    /// The sender may have sent BYE already after DONE.
    void answer_follow() {
        if (followable_ && wants_to_follow_ && phase_ != Phase::Finished &&
            !std::exchange(follow_sent_, true)) {
            out_.messages.emplace_back(Follow{});
        }
    }
    void send_whole(const IndexRanges &ranges, bool linked);
    void send_skip(Skip::Why why, const IndexRanges &ranges);
    void send_prioritize(const IndexRanges &ranges);
    /// The entry's bytes are in place. False if that was known, or if it isn't wanted.
    bool settle(std::uint64_t index, EntryState state);
    /// False if the entry was complete or failed before, or the transfer has finished.
    bool mark_failed(std::uint64_t index, ErrorCode code);

    Phase phase_ = Phase::Greeting;
    /// A set of kTakes bits.
    const std::uint64_t takes_;
    std::uint64_t version_ = 1;
    ManifestDecoder decoder_;
    std::optional<Offer> offer_;
    bool origin_shown_ = false;
    bool approval_awaited_ = false;
    std::uint64_t left_out_received_ = 0;
    /// Totals of the first checkpoint.
    std::optional<Offer> checkpoint_totals_;
    /// The end of the last ReceiverOffered.
    std::uint64_t offered_ = 0;
    /// Errors of entries that failed at the sender while they were unwanted.
    EntryTable<std::optional<ErrorCode>> unreadable_;
    std::uint64_t problems_ = 0;
    std::uint64_t renamed_ = 0;
    std::uint64_t reused_bytes_ = 0;
    /// Entries removed since the last take_events().
    RangeSet removed_;
    // Counts of messages limited to one per entry.
    std::uint64_t failures_received_ = 0;
    std::uint64_t validators_received_ = 0;
    std::uint64_t holes_ = 0;
    bool released_ = false;
    bool paused_ = false;
    bool background_ = false;
    bool peer_paused_ = false;
    bool followable_ = false;
    bool wants_to_follow_ = false;
    bool follow_sent_ = false;
    bool compression_allowed_ = false;
    bool lists_chunks_ = false;
    ReceiverChunks chunks_;
    ReceiverOutbox out_;
    ReceiverEntries entries_;
    ReceiverHaves haves_{entries_, out_};
    ReceiverPieces pieces_{entries_, haves_, out_};
};

} // namespace thru
