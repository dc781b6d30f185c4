// A Sender over a connection and the disk. Network thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "engine/share/chunk_listings.h"
#include "engine/share/have_checks.h"
#include "engine/share/outgoing_segment.h"
#include "engine/share/share_contents.h"
#include "quic/connection.h"
#include "source/segment_reader.h"
#include "transfer/control_intake.h"
#include "transfer/sender.h"

namespace thru {

/// Events of the transfer for its session: the sender's, except those for the disk.
using SendTransferEvent =
    std::variant<SenderGreeted, SenderAccepted, SenderProgress, SenderEntryFailed, SenderPeerPaused,
                 Rate, ContactRequest, FindPath, SenderFinished, SenderInStep>;

class SendTransfer {
public:
    struct Introduction {
        std::string name;
        WireId share{};
        std::optional<Origin> origin;
        /// Nothing of the share is sent before `approve`.
        bool held = false;
        /// A web page may receive. Otherwise nothing is sent before the receiver's HELLO, either.
        bool browsers = true;
    };
    /// `contents` may still grow; call on_checkpoint when they are complete. Wakes `task`, which
    /// must outlive this, when the disk has answered.
    SendTransfer(EngineContext &context, Scheduler::Task &task, Connection &connection,
                 const ShareContents &contents, Introduction introduction);
    ~SendTransfer();

    /// The user approved the receiver: sends it the offer.
    void approve();
    void on_checkpoint();
    void on_removed(const IndexRanges &ranges);
    void on_stream_grown(std::uint64_t end, bool ended) { sender_.on_stream_grown(end, ended); }
    void on_stream_broken() { sender_.on_stream_broken(); }
    /// End of the part of a stream that the receiver no longer needs; all further data follows it.
    std::uint64_t stream_needed_from() const;
    Result<> on_stream_data(StreamId stream, ByteView bytes, bool fin);
    void on_stream_closed(StreamId stream);
    void pause() { sender_.pause(); }
    void resume() { sender_.resume(); }
    void send_contact_request(const ContactRequest &request) {
        sender_.send_contact_request(request);
    }
    void set_followable(bool followable) { sender_.set_followable(followable); }
    void send_find_path(FindPath message) { sender_.send_find_path(std::move(message)); }
    /// Handles arrived messages and queues data; once per turn. Errors as in on_stream_data.
    Result<> pump();
    /// True if work remains: the next turn must not wait.
    bool busy() const { return control_pending_ || searching_; }

    std::vector<SendTransferEvent> take_events() { return std::exchange(events_, {}); }
    /// Bytes of files handed to the connection.
    std::uint64_t transferred() const { return transferred_ + listings_.fetched_bytes(); }
    /// Bytes that compression has kept off the network.
    std::uint64_t saved() const { return compression_->saved(); }
    /// Bytes of an entry already planned for the connection.
    std::uint64_t planned_bytes(std::uint64_t index) const { return sender_.planned_bytes(index); }
    /// A file counts as sent once the receiver has acknowledged every byte.
    FileStates file_states() const;
    /// True if data to send is still being read from the disk.
    bool reading() const { return !reading_.empty(); }

private:
    /// Stages, in order.
    enum class Stage : std::uint8_t {
        /// Waits for the user's approval.
        Held,
        /// The manifest is sent up to the first checkpoint.
        Listing,
        /// The first checkpoint is sent; a second must not follow yet.
        Offered,
        /// The receiver answered the first checkpoint.
        Accepted,
    };
    struct Outgoing;

    Result<> process_control();
    void pump_control();
    void pump_manifest();
    void pump_segments();
    void hold();
    std::uint64_t allowance() const;
    bool wants_more();
    Bottleneck supply() const;
    void handle_events();
    // Events of the sender for the disk; the others are passed on.
    void on(const SenderGreeted &greeted);
    void on(const SenderAccepted &accepted);
    void on(const Have &have) { haves_.add(have); }
    void on(const Extents &extents) { haves_.take(extents); }
    void on(const ListChunks &list) { listings_.add(list); }
    void on(const ListBlocks &list) { listings_.add(list); }
    void on(const Fetch &fetch) { listings_.add(fetch); }
    void on(const SenderDataWanted &wanted);
    template <class Other> void on(const Other &other) { events_.emplace_back(other); }
    void begin();
    void begin_when_due();
    void give_control_credit();
    bool keeps_up() const;
    void drop_unused_prefetched();
    void begin_segment(StreamId stream, SegmentPlan plan);
    bool read_ahead(Outgoing &segment);
    void on_ready(StreamId stream, std::size_t expected);
    bool pass_on(Outgoing &segment, SegmentCache::Outcome outcome);

    EngineContext &context_;
    Connection &connection_;
    const ShareContents &contents_;
    std::shared_ptr<const SourceFiles> files_;
    ReadLog::Receiver log_receiver_;
    Stage stage_;
    /// The user must approve the receiver.
    bool held_;
    /// Its HELLO must arrive first: it says if it is a web page, and takes extended attributes.
    bool awaits_greeting_;
    Sender sender_;
    ControlIntake control_;
    /// Bytes of the control stream without renewed credit.
    std::uint64_t control_taken_ = 0;
    /// Messages wait for the next turn of the loop.
    bool control_pending_ = false;
    /// Number of choices up to which this turn accepts messages.
    std::uint64_t choices_for_now_ = 0;
    ManifestEncoder manifest_encoder_;
    std::optional<StreamId> manifest_stream_;
    std::size_t manifest_sent_ = 0;
    /// Index at which a checkpoint must be sent; the first if several are due.
    std::optional<std::size_t> checkpoint_due_;
    /// Entries before the last checkpoint.
    std::optional<std::size_t> checkpoint_end_;
    /// Removed before they were sent or offered: sent as Gone.
    IndexRanges gone_;
    /// Removed after they were sent but before they were offered: REMOVED follows the offer.
    IndexRanges removed_early_;
    /// The search for the next segment continues in the next turn.
    bool searching_ = false;
    /// Waits until the receiver allows another stream.
    std::optional<SegmentPlan> planned_;
    std::vector<std::unique_ptr<Outgoing>> reading_;
    std::shared_ptr<CompressionChoice> compression_ = std::make_shared<CompressionChoice>();
    /// Open segment streams, including those being reset, with each one's range of entries.
    std::unordered_map<StreamId, IndexRange> segments_under_way_;
    /// Open streams of prefetched segments.
    std::unordered_map<StreamId, SegmentPlan> prefetched_;
    /// Offsets of the shared stream's pieces that the receiver has not acknowledged.
    std::unordered_map<StreamId, std::uint64_t> stream_pieces_;
    /// Segments whose reset is unacknowledged. Their remaining pieces are planned again only
    /// afterwards: a new plan could overtake the reset.
    struct ResetSegment {
        SegmentPlan plan;
        std::uint64_t index = 0;
        ErrorCode code = ErrorCode::Internal;
        bool prefetched = false;
    };
    std::unordered_map<StreamId, ResetSegment> reset_segments_;
    std::shared_ptr<DiskPool::Strand> lookup_strand_;
    HaveChecks haves_;
    ChunkListings listings_;
    std::vector<SendTransferEvent> events_;
    std::uint64_t transferred_ = 0;
    /// Bytes that pending reads will add.
    std::uint64_t expected_ = 0;
    SendBudget::Part buffered_;
    SegmentCache::Taker taker_;
    Lifetime lifetime_;
};

} // namespace thru
