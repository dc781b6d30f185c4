// The connection of one browser: as much of HTTP/3 (RFC 9114) as a WebTransport session
// needs, and the one stream that carries datagrams. Normative text: docs/protocol.md#webtransport
#pragma once

#include "base/bytes.h"
#include "base/clock.h"
#include "crypto/digest.h"
#include "crypto/identity.h"
#include "net/datagram_path.h"
#include "quic/connection.h"

namespace thru {

class WebTransportSession final : private ConnectionListener {
public:
    /// Receives the session's reports. Calls may write, but must not destroy the session.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// The browser showed the token: bytes of the stream follow.
        virtual void on_proven(WebTransportSession &session) = 0;
        virtual void on_stream_bytes(ByteView bytes) = 0;
    };

    /// `context` comes from Identity::browser_context.
    WebTransportSession(SslCtxPtr context, const ConnectionSettings &settings, const Digest &token,
                        Owner &owner);

    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const PathId &from, Timestamp now);
    /// Handles timers and sending; call this after the other functions, and at the deadline.
    FlushOutcome service(DatagramPath &path, Timestamp now);
    Timestamp deadline() const { return connection_->deadline(); }
    void close(DatagramPath &path, Timestamp now);

    /// True once a valid first datagram has arrived, until the session is over.
    bool begun() const { return deadline() != kNever; }
    bool proven() const { return proven_; }
    bool over() const { return over_ || connection_->closed().has_value(); }
    /// Queues bytes for the stream; call this only once proven.
    void write(ByteView bytes);
    /// True while many queued bytes are unsent.
    bool full() const;

private:
    void on_established() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override { on_stream_reset(stream); }
    void check(ByteView bytes);

    Owner &owner_;
    Digest token_;
    std::unique_ptr<Connection> connection_;
    /// The beginning of the stream, until the browser is proven.
    Bytes head_;
    bool answered_ = false;
    bool proven_ = false;
    bool over_ = false;
};

} // namespace thru
