// The sending end of one transfer as a state machine: messages and results in, messages, segments
// and events out. No file, no socket, no clock.
#pragma once

#include <cstdint>
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
    /// The receive's id: the same when it resumes after a broken connection.
    WireId receive{};
};
/// The receiver chose what it wants: data flows.
struct SenderAccepted {};
/// What the receiver has, and what it wants. Both change with what it skips.
struct SenderProgress {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
    std::uint64_t offered_files = 0;
    std::uint64_t unwanted_files = 0;
};
/// Sent once for each entry, whichever side could not read or write it.
struct SenderEntryFailed {
    std::uint64_t index = 0;
    ErrorCode code = ErrorCode::Internal;
};
/// Where are data and holes from `offset` on? Answered by on_data_found.
struct SenderDataWanted {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
};
/// The receiver paused or resumed (nullopt).
struct SenderPeerPaused {
    std::optional<Pause> pause;
};
/// The receiver has everything it can get; the connection can be closed once messages are sent.
struct SenderFinished {
    Done totals;
};
/// Some are messages of the receiver: Have is to be compared with the sender's file and answered by
/// on_have_checked, and the file waits until then. Extents are what compare() asked for; none when
/// the file no longer matters.
using SenderEvent = std::variant<SenderGreeted, SenderAccepted, SenderProgress, SenderEntryFailed,
                                 Have, Extents, SenderDataWanted, SenderPeerPaused, Rate,
                                 ContactRequest, FindPath, SenderFinished>;

/// Used on the network thread only.
class Sender {
public:
    struct Options {
        std::string name;
        /// The share's id, by which resuming receivers recognize it.
        WireId share{};
        /// Sent before anything is offered.
        std::optional<Origin> origin;
        /// A stream will be in the manifest.
        bool stream = false;
        /// Its person has to approve the receiver before anything is offered.
        bool asks = false;
        /// What Validator says of a file of several segments.
        std::function<WireId(std::uint64_t)> validator_of;
    };
    /// `manifest` may still be growing; it is read up to the last checkpoint only.
    Sender(std::shared_ptr<const ManifestTable> manifest, Options options);

    /// PeerProtocol, PeerVersion, or the code of the receiver's Bye (Declined, Cancelled, ...).
    Result<> on_control(const ControlMessage &message);
    /// Entries that all Skips and Prioritizes have named so far: each is a step of work.
    std::uint64_t choices() const { return choices_; }

    /// What the offer leaves out; sent before the offer, and whenever it changes afterwards.
    void set_left_out(LeftOut left_out);
    /// The manifest is complete up to here: the first time the offer is made, later it has grown.
    /// Later checkpoints are not to be written before SenderAccepted.
    void on_checkpoint();
    /// These entries were removed from the share and are no longer sent. Also called before the
    /// first checkpoint, with all that were ever removed: they have to be Gone in this receiver's
    /// manifest stream, and are not offered.
    void on_removed(const IndexRanges &ranges);

    /// The stream has that many bytes now, which the manifest knows; `ended` when no more come.
    void on_stream_grown(std::uint64_t end, bool ended);
    /// It broke off: the receiver must not take what came for all of it.
    void on_stream_broken();
    /// Bytes of the stream before this were planned.
    std::uint64_t stream_planned() const { return planner_.stream_planned(); }

    /// The next segment to read and send; nullopt when there is none (yet), or while paused.
    std::optional<SegmentPlan> next_segment();
    /// The last next_segment stopped its search at a limit: the next one continues it.
    bool searching() const { return searching_; }
    /// The last next_segment's bytes were sent before, and did not arrive as they should.
    bool repeated() const { return repeated_; }

    /// Entry `index` of a segment could not be read: tells the receiver, and plans the rest of
    /// that segment again. To be called when the receiver has acknowledged the reset of that
    /// segment's stream: the new plan must not overtake it, or its pieces would seem to overlap.
    void on_entry_failed(const SegmentPlan &plan, std::uint64_t index, ErrorCode code);
    /// A Have for this file still needs an answer.
    bool awaits_check(std::uint64_t index) const;
    /// The Have alone does not tell: asks for hashes from `offset` on, which a Extents
    /// brings. For one file at a time.
    void compare(const Have &have, std::uint64_t offset);
    /// `same`: the receiver's bytes are the file's, except for what is `different`: Confirm, and
    /// continue at its offset; otherwise Restart.
    void on_have_checked(std::uint64_t index, bool same, std::vector<ByteRange> different = {});
    /// The next run of data is [begin, end); what lies before it is zeros. Both are the file's size
    /// when nothing but zeros is left.
    void on_data_found(std::uint64_t index, std::uint64_t begin, std::uint64_t end);

    /// Pauses and resumes for this side; without effect when it is so already.
    void pause();
    void resume();
    /// Whether either side has paused.
    bool paused() const;
    /// The receiver's person wants room for others.
    bool room_wanted() const { return room_wanted_; }

    /// As those of SegmentPlanner.
    std::uint64_t planned_bytes(std::uint64_t index) const { return planner_.planned_bytes(index); }
    FileStates file_states() const { return planner_.file_states(); }

    /// Asks the receiver to become contacts.
    void send_contact_request(const ContactRequest &request) { messages_.emplace_back(request); }

    /// Not once everything was said.
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
    Result<> on(const Resend &resend);
    Result<> on(const Prioritize &prioritize);
    Result<> on(const Rate &rate) { return report(rate); }
    Result<> on(const LeaveRoom &leave);
    Result<> on(const Pause &pause);
    Result<> on(const Resume &resume);
    Result<> on(const ContactRequest &request) { return report(request); }
    Result<> on(const FindPath &find) { return report(find); }
    template <class Other> Result<> on(const Other &other);
    Result<> report(SenderEvent event);

    /// Between the offer and the end.
    bool offered() const;
    bool is_file(std::uint64_t index) const;
    /// Counts the entries that were named.
    Result<> check_choice(const IndexRanges &ranges);
    /// Counts bytes that come a second time.
    Result<> spend(std::uint64_t bytes);
    /// False when it was known already, or nobody wants the entry.
    bool mark_failed(std::uint64_t index, ErrorCode code);
    void report_progress();

    std::shared_ptr<const ManifestTable> manifest_;
    Options options_;
    SegmentPlanner planner_;
    Phase phase_ = Phase::Greeting;
    bool offer_made_ = false;
    LeftOut left_out_;
    /// All entries up to the last checkpoint, what was removed later included: the bounds of what a
    /// receiver can claim.
    std::uint64_t checkpoint_files_ = 0;
    std::uint64_t checkpoint_bytes_ = 0;
    /// There was a Done for the last Request.
    bool done_ = false;
    bool paused_ = false;
    bool peer_paused_ = false;
    bool room_wanted_ = false;
    Progress progress_;
    /// The Compare that waits for its Extents, and where the claimed bytes end.
    std::optional<Compare> comparing_;
    std::uint64_t comparing_end_ = 0;
    bool searching_ = false;
    bool repeated_ = false;
    std::uint64_t choices_ = 0;
    std::uint64_t resends_ = 0;
    std::uint64_t resent_bytes_ = 0;
    /// ENTRY_FAILED messages received: one for each entry at most.
    std::uint64_t failures_received_ = 0;
    std::vector<ControlMessage> messages_;
    std::vector<SenderEvent> events_;
};

} // namespace thru
