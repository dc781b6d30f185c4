// One receiver of a share: its link, and the transfer once connected. Network thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/contact_exchange.h"
#include "engine/context.h"
#include "engine/peer_link.h"
#include "engine/send_transfer.h"
#include "engine/share_admission.h"
#include "engine/share_contents.h"
#include "engine/stall_watch.h"

namespace thru {

class SharePeer final : private PeerLinkListener {
public:
    struct Options {
        SessionNumber session = 0;
        std::string peer;
        WireId share{};
        /// By which receivers know this share again.
        SigningKey origin;
        PeerLink::Options link;
        /// When the server introduced it.
        Timestamp since = 0;
        /// Of the whole share, when this receiver comes.
        bool paused = false;
    };
    static Result<std::unique_ptr<SharePeer>>
    create(EngineContext &context, const ShareContents &contents, Options options, Timestamp now);
    ~SharePeer() override;

    /// A wrong tag is counted before this returns, whatever becomes of the link.
    void on_signal(std::string_view payload);
    /// Once: it asks to be let in.
    std::optional<PairingRequested> take_request();
    void admit(ShareAdmission::Admitted admitted, Timestamp now);
    /// As long as it has proved nothing.
    void refuse(ErrorCode code);

    Timestamp since() const { return options_.since; }
    bool asked() const { return asked_; }
    /// When its run by words was answered, as long as it is without a proof.
    std::optional<Timestamp> answered() const;
    /// It proved to know the secret.
    bool paired() const { return link_->paired(); }
    bool connected() const { return transfer_ != nullptr; }
    /// It has ended; service has yet to tell.
    bool over() const { return link_->closed().has_value(); }
    /// Takes one of the places for receivers.
    bool occupies_place() const { return link_->paired() && !finished_; }
    /// The contact's id, when it was let in as one.
    const std::string &contact() const { return contact_; }
    /// The key that it was let in by, when it comes back.
    const std::optional<SecretKey> &used_key() const { return used_key_; }
    /// It comes back to the place that it had.
    bool has_place() const { return has_place_; }
    /// Only when connected: the key by which it may come back.
    const SecretKey &key() const { return link_->keys().resume; }
    /// It has said over its connection who it is, so it knows that it is connected.
    bool greeted() const { return greeted_; }
    /// True once, when connected.
    bool take_connected() { return std::exchange(new_connection_, false); }
    /// True once, when it has said over its connection who it is.
    bool take_greeting() { return std::exchange(new_greeting_, false); }
    /// True once, when it has everything.
    bool take_finished() { return std::exchange(new_finish_, false); }
    void add_relays(const std::vector<TurnServer> &servers) { link_->add_relays(servers); }
    void request_contact();
    void on_checkpoint();
    void on_removed(const IndexRanges &ranges);
    void set_paused(bool paused);
    void close(const Error &error, Timestamp now);
    void on_wake(Timestamp slept, Timestamp now) { link_->on_wake(slept, now); }
    /// False when this receiver is over and was told of.
    bool service(Timestamp now);
    Timestamp deadline() const;

private:
    SharePeer(EngineContext &context, const ShareContents &contents, Options options);

    void on_payload(std::string payload) override;
    void on_paired() override;
    void on_connected() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

    void end_run();
    void on_event(const SenderEvent &event, Timestamp now);
    void on_contact_request(const ContactRequest &request);
    void report_contact();
    void report_progress();
    void report_flow();
    void watch(Timestamp now);
    StallReason stall_reason() const;

    EngineContext &context_;
    const ShareContents &contents_;
    Options options_;
    /// What the receiver wants at most. Outlives the connection.
    RateLimiter rate_;
    std::unique_ptr<PeerLink> link_;
    std::string contact_;
    bool asked_ = false;
    std::optional<GuessBudget::Run> run_;
    Timestamp answered_ = 0;
    std::optional<SecretKey> used_key_;
    bool has_place_ = false;
    bool new_connection_ = false;
    bool greeted_ = false;
    bool new_greeting_ = false;
    std::optional<ContactExchange> exchange_;
    std::unique_ptr<SendTransfer> transfer_;
    std::optional<Error> failure_;
    SenderProgress progress_;
    bool accepted_ = false;
    std::optional<Pause> peer_paused_;
    FlowState last_flow_;
    StallWatch stall_;
    std::size_t problems_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp goodbye_by_ = kNever;
    bool finished_ = false;
    bool new_finish_ = false;
    /// The connection stays for an answer to a wish to keep each other.
    bool awaits_answer_ = false;
};

} // namespace thru
