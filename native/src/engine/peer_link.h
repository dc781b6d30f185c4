// The way to one other computer: pairing, then ICE, then QUIC. Owns them, hands bytes up.
// Network thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "crypto/identity.h"
#include "engine/context.h"
#include "pairing/pairing.h"
#include "path/ice_path.h"
#include "quic/connection.h"

namespace thru {

/// What a link tells its session. Calls must not destroy the link.
class PeerLinkListener {
public:
    virtual ~PeerLinkListener() = default;
    /// For the signaling server.
    virtual void on_payload(std::string payload) = 0;
    /// The other side knows the code.
    virtual void on_paired() = 0;
    /// Streams can be opened.
    virtual void on_connected() = 0;
    virtual void on_stream_data(StreamId stream, ByteView bytes, bool fin) = 0;
    virtual void on_stream_reset(StreamId stream) = 0;
    virtual void on_stream_closed(StreamId stream) = 0;
};

class PeerLink final : private IceListener, private ConnectionListener {
public:
    struct Options {
        Pairing::Role role = Pairing::Role::Sender;
        JoinCode code;
        std::shared_ptr<const Identity> identity;
        std::string name;
        IceServers ice;
    };
    static Result<std::unique_ptr<PeerLink>> create(EngineContext &context, const Options &options,
                                                    PeerLinkListener &listener, Timestamp now);
    ~PeerLink() override;

    void on_signal(std::string_view payload);
    /// Timers and sending; once in each turn of the loop.
    void service(Timestamp now);
    Timestamp deadline() const;

    /// Only after on_connected.
    Connection &connection() { return *connection_; }
    const std::string &peer_name() const { return peer_.name; }
    Route route() const { return path_->route(); }

    /// Ends the link and tells the other side when it can be told.
    void close(const std::optional<Error> &error, Timestamp now);
    /// Set once the link is over; the error is none when it ended in good order.
    const std::optional<Closed> &closed() const { return closed_; }

private:
    PeerLink(EngineContext &context, const Options &options, PeerLinkListener &listener,
             Timestamp now);

    void on_local_candidate(std::string_view line) override;
    void on_local_candidates_done() override;
    void on_ice_ready() override;
    void on_ice_failed() override;
    void on_datagrams(ByteView bytes, std::size_t segment_bytes) override;
    void on_established() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;

    void describe(const PeerDescription &peer);
    void send_payloads();
    void fail_link(Error error);

    EngineContext &context_;
    PeerLinkListener &listener_;
    Pairing::Role role_;
    std::shared_ptr<const Identity> identity_;
    std::unique_ptr<IcePath> path_;
    std::optional<Pairing> pairing_;
    PeerDescription peer_;
    bool paired_ = false;
    std::unique_ptr<Connection> connection_;
    bool announced_ = false;
    bool busy_ = false;
    bool more_ = false;
    /// When waiting for the other side, or for a route, is given up.
    Timestamp give_up_;
    /// The client may be ready a moment before this end: its first datagrams wait here.
    std::vector<Bytes> early_;
    std::optional<Closed> closed_;
};

} // namespace thru
