// A Receiver over a connection and the disk. Network thread only.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "engine/events.h"
#include "engine/receive/incoming_segments.h"
#include "engine/receive/receive_output.h"
#include "engine/receive/receive_target.h"
#include "quic/connection.h"
#include "target/existing/sender_record.h"
#include "transfer/control_intake.h"
#include "transfer/receiver.h"

namespace thru {

/// An entry that failed, with the system's error.
struct EntryProblem {
    std::uint64_t index = 0;
    Error error;
};

/// The folder is ready and data flows.
struct ReceiveAccepted {
    std::uint64_t resumed_bytes = 0;
    ConflictSummary conflicts;
    /// Their number, and the first of them.
    std::uint64_t mapped_names = 0;
    std::vector<MappedName> listed_names;
};
/// Entries added later were renamed for this system.
struct ReceiveNamesMapped {
    /// Count since the beginning.
    std::uint64_t mapped_names = 0;
    /// The new ones among the first kMaxListedNames.
    std::vector<MappedName> listed_names;
};
struct ReceiveText {
    std::uint64_t index = 0;
    std::string text;
};
/// Events of the transfer for its session: its own, and the receiver's that it passes on.
/// ReceiverOffered is also sent when offered entries were removed or left out.
using ReceiveTransferEvent =
    std::variant<ReceiveAccepted, DeletionReport, ReceiveNamesMapped, EntryProblem, ReceiveText,
                 ReceiverGreeted, ReceiverOffered, Origin, ContactRequest, FindPath,
                 ReceiverApprovalAwaited, ReceiverFinished, ReceiverReleased>;

class ReceiveTransfer {
public:
    /// Wakes `task`, which must outlive this, when the disk has answered. `attributes`: the sender
    /// sends extended attributes, and creation times if they can be set here.
    ReceiveTransfer(EngineContext &context, Scheduler::Task &task, Connection &connection,
                    std::string own_name, const WireId &receive, bool attributes = false);

    Result<> on_stream_data(StreamId stream, ByteView bytes, bool fin);
    void on_stream_reset(StreamId stream);

    /// Asks for the first files, which stay in memory until `accept`. Only before that, once.
    void prefetch();
    /// Prepares `directory`, then requests the data, also of entries offered later. With
    /// `auto_accept`, ends with Undecided when the offer exceeds it, now or later.
    void accept(const std::string &directory, const ReceiveOptions &options, Selection selection,
                const std::optional<AutoAcceptLimit> &auto_accept);
    /// Writes the only file wanted by `selection` in order to a file descriptor of this process,
    /// without any disk. BadArgument unless it wants exactly one file, or after `prefetch`. Nothing
    /// is resumed.
    void accept_output(int descriptor, Selection selection);
    /// Ends the transfer before it was accepted.
    void refuse(ErrorCode why) {
        fail_transfer({why, 0,
                       why == ErrorCode::Undecided ? "the offer needs review by a person"
                                                   : "refused by the receiver"});
    }
    /// Only during the transfer.
    void select(std::vector<PathPattern> patterns, bool wanted);
    /// Gives the missing bytes of these files priority. Only during the transfer.
    void prioritize(std::vector<PathPattern> patterns);
    /// No round follows: the sender has ended its share.
    void end_following() { target_.end_following(); }
    void set_paused(bool paused) { paused_ = paused; }
    void set_rate(std::uint64_t bytes_per_second) { receiver_.set_rate(bytes_per_second); }
    /// Sets the sender's verified origin. Before accept.
    void set_origin(const OriginId &origin) {
        ids_.origin = origin;
        ids_.record_key =
            context_.installation ? thru::record_key(*context_.installation, origin) : std::nullopt;
    }
    /// TransferIds::record_key.
    const std::optional<RecordKey> &record_key() const { return ids_.record_key; }
    void send_contact_request(const ContactRequest &request) {
        receiver_.send_contact_request(request);
    }
    void send_find_path(FindPath message) { receiver_.send_find_path(std::move(message)); }

    /// Sends messages; once per turn. Returns the error that ends the transfer, if any.
    Result<> pump(Timestamp now);
    Timestamp deadline() const;

    std::vector<ReceiveTransferEvent> take_events() { return std::exchange(events_, {}); }
    std::shared_ptr<const ManifestTable> manifest() const { return receiver_.manifest(); }
    std::uint64_t offered_end() const { return offered_end_; }
    /// The sender's last LEFT_OUT.
    const LeftOut &left_out() const { return left_out_; }
    IndexRanges removed() const { return target_.excluded(); }
    std::uint64_t present_bytes(std::uint64_t index) const {
        return receiver_.present_bytes(index);
    }
    FileStates file_states() const { return receiver_.file_states(); }
    /// Includes bytes of segments whose hash is not known yet.
    ReceiverTotals totals() const {
        auto sums = receiver_.totals();
        sums.bytes += segments_.unverified();
        // Hashes arrive with the data.
        if (!stream_open()) {
            sums.bytes = std::min(sums.bytes, sums.total_bytes);
        }
        return sums;
    }
    std::uint64_t reused_bytes() const { return receiver_.reused_bytes(); }
    std::uint64_t transferred() const { return segments_.transferred() + fetched_; }
    /// Bytes that compression has kept off the network.
    std::uint64_t saved() const { return segments_.saved(); }
    /// True if more of a stream may arrive, possibly much later.
    bool stream_open() const { return receiver_.stream_open(); }
    /// See Receiver.
    bool followable() const { return receiver_.followable(); }
    bool follows() const { return receiver_.follows(); }
    FlowState flow() const;
    /// Grows while the sender's data and answers arrive.
    std::uint64_t moved() const { return totals().bytes + answers_; }
    /// True while data waits for this side's disk.
    bool writing() const {
        return segments_.writing() || target_.committing() || (output_ && output_->writing());
    }
    /// ReceiveAccepted was reported.
    bool accepted() const { return accepted_; }
    /// True while the folder is being prepared for accepted or added entries.
    bool preparing() const { return target_.preparing() && !target_.waits_for_chunks(); }
    /// True if data was written since the last call.
    bool take_progress() { return std::exchange(progressed_, false); }

private:
    ReceiveTarget::Listener target_listener();
    IncomingSegments::Listener segments_listener();
    Result<> on_control_bytes(ByteView bytes, bool fin);
    void consume(StreamId stream, std::uint64_t bytes) {
        connection_.consume_stream(stream, bytes);
        connection_.consume_connection(bytes);
    }
    void handle_events();
    // Events of the receiver for the target; the others are passed on.
    void on(const ReceiverGreeted &greeted);
    void on(const LeftOut &left_out);
    void on(const ReceiverFollowable &followable);
    void on(const ReceiverOffered &offered);
    void on(const ReceiverFilesComplete &complete);
    void on(const ReceiverEntryFailed &failed);
    void on(const ReceiverRestarted &restarted) { target_.restart(restarted.index); }
    void on(const ReceiverOutdated &outdated) {
        target_.invalidate(outdated.index, outdated.ranges);
    }
    void on(const ReceiverRemoved &removed);
    void on(const ReceiverChunks::Answer &answer) {
        ++answers_;
        target_.give_chunks(answer.chunks, answer.last);
    }
    void on(const RangeAnswer &answer) {
        const auto *const fetched = std::get_if<Fetched>(&answer);
        fetched_ += fetched != nullptr ? fetched->bytes.size() : 0;
        ++answers_;
        target_.give_answer(answer);
    }
    void on(const Hole &hole);
    void on(const Validator &validator) {
        if (!output_) {
            target_.on_validator(validator);
        }
    }
    void on(const ReceiverPeerPaused &paused) { peer_pause_ = paused.pause; }
    template <class Other> void on(const Other &other) { events_.emplace_back(other); }
    template <class Then> void find_files(std::vector<PathPattern> patterns, Then then);
    void begin_output(int descriptor, const IndexRanges &files);
    template <class Then> void if_allowed(std::uint64_t begin, IndexRanges removed, Then then);
    void on_prepared(std::size_t end, Prepared prepared, const std::vector<IndexRanges> &first);
    void on_committed(const CommitResult &result);
    void on_unlinked(std::vector<std::uint64_t> entries);
    void choose(const IndexRanges &files, bool wanted);
    void fail_entry(const WriteFailure &failure) {
        failures_.insert_or_assign(failure.index, failure.error);
        receiver_.on_entry_failed(failure.index, failure.error.code);
    }
    /// These files are complete but for their extended attributes.
    void report(const std::map<std::uint64_t, Error> &lost_attributes) {
        for (const auto &[index, error] : lost_attributes) {
            events_.emplace_back(EntryProblem{index, error});
        }
    }
    void fail_transfer(const Error &error) { failure_ = failure_.value_or(error); }
    void give_control_credit();
    void send_pause();
    Bottleneck supply() const;
    void send_messages(Timestamp now);

    EngineContext &context_;
    Scheduler::Task &task_;
    Connection &connection_;
    Receiver receiver_;
    TransferIds ids_;
    ReceiveTarget target_;
    /// Replaces the target if set.
    std::unique_ptr<ReceiveOutput> output_;
    IncomingSegments segments_;
    ControlIntake control_;
    /// Bytes of the control stream without renewed credit.
    std::uint64_t control_taken_ = 0;
    std::optional<StreamId> manifest_stream_;
    std::uint64_t offered_end_ = 0;
    LeftOut left_out_;
    bool accepted_ = false;
    /// Bytes that may still be accepted automatically; nullopt after the user accepted.
    std::optional<std::uint64_t> auto_accept_left_;
    std::uint64_t mapped_names_ = 0;
    /// Choices about files that are offered but not requested yet.
    struct PendingChoice {
        IndexRanges files;
        bool wanted = false;
    };
    std::vector<PendingChoice> pending_choices_;
    /// Handles choices by patterns in order.
    std::shared_ptr<DiskPool::Strand> choice_strand_;
    bool paused_ = false;
    std::optional<Pause> sent_pause_;
    std::optional<Pause> peer_pause_;
    /// System errors of entries that failed here, until the receiver reports them.
    std::unordered_map<std::uint64_t, Error> failures_;
    /// Texts whose segments were verified, until the receiver reports them complete.
    std::unordered_map<std::uint64_t, std::string> texts_;
    std::uint64_t reported_ = 0;
    Timestamp next_report_ = kNever;
    bool progressed_ = false;
    /// Bytes of Fetched.
    std::uint64_t fetched_ = 0;
    /// Number of Chunks, FileBlocks and Fetched.
    std::uint64_t answers_ = 0;
    /// Done was sent; nothing may follow it.
    bool done_ = false;
    std::optional<Error> failure_;
    std::vector<ReceiveTransferEvent> events_;
    Lifetime lifetime_;
};

} // namespace thru
