// A byte stream to a relay: TCP, through a proxy if set, with TLS if needed. Network thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/tls_client.h"
#include "loop/event_loop.h"
#include "net/proxy_handshake.h"
#include "net/tcp_socket.h"
#include "net/unsent_bytes.h"
#include "path/ice_servers.h"

namespace thru {

class RelayStream {
public:
    /// Begins to connect. `on_ready` is called when there may be data to read, when all written
    /// data was sent, and when the stream is over.
    RelayStream(EventLoop &loop, const TurnServer &server, std::function<void()> on_ready);
    ~RelayStream();
    RelayStream(const RelayStream &) = delete;
    RelayStream &operator=(const RelayStream &) = delete;

    /// Sends as much as the system accepts immediately, and keeps the rest.
    void write(ByteView bytes);
    /// True while written data waits for the system or the connection.
    bool full() const;
    /// Returns the bytes read, 0 if there are none yet. `into` has room for at least 64 KiB.
    std::size_t read(MutableByteView into);
    bool over() const { return stage_ == Stage::Over; }
    /// Ends the stream without a failure.
    void close() { end(std::nullopt); }
    /// The connection's addresses; `remote` may be the proxy's. Only while open.
    Address local() const { return socket_->local(); }
    Address remote() const { return socket_->remote(); }
    /// The reason for the end; nullopt if the server just closed the stream.
    const std::optional<Error> &failure() const { return failure_; }

private:
    enum class Stage : std::uint8_t { Connecting, Proxy, Tls, Open, Over };
    void ready();
    void on_connected();
    void read_proxy();
    void begin_tls();
    void read_tls();
    void become_open();
    void send();
    void end(std::optional<Error> why);

    EventLoop &loop_;
    TurnServer server_;
    std::function<void()> on_ready_;
    Stage stage_ = Stage::Connecting;
    std::unique_ptr<TcpSocket> socket_;
    std::optional<ProxyHandshake> proxy_;
    std::optional<TlsClient> tls_;
    UnsentBytes out_;
    /// Data written before the stream was open.
    Bytes early_bytes_;
    /// Data from the proxy after its answer.
    Bytes left_over_;
    /// Ciphertext.
    Bytes buffer_;
    std::optional<Error> failure_;
};

} // namespace thru
