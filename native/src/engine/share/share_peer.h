// One receiver of a share: its link, and the transfer once connected. Network thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/contact_exchange.h"
#include "engine/context.h"
#include "engine/file_lister.h"
#include "engine/file_watch.h"
#include "engine/share/send_transfer.h"
#include "engine/share/share_admission.h"
#include "engine/share/share_contents.h"
#include "engine/stall_watch.h"
#include "engine/statistics_reporter.h"
#include "link/peer_link.h"

namespace thru {

class SharePeer final : private PeerLinkListener {
public:
    /// One after the other. Whether it proved its secret, and whether its link is over, its link
    /// knows.
    enum class Stage : std::uint8_t {
        /// By the server.
        Introduced,
        /// It asked to be admitted.
        Asked,
        Connected,
        /// Its HELLO arrived, so it knows that it is connected.
        Greeted,
        /// It chose what it wants: data flows.
        Accepted,
        /// It has everything.
        Finished,
        /// The connection stays for the answer to a contact request.
        AwaitingAnswer,
    };

    struct Options {
        SessionNumber session = 0;
        std::string peer;
        WireId share{};
        /// The key by which receivers recognize this share.
        SigningKey origin;
        PeerLink::Options link;
        /// When the server introduced it.
        Timestamp since = 0;
        /// Whether the whole share is paused when this receiver is added.
        bool paused = false;
        /// FilesChangedEvent tells of each file.
        bool watch_files = false;
    };
    /// `turn` is that of its task: it calls `service`.
    static Result<std::unique_ptr<SharePeer>> create(EngineContext &context,
                                                     const ShareContents &contents, Options options,
                                                     std::function<Timestamp(Timestamp now)> turn,
                                                     Timestamp now);
    ~SharePeer() override;

    /// A wrong tag is counted before this returns, whatever happens to the link.
    void on_signal(std::string_view payload);
    /// Its request to be admitted; returned once.
    std::optional<PairingRequested> take_request();
    /// `held`: it is offered nothing, and takes no place, before it is approved.
    void admit(ShareAdmission::Admitted admitted, bool held, Timestamp now);
    /// Before it has proved its secret: whether it has to be approved then.
    void set_held(bool held) { held_ = held; }
    /// A person let it in, or nobody has to any more.
    void approve();
    /// Tells that a person has to approve it, who has until kApprovalTimeout.
    void ask(Timestamp now);
    /// Before it has proved its secret.
    void refuse(ErrorCode code);

    Timestamp since() const { return options_.since; }
    Stage stage() const { return stage_; }
    bool asked() const { return stage_ >= Stage::Asked; }
    /// When its run by words was answered, as long as it is without a proof.
    std::optional<Timestamp> answered() const;
    /// It proved to know the secret.
    bool paired() const { return link_->paired(); }
    bool connected() const { return stage_ >= Stage::Connected; }
    /// It has ended; service has yet to report that.
    bool over() const { return link_->closed().has_value(); }
    /// Occupies one of the places for receivers.
    bool occupies_place() const { return paired() && !held_ && !finished(); }
    /// Nobody has approved it yet.
    bool held() const { return held_; }
    /// Its receive's id; only when greeted.
    const WireId &receive() const { return receive_; }
    /// The contact's id, when it was admitted as one.
    const std::string &contact() const { return contact_; }
    /// The resume key that it used; nullopt for other secrets.
    const std::optional<SecretKey> &used_key() const { return used_key_; }
    /// It resumes at the place that it had.
    bool has_place() const { return has_place_; }
    /// Its new resume key; only when connected.
    const SecretKey &key() const { return link_->keys().resume; }
    bool greeted() const { return stage_ >= Stage::Greeted; }
    bool finished() const { return stage_ >= Stage::Finished; }
    /// There is something new in what it is sent.
    void wake() { task_.wake(); }
    void add_relays(const std::vector<TurnServer> &servers);
    void request_contact();
    /// Answered by a FilesEvent.
    void list_files(const ListFiles &command);
    void on_checkpoint();
    void on_removed(const IndexRanges &ranges);
    void on_stream_grown(std::uint64_t end, bool ended);
    void on_stream_broken();
    void set_paused(bool paused);
    void close(const Error &error, Timestamp now);
    /// All tasks are woken, too.
    void on_wake(Timestamp slept, Timestamp now) { link_->on_wake(slept, now); }
    void on_network_change(Timestamp now) { link_->on_network_change(now); }
    /// False once this receiver's link ended and its final event was sent. Stages from Connected on
    /// are reached nowhere else.
    bool service(Timestamp now);
    Timestamp deadline() const;

private:
    SharePeer(EngineContext &context, const ShareContents &contents, Options options,
              std::function<Timestamp(Timestamp now)> turn);

    void on_payload(std::string payload) override;
    void on_paired() override;
    void on_connected() override;
    void on_find_path(FindPath message) override;
    void on_route_changed() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

    // One for each event of the transfer.
    void on(const SenderGreeted &greeted);
    void on(const SenderAccepted &accepted);
    void on(const SenderProgress &progress);
    void on(const SenderEntryFailed &failed);
    void on(const SenderPeerPaused &paused) { peer_paused_ = paused.pause; }
    void on(const Rate &rate) { rate_.set_rate(rate.bytes_per_second); }
    void on(const ContactRequest &request);
    void on(const FindPath &find);
    void on(const SenderFinished &finished);

    void reach(Stage stage);
    void end_run();
    void report_contact();
    void report_progress(Timestamp now);
    void report_flow();
    void look_last();
    void watch(Timestamp now);
    void release_stream();
    /// More of a stream that it receives may come.
    bool stream_open() const;
    StallReason stall_reason() const;

    EngineContext &context_;
    const ShareContents &contents_;
    Options options_;
    Scheduler::Task task_;
    /// What the receiver wants at most. Outlives the connection.
    RateLimiter rate_;
    std::unique_ptr<PeerLink> link_;
    Stage stage_ = Stage::Introduced;
    std::string contact_;
    std::optional<GuessBudget::Run> run_;
    Timestamp answered_ = 0;
    std::optional<SecretKey> used_key_;
    bool has_place_ = false;
    bool held_ = false;
    WireId receive_{};
    /// When the question about it has been without an answer for too long.
    Timestamp approval_by_ = kNever;
    std::optional<ContactExchange> exchange_;
    std::unique_ptr<SendTransfer> transfer_;
    /// Ends the link, at whatever stage.
    std::optional<Error> failure_;
    SenderProgress progress_;
    std::optional<Pause> peer_paused_;
    FlowState last_flow_;
    StallWatch stall_;
    StatisticsReporter statistics_;
    std::size_t problems_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp goodbye_by_ = kNever;
    /// Last: what it has under way asks the transfer.
    FileLister files_;
    std::optional<FileWatch> file_watch_;
};

} // namespace thru
