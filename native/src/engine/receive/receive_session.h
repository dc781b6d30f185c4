// One receive: the way to the sender and the transfer from it. Network thread only.
#pragma once

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
    /// BadCode, ContactUnknown, BadArgument for a secret that makes no sense, Internal without
    /// random numbers, or what keeps the network from being used.
    /// `turn` is that of its task: it calls `service`.
    static Result<std::unique_ptr<ReceiveSession>>
    open(EngineContext &context, OpenReceive command, std::function<Timestamp(Timestamp now)> turn,
         Timestamp now);
    ~ReceiveSession() override;

    /// To be called after the calls below: what follows of them is done in its next turn.
    void wake() { task_.wake(); }
    void on_signal(const std::string &peer, std::string_view payload);
    /// Answered by a ListingEvent; nothing before there is an offer.
    void list(const ListOffer &command);
    /// Answered by a FilesEvent.
    void list_files(const ListFiles &command);
    /// Answered by a PreflightEvent.
    void preflight(Preflight command);
    /// Selections that make no sense end the receive with BadArgument.
    void accept(const Accept &command);
    /// Ends with Undecided, as long as nothing was accepted.
    void refuse(ErrorCode why);
    void select(const ChangeSelection &command);
    void prioritize(const PrioritizeFiles &command);
    void set_paused(bool paused);
    void add_relays(const std::vector<TurnServer> &servers) { link_->add_relays(servers); }
    void request_contact();
    /// Its share of the download limit, in bytes a second; 0 for no limit.
    void set_rate(std::uint64_t bytes_per_second);
    bool accepted() const { return stage_ >= Stage::Accepted; }
    /// False once the session ended and its final event was sent.
    bool service(Timestamp now);
    Timestamp deadline() const;
    void on_wake(Timestamp slept, Timestamp now) { link_->on_wake(slept, now); }
    void on_network_change(Timestamp now) { link_->on_network_change(now); }
    void on_suspicion(Timestamp now) { link_->on_suspicion(now); }
    /// Declines an offer, or cancels what was accepted.
    void end(Timestamp now);
    /// Ends this session of a receive that goes on in another one.
    void leave(Timestamp now);

private:
    /// One after the other; the sender's answer to Done may be missing.
    enum class Stage : std::uint8_t {
        /// For an offer.
        Waiting,
        /// Somebody has to decide.
        Offered,
        Accepted,
        /// Everything was received that was offered when Done was sent.
        Done,
        /// The sender agrees that nothing more comes.
        Released,
        /// FinishedEvent was sent.
        Reported,
    };

    ReceiveSession(EngineContext &context, OpenReceive command,
                   std::function<Timestamp(Timestamp now)> turn);

    void on_payload(std::string payload) override;
    void on_paired() override;
    void on_connected() override;
    void on_find_path(FindPath message) override;
    void on_route_changed() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    // A segment's end is its fin or its reset.
    void on_stream_closed(StreamId) override {}

    // One for each event of the transfer.
    void on(const ReceiveAccepted &accepted);
    void on(const ReceiveNamesMapped &names);
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

    void reach(Stage stage);
    void report_contact();
    void report_progress(Timestamp now);
    void report_listing(Timestamp now);
    void report_flow(Timestamp now);
    void report_silence();
    bool finished() const;
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
    /// The code that the sender gets when the offer is not accepted.
    ErrorCode refusal_ = ErrorCode::Declined;
    /// Ends the session, at whatever stage.
    std::optional<Error> failure_;
    /// From Stage::Done on: the last one that was sent.
    Done done_;
    /// For jobs about the offer alone, which need no disk.
    std::shared_ptr<DiskPool::Strand> list_strand_;
    OfferReporter offer_;
    FileLister files_;
    std::optional<FileWatch> file_watch_;
    FlowState last_flow_;
    StallWatch stall_;
    /// As last reported.
    bool silent_ = false;
    StatisticsReporter statistics_;
    std::uint64_t rate_ = 0;
    bool verify_ = false;
    std::size_t problems_ = 0;
    /// Entries of the sender's list at the last report.
    std::size_t last_entries_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp last_progress_ = 0;
    /// When a finished receive ends, whatever the sender or the last report of the offer does.
    Timestamp goodbye_by_ = kNever;
    Lifetime lifetime_;
};

} // namespace thru
