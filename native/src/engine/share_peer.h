// One receiver of a share: its link, and the transfer once connected. Network thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/context.h"
#include "engine/peer_link.h"
#include "engine/send_transfer.h"
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
        /// Of the whole share, when this receiver comes.
        bool paused = false;
    };
    static Result<std::unique_ptr<SharePeer>>
    create(EngineContext &context, const ShareContents &contents, Options options, Timestamp now);
    ~SharePeer() override;

    void on_signal(std::string_view payload) { link_->on_signal(payload); }
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
};

} // namespace thru
