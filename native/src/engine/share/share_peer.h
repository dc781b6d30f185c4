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
    /// Stages, in order. The link knows whether the secret is proved and the link has ended.
    enum class Stage : std::uint8_t {
        /// The server introduced it.
        Introduced,
        /// It requested admission.
        Asked,
        Connected,
        /// Its HELLO arrived, so it knows that it is connected.
        Greeted,
        /// It made its choice: data flows.
        Accepted,
        /// It has everything.
        Finished,
        /// The connection stays open, because the two people may become contacts.
        AwaitingAnswer,
    };

    struct Options {
        SessionNumber session = 0;
        std::string peer;
        WireId share{};
        /// The key by which receivers recognize this share.
        SigningKey origin;
        PeerLink::Options link;
        /// Time of the server's introduction.
        Timestamp since = 0;
        /// True if the whole share is paused when this receiver is added.
        bool paused = false;
        /// It may follow the share.
        bool followable = false;
        /// FilesChangedEvent reports each file.
        bool watch_files = false;
        /// A web page may receive.
        bool browsers = true;
    };
    /// `turn`: its task's turn, which must call `service`.
    static Result<std::unique_ptr<SharePeer>>
    create(EngineContext &context, std::shared_ptr<const ShareContents> contents, Options options,
           std::function<Timestamp(Timestamp now)> turn, Timestamp now);
    ~SharePeer() override;

    /// A wrong tag is counted before this returns, whatever happens to the link.
    void on_signal(std::string_view payload);
    /// Its request for admission; returned once.
    std::optional<PairingRequested> take_request();
    /// `held`: until approved it is offered nothing and takes no place.
    void admit(ShareAdmission::Admitted admitted, bool held, Timestamp now);
    /// Sets whether it needs approval. Only before it has proved its secret.
    void set_held(bool held) { held_ = held; }
    /// The user approved it, or approval is no longer needed.
    void approve();
    /// Its key is stored with this revision of the admission. It learns nothing before that.
    void await_stored(std::uint64_t revision);
    void on_stored(std::uint64_t revision);
    /// Reports that the user must approve it within kApprovalTimeout.
    void ask(Timestamp now);
    /// Only before it has proved its secret.
    void refuse(ErrorCode code);

    Timestamp since() const { return options_.since; }
    Stage stage() const { return stage_; }
    bool asked() const { return stage_ >= Stage::Asked; }
    /// Time at which its run with words was answered; nullopt once it is proved.
    std::optional<Timestamp> answered() const;
    /// True if it proved that it knows the secret.
    bool paired() const { return link_->paired(); }
    bool connected() const { return stage_ >= Stage::Connected; }
    /// True if it has ended; service has yet to report that.
    bool over() const { return link_->closed().has_value(); }
    /// True if it occupies one of the receivers' places.
    bool occupies_place() const { return paired() && !held_ && !finished(); }
    bool held() const { return held_; }
    /// Its receive's id. Requires greeted().
    const WireId &receive() const { return receive_; }
    /// The contact's id, if it was admitted as a contact.
    const std::string &contact() const { return contact_; }
    /// The resume key that it used; nullopt for other secrets.
    const std::optional<SecretKey> &used_key() const { return used_key_; }
    /// True if it resumes in the place it had.
    bool has_place() const { return has_place_; }
    /// Its new resume key. Requires paired().
    const SecretKey &key() const { return link_->keys().resume; }
    bool greeted() const { return stage_ >= Stage::Greeted; }
    bool accepted() const { return stage_ >= Stage::Accepted; }
    /// See PeerLink.
    void resume_path() { link_->resume_path(); }
    bool finished() const { return stage_ >= Stage::Finished; }
    /// The data to send has changed.
    void wake() { task_.wake(); }
    void add_relays(const std::vector<TurnServer> &servers);
    void request_contact();
    void list_files(const ListFiles &command);
    void on_checkpoint();
    void on_removed(const IndexRanges &ranges);
    void on_stream_grown(std::uint64_t end, bool ended);
    void on_stream_broken();
    void set_paused(bool paused);
    void set_followable(bool followable);
    /// The contents that it is offered.
    const ShareContents &contents() const { return *contents_; }
    /// Entries have changed: if it follows, it returns for them once it has the present ones.
    void outdate(Timestamp now);
    /// It returns for the present contents.
    void leave(Timestamp now);
    void close(const Error &error, Timestamp now);
    /// The caller also wakes all tasks.
    void on_wake(Timestamp slept, Timestamp now) { link_->on_wake(slept, now); }
    void on_network_change(Timestamp now) { link_->on_network_change(now); }
    /// False once the final event was sent. Only this reaches stages after Asked.
    bool service(Timestamp now);
    Timestamp deadline() const;

private:
    SharePeer(EngineContext &context, std::shared_ptr<const ShareContents> contents,
              Options options, std::function<Timestamp(Timestamp now)> turn);

    void on_payload(std::string payload) override;
    void on_paired() override;
    void on_connected() override;
    void on_find_path(FindPath message) override;
    void on_route_changed() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

    void on(const SenderGreeted &greeted);
    void on(const SenderAccepted &accepted);
    void on(const SenderProgress &progress);
    void on(const SenderEntryFailed &failed);
    void on(const SenderPeerPaused &paused) { peer_paused_ = paused.pause; }
    void on(const Rate &rate) { rate_.set_rate(rate.bytes_per_second); }
    void on(const ContactRequest &request);
    void on(const FindPath &find);
    void on(const SenderFinished &finished);
    void on(const SenderInStep &in_step);

    void reach(Stage stage);
    void end_run();
    void report_contact();
    void report_progress(Timestamp now);
    void report_finished(const Done &totals, bool in_step);
    bool data_flows() const { return stage_ == Stage::Accepted && !in_step_; }
    void report_flow();
    void look_last();
    void watch(Timestamp now);
    void release_stream();
    bool stream_open() const;
    StallReason stall_reason() const;

    EngineContext &context_;
    const std::shared_ptr<const ShareContents> contents_;
    Options options_;
    Scheduler::Task task_;
    /// The receiver's rate limit. Outlives the connection.
    RateLimiter rate_;
    std::unique_ptr<PeerLink> link_;
    Stage stage_ = Stage::Introduced;
    std::string contact_;
    std::optional<GuessBudget::Run> run_;
    Timestamp answered_ = 0;
    std::optional<SecretKey> used_key_;
    bool has_place_ = false;
    bool held_ = false;
    /// The revision of the admission with its key, until it is stored.
    std::optional<std::uint64_t> unstored_{};
    bool in_step_ = false;
    bool outdated_ = false;
    WireId receive_{};
    /// Deadline for the user's approval.
    Timestamp approval_by_ = kNever;
    std::optional<ContactExchange> exchange_;
    std::unique_ptr<SendTransfer> transfer_;
    /// Ends the link, at any stage.
    std::optional<Error> failure_;
    SenderProgress progress_;
    std::optional<Pause> peer_paused_;
    FlowState last_flow_;
    StallWatch stall_;
    StatisticsReporter statistics_;
    std::size_t problems_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp goodbye_by_ = kNever;
    /// Last: its running jobs use the transfer.
    FileLister files_;
    std::optional<FileWatch> file_watch_;
};

} // namespace thru
