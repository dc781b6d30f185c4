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
        PeerLink::Options link;
        /// Of the introduction.
        Timestamp since = 0;
        /// Of the whole share, when this receiver comes.
        bool paused = false;
    };
    static Result<std::unique_ptr<SharePeer>>
    create(EngineContext &context, const ShareContents &contents, Options options, Timestamp now);
    ~SharePeer() override;

    void on_signal(std::string_view payload) { link_->on_signal(payload); }
    /// Once: it asks to be let in.
    std::optional<PairingRequested> take_request() { return link_->take_request(); }
    void admit(ShareAdmission::Admitted admitted, bool counted, Timestamp now);
    void refuse(ErrorCode code) { link_->refuse(code); }
    /// Its run is one of the budget's and has not ended.
    bool take_counted() { return std::exchange(counted_, false); }
    /// It proved to know the secret.
    bool paired() const { return link_->paired(); }
    /// Takes one of the places for receivers.
    bool takes_place() const { return link_->paired() && !finished_; }
    /// By which it may come back, and came back; once, when connected.
    struct ResumeKeys {
        SecretKey key;
        std::optional<SecretKey> earlier;
    };
    std::optional<ResumeKeys> take_resume_keys() { return std::exchange(resume_keys_, {}); }
    void add_relays(const std::vector<TurnServer> &servers) { link_->add_relays(servers); }
    void keep_contact();
    void on_marked();
    void on_removed(const IndexRanges &ranges);
    void set_paused(bool paused);
    void close(const Error &error, Timestamp now);
    /// False when this receiver is over and was told of.
    bool service(Timestamp now);
    Timestamp deadline() const;
    /// Why it ended, once service returned false; none when it has everything.
    const std::optional<Error> &error() const { return error_; }

private:
    SharePeer(EngineContext &context, const ShareContents &contents, Options options);

    void on_payload(std::string payload) override;
    void on_paired() override;
    void on_connected() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    // The receiver's only stream to here is the control stream, which ends with the connection.
    void on_stream_reset(StreamId) override {}
    void on_stream_closed(StreamId stream) override;

    void on_event(const SenderEvent &event, Timestamp now);
    void on_keep(const Keep &keep);
    void tell_kept();
    void tell_progress();
    void tell_flow();
    void watch(Timestamp now);
    StallReason stall_reason() const;

    EngineContext &context_;
    const ShareContents &contents_;
    Options options_;
    /// What the receiver wants at most. Outlives the connection.
    RateLimiter rate_;
    std::unique_ptr<PeerLink> link_;
    /// The contact's id, when it is one.
    std::string contact_;
    bool counted_ = false;
    std::optional<SecretKey> came_by_;
    std::optional<ResumeKeys> resume_keys_;
    std::optional<ContactExchange> exchange_;
    std::unique_ptr<SendTransfer> transfer_;
    std::optional<Error> failure_;
    std::optional<Error> error_;
    SenderProgress progress_;
    bool accepted_ = false;
    std::optional<Pause> peer_paused_;
    FlowState told_flow_;
    StallWatch stall_;
    std::size_t problems_ = 0;
    Timestamp next_progress_ = kNever;
    Timestamp goodbye_by_ = kNever;
    bool finished_ = false;
    /// The connection stays for an answer to a wish to keep each other.
    bool awaits_answer_ = false;
};

} // namespace thru
