// The sending end of one transfer as a state machine: messages and results in, messages, segments
// and events out. No file, no socket, no clock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "transfer/manifest_table.h"
#include "transfer/segment_planner.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

/// Events of the sender for its owner.
struct SenderGreeted {
    std::string name;
    /// The receive's id, unchanged when it resumes after a lost connection.
    WireId receive{};
    /// The receiver is a web page.
    bool browser = false;
};
/// The receiver made its choice: data flows.
struct SenderAccepted {};
/// Present and wanted files. Both change when the receiver skips files.
struct SenderProgress {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
};
/// Sent once per entry, whichever side failed to read or write it.
struct SenderEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// Asks for the next data and hole from `offset` on; on_data_found answers.
struct SenderDataWanted {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
};
/// The receiver paused or resumed (nullopt).
struct SenderPeerPaused {
    std::optional<Pause> pause;
};
/// The receiver has everything it can get; the connection may be closed once messages are sent.
struct SenderFinished {
    Done totals;
};
/// The receiver has everything it can get, and follows the share: the connection stays open.
struct SenderInStep {
    Done totals;
};
/// Some of these are the receiver's messages. The file of a Have waits until the owner compared it
/// and calls on_have_checked. Extents answers compare(), empty if the file no longer matters.
using SenderEvent =
    std::variant<SenderGreeted, SenderAccepted, SenderProgress, SenderEntryFailed, Have, Extents,
                 ListChunks, ListBlocks, Fetch, SenderDataWanted, SenderPeerPaused, Rate,
                 ContactRequest, FindPath, SenderFinished, SenderInStep>;

/// Used on the network thread only.
class Sender {
public:
    struct Options {
        std::string name;
        /// The share's id, by which receivers recognize it when they resume.
        WireId share{};
        /// This side is a web page.
        bool browser = false;
        /// Sent before anything is offered.
        std::optional<Origin> origin;
        /// The manifest will contain a stream.
        bool stream = false;
        /// This side's user must approve the receiver before anything is offered.
        bool asks = false;
        /// A receiver that is a web page may receive.
        bool browsers = true;
        /// The owner answers ListChunks by send_chunks, and ListBlocks and Fetch by send_answer.
        bool lists_chunks = false;
        /// Validator of a file that spans several segments.
        std::function<WireId(std::uint64_t)> validator_of;
    };
    /// `manifest` may still grow; only entries up to the last checkpoint are read.
    Sender(std::shared_ptr<const ManifestTable> manifest, Options options);

    /// PeerProtocol, PeerVersion, NoBrowsers, or the code of the receiver's Bye (Declined, ...).
    Result<> on_control(const ControlMessage &message);
    /// Entries named by all Skips and Prioritizes so far, each of which costs work.
    std::uint64_t choices() const { return choices_; }

    /// Entries left out of the offer; sent before it, and whenever they change.
    void set_left_out(LeftOut left_out);
    /// Entries that are further names of files, rising. Only before the first on_checkpoint.
    void set_hard_links(std::vector<HardLink> links) {
        for (std::size_t sent = 0; sent < links.size(); sent += kMaxHardLinks) {
            const auto first = links.begin() + static_cast<std::ptrdiff_t>(sent);
            const auto count = std::min(links.size() - sent, kMaxHardLinks);
            messages_.emplace_back(HardLinks{{first, first + static_cast<std::ptrdiff_t>(count)}});
        }
        planner_.set_hard_links(std::move(links));
    }
    /// Files and folders that have extended attributes, rising, except those in `removed`. Only
    /// before the first on_checkpoint, and after SenderGreeted. No effect if the receiver wants
    /// none.
    void set_attributes(const std::vector<FileAttributes> &files, const IndexRanges &removed) {
        for (const FileAttributes &file : files) {
            if (takes(kTakesAttributes, file.index) && !contains(removed, file.index)) {
                messages_.emplace_back(file);
            }
        }
    }
    /// The same for the times at which they were made.
    void set_creation_times(const std::vector<CreationTime> &files, const IndexRanges &removed) {
        CreationTimes next;
        for (const CreationTime &file : files) {
            if (takes(kTakesCreationTimes, file.index) && !contains(removed, file.index)) {
                next.files.push_back(file);
            }
            if (next.files.size() == kMaxCreationTimes) {
                messages_.emplace_back(std::exchange(next, {}));
            }
        }
        if (!next.files.empty()) {
            messages_.emplace_back(std::move(next));
        }
    }
    /// The manifest is complete up to here. The first call makes the offer, later ones extend it.
    /// Before SenderAccepted the owner must not write later checkpoints.
    void on_checkpoint();
    /// These entries were removed from the share. Also called before the first checkpoint with all
    /// entries ever removed: this receiver's manifest must list them as Gone.
    void on_removed(const IndexRanges &ranges);

    /// The stream has grown to `end`, which the manifest knows; `ended` if that is its final size.
    void on_stream_grown(std::uint64_t end, bool ended);
    /// The stream failed: the receiver must not take its bytes for the whole.
    void on_stream_broken();
    /// End of the planned bytes of the stream.
    std::uint64_t stream_planned() const { return planner_.stream_planned(); }

    /// The next segment to read and send; nullopt if there is none yet, or while paused.
    std::optional<SegmentPlan> next_segment();
    /// The last next_segment reached its search limit; the next call continues the search.
    bool searching() const { return searching_; }
    /// The last segment repeats bytes that did not arrive intact.
    bool repeated() const { return repeated_; }
    /// The last segment answers a Prefetch: its stream begins with StreamType::Prefetched.
    bool prefetched() const { return prefetched_; }
    /// False if the receiver uses nothing of a prefetched segment; call it after SenderAccepted.
    bool uses_prefetched(const SegmentPlan &plan) const;

    /// Entry `index` of a segment can't be read: informs the receiver, and plans the rest of the
    /// segment again. Call it once the receiver has acknowledged the reset of the segment's stream.
    /// A new plan that overtook the reset would seem to overlap.
    void on_entry_failed(const SegmentPlan &plan, std::uint64_t index, ErrorCode code);
    /// A prefetched segment can't be read, and the reset of its stream is acknowledged. Its entries
    /// are read again once they are requested, and fail then.
    void on_prefetch_failed(const SegmentPlan &plan);
    /// True while this file's Have is unanswered.
    bool awaits_check(std::uint64_t index) const;
    /// The Have is inconclusive: requests hashes from `offset` on (Extents). One file at a time.
    void compare(const Have &have, std::uint64_t offset);
    /// Ranges that differ, kMaxDifferent of them; on_have_checked follows.
    void confirm_part(std::uint64_t index, std::vector<ByteRange> different);
    /// `same`: the receiver's bytes match except in `different`; sends Confirm and continues at the
    /// Have's offset. Otherwise sends Restart.
    void on_have_checked(std::uint64_t index, bool same, std::vector<ByteRange> different = {});
    /// Chunks of a file in ListChunks.
    void send_chunks(Chunks chunks) {
        if (phase_ != Phase::Finished) {
            messages_.emplace_back(std::move(chunks));
        }
    }
    /// False if the file was removed, or failed.
    bool offers(std::uint64_t index) const { return planner_.to_be_sent(index); }
    /// Blocks or bytes of a range; none if they can't be read. In the order of their requests.
    template <class Answer> void send_answer(Answer answer) {
        if (phase_ != Phase::Finished) {
            messages_.emplace_back(std::move(answer));
        }
    }
    /// The next data run is [begin, end), after zeros; both are the size if only zeros remain.
    void on_data_found(std::uint64_t index, std::uint64_t begin, std::uint64_t end);

    /// Pauses and resumes on this side; repeated calls have no effect.
    void pause();
    void resume();
    /// True if either side has paused.
    bool paused() const;
    /// The receiver asked to leave room for other traffic.
    bool background() const { return background_; }
    /// The receiver takes compressed segments.
    bool may_compress() const { return may_compress_; }

    /// See SegmentPlanner.
    std::uint64_t planned_bytes(std::uint64_t index) const { return planner_.planned_bytes(index); }
    FileStates file_states() const { return planner_.file_states(); }

    /// Asks the receiver to become a contact.
    void send_contact_request(const ContactRequest &request) { messages_.emplace_back(request); }

    /// Allows the receiver to follow the share, or no longer; one in step is then released.
    void set_followable(bool followable);
    /// No effect once the transfer has finished.
    void send_find_path(FindPath message) {
        if (phase_ != Phase::Finished) {
            messages_.emplace_back(std::move(message));
        }
    }

    std::vector<ControlMessage> take_messages();
    std::vector<SenderEvent> take_events();

private:
    enum class Phase : std::uint8_t { Greeting, Offering, Sending, Finished };

    Result<> on(const Hello &hello);
    Result<> on(const Request &request);
    Result<> on(const Progress &progress);
    Result<> on(const EntryFailed &failure);
    Result<> on(const Done &done);
    Result<> on(const Bye &bye);
    Result<> on(const Skip &skip);
    Result<> on(const Have &have);
    Result<> on(const Extents &extents);
    Result<> on(const ListChunks &list);
    Result<> on(const ListBlocks &list);
    Result<> on(const Fetch &fetch);
    /// The first block of an entry that was not in a message of a kind.
    struct NextBlock {
        std::uint64_t index = 0;
        std::uint64_t offset = 0;
    };
    Result<> take_range(NextBlock &next, std::uint64_t index, const ByteRange &range);
    Result<> on(const Resend &resend);
    Result<> on(const Prioritize &prioritize);
    Result<> on(const Prefetch &prefetch);
    Result<> on(const Rate &rate) { return report(rate); }
    Result<> on(const Background &background) {
        background_ = background.enabled == Background::Enabled::Yes;
        return {};
    }
    Result<> on(const Pause &pause);
    Result<> on(const Resume &resume);
    Result<> on(const ContactRequest &request) { return report(request); }
    Result<> on(const FindPath &find) { return report(find); }
    Result<> on(const Follow &follow);
    Result<> on(const Compress &) {
        const bool first = phase_ == Phase::Offering && !std::exchange(may_compress_, true);
        return first ? Result<>{} : fail(ErrorCode::PeerProtocol, 0, "COMPRESS too late or twice");
    }
    template <class Other> Result<> on(const Other &other);
    Result<> report(SenderEvent event);

    /// True if the receiver takes what the kTakes bit `what` means, of this entry.
    bool takes(std::uint64_t what, std::uint64_t index) const {
        const bool folder = manifest_->kind(index) == EntryKind::Folder;
        return (takes_ & what) != 0 && (!folder || (takes_ & kTakesThoseOfFolders) != 0);
    }
    /// True between the offer and the end.
    bool offered() const;
    bool is_file(std::uint64_t index) const;
    /// Counts the named entries against their limit.
    Result<> check_choice(const IndexRanges &ranges);
    /// Counts repeated bytes against their limit.
    Result<> spend(std::uint64_t bytes);
    /// False if that was known, or if the entry isn't wanted.
    bool mark_failed(std::uint64_t index, ErrorCode code);
    void report_progress();
    /// Answers Done: nothing more follows.
    void release();

    std::shared_ptr<const ManifestTable> manifest_;
    Options options_;
    SegmentPlanner planner_;
    Phase phase_ = Phase::Greeting;
    bool offer_made_ = false;
    LeftOut left_out_;
    /// Sums up to the last checkpoint, including removed entries: bounds of a receiver's claims.
    std::uint64_t checkpoint_files_ = 0;
    std::uint64_t checkpoint_bytes_ = 0;
    /// A Done for the last Request arrived.
    bool done_ = false;
    bool paused_ = false;
    bool peer_paused_ = false;
    bool background_ = false;
    bool may_compress_ = false;
    /// A set of kTakes bits and others.
    std::uint64_t takes_ = 0;
    bool followable_ = false;
    /// Follow was sent, and answered.
    bool follow_offered_ = false;
    bool followed_ = false;
    /// The Done of a receiver that follows; the connection waits for changes.
    std::optional<Done> in_step_;
    Progress progress_;
    /// The unanswered Compare, and the end of the claimed bytes.
    std::optional<Compare> comparing_;
    std::uint64_t comparing_end_ = 0;
    bool searching_ = false;
    bool repeated_ = false;
    /// The bytes that the receiver allows before Request, once it has sent Prefetch.
    std::optional<std::uint64_t> prefetch_bytes_;
    /// Segments that answer it and are not sent yet.
    std::deque<SegmentPlan> prefetch_;
    bool prefetched_ = false;
    std::uint64_t choices_ = 0;
    /// Files below were in ListChunks, or can't be anymore.
    std::uint64_t unlisted_ = 0;
    NextBlock next_listed_;
    NextBlock next_fetched_;
    std::uint64_t resends_ = 0;
    std::uint64_t resent_bytes_ = 0;
    /// ENTRY_FAILED messages received: at most one per entry.
    std::uint64_t failures_received_ = 0;
    std::vector<ControlMessage> messages_;
    std::vector<SenderEvent> events_;
};

} // namespace thru
