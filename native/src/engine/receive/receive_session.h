// One receive: the link to the sender and the transfer over it. Network thread only.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/lifetime.h"
#include "engine/commands.h"
#include "engine/context.h"
#include "engine/file_lister.h"
#include "engine/file_watch.h"
#include "engine/receive/offer_reporter.h"
#include "engine/receive/receive_transfer.h"
#include "engine/stall_watch.h"
#include "engine/statistics_reporter.h"
#include "link/peer_link.h"

namespace thru {

class ReceiveSession final : private PeerLinkListener {
public:
    /// BadCode, ContactUnknown, BadArgument for an invalid secret, Internal without random numbers,
    /// or the network's error. `turn`: its task's turn, which must call `service`.
    static Result<std::unique_ptr<ReceiveSession>>
    open(EngineContext &context, OpenReceive command, std::function<Timestamp(Timestamp now)> turn,
         Timestamp now);
    ~ReceiveSession() override;

    /// Call this after the functions below: their effects follow in the next turn.
    void wake() { task_.wake(); }
    void on_signal(const std::string &peer, std::string_view payload);
    /// Replies with a ListingEvent; none before there is an offer.
    void list(const ListOffer &command);
    void list_files(const ListFiles &command);
    void preflight(Preflight command);
    /// An invalid selection ends the receive with BadArgument.
    void accept(const Accept &command);
    /// Ends the receive with `why`, unless it was accepted.
    void refuse(ErrorCode why);
    void select(const ChangeSelection &command);
    void prioritize(const PrioritizeFiles &command);
    void set_paused(bool paused);
    void add_relays(const std::vector<TurnServer> &servers) { link_->add_relays(servers); }
    void request_contact();
    /// Its part of the download limit, in bytes a second; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second);
    bool accepted() const { return stage_ >= Stage::Accepted; }
    /// False once the session has ended and its final event was sent.
    bool service(Timestamp now);
    Timestamp deadline() const;
    void on_wake(Timestamp slept, Timestamp now) { link_->on_wake(slept, now); }
    void on_network_change(Timestamp now) { link_->on_network_change(now); }
    void probe_peer(Timestamp now) { link_->probe_peer(now); }
    /// Declines an offer, or cancels an accepted transfer.
    void end(Timestamp now);
    /// Ends this session of a receive that continues in another one.
    void detach(Timestamp now) {
        link_->close(Error{ErrorCode::PeerGone, 0, "replaced by another connection"}, now);
    }

private:
    /// Stages, in order; the sender may fail to answer Done.
    enum class Stage : std::uint8_t {
        /// No offer yet.
        Waiting,
        /// The user must accept or decline.
        Offered,
        Accepted,
        /// Everything offered when Done was sent is received.
        Done,
        /// The sender confirmed that nothing more follows.
        Released,
        /// FinishedEvent was sent.
        Reported,
    };

    ReceiveSession(EngineContext &context, OpenReceive command,
                   std::function<Timestamp(Timestamp now)> turn);

    void on_payload(std::string payload) override;
    void on_paired() override;
    void on_opened() override;
    void on_connected() override;
    void on_find_path(FindPath message) override;
    void on_route_changed() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    // A segment ends with its fin or its reset.
    void on_stream_closed(StreamId) override {}

    void on(const ReceiveAccepted &accepted);
    void on(const ReceiveNamesMapped &names);
    void on(const DeletionReport &deletions);
    void on(const EntryProblem &problem);
    void on(const ReceiveText &text);
    void on(const ReceiverGreeted &greeted);
    void on(const ReceiverOffered &offered);
    void on(const Origin &origin);
    void on(const ContactRequest &request);
    void on(const FindPath &find);
    void on(const ReceiverApprovalAwaited &awaited);
    void on(const ReceiverFinished &finished);
    void on(const ReceiverReleased &released);

    /// The only place where the stage changes; it never goes back.
    void reach(Stage stage) { stage_ = std::max(stage_, stage); }
    void report_contact();
    void report_progress(Timestamp now);
    void report_listing(Timestamp now);
    void report_flow(Timestamp now);
    void report_silence();
    bool finished() const;
    bool in_step() const;
    bool close_when_over(Timestamp now);
    void report_finished(Timestamp now);
    void look_last();

    EngineContext &context_;
    OpenReceive options_;
    Scheduler::Task task_;
    std::unique_ptr<PeerLink> link_;
    std::optional<ContactExchange> contact_;
    std::unique_ptr<ReceiveTransfer> transfer_;
    Stage stage_ = Stage::Waiting;
    /// The code that the sender gets if the offer is not accepted.
    ErrorCode refusal_ = ErrorCode::Declined;
    /// Ends the session, at any stage.
    std::optional<Error> failure_;
    /// The last Done sent; set from Stage::Done on.
    ReceiverFinished done_;
    /// Jobs that concern only the offer and need no disk.
    std::shared_ptr<DiskPool::Strand> list_strand_;
    OfferReporter offer_;
    FileLister files_;
    std::optional<FileWatch> file_watch_;
    FlowState last_flow_;
    StallWatch stall_;
    /// The last report.
    bool silent_ = false;
    StatisticsReporter statistics_;
    std::uint64_t rate_ = 0;
    bool verify_ = false;
    std::size_t problems_ = 0;
    /// Entries of the sender's list at the last report.
    std::size_t last_entries_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp last_progress_ = 0;
    /// Deadline of a finished receive, whatever the sender or the offer's last report does.
    Timestamp goodbye_by_ = kNever;
    Lifetime lifetime_;
};

} // namespace thru
