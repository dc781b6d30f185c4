// A stream of bytes to a relay: TCP, through a proxy where one is set, TLS on it for `turns:` and
// `wss:`. Used on the network thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

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
    /// Begins to connect. `on_ready` is called when there may be something to read, when everything
    /// that was written has gone out, and when the stream is over.
    RelayStream(EventLoop &loop, const TurnServer &server, std::function<void()> on_ready);
    ~RelayStream();
    RelayStream(const RelayStream &) = delete;
    RelayStream &operator=(const RelayStream &) = delete;

    /// Written bytes leave at once as far as the system takes them; the rest is kept.
    void write(ByteView bytes);
    /// Something written waits for the system, or for the connection.
    bool full() const;
    /// Bytes read, 0: none now. `into` has room for 64 KiB at least.
    std::size_t read(MutableByteView into);
    /// It carries nothing any more.
    bool over() const { return stage_ == Stage::Over; }
    /// Ends it, without a failure.
    void close() { end(std::nullopt); }
    /// The ends of its connection, the other one at the proxy if there is one; only while it is
    /// open.
    Address local() const { return socket_->local(); }
    Address remote() const { return socket_->remote(); }
    /// Why; nothing where the server just ended it.
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
    /// Written before the stream was open.
    Bytes early_;
    /// What the proxy sent behind its answer.
    Bytes left_over_;
    /// Ciphertext.
    Bytes buffer_;
    std::optional<Error> failure_;
};

} // namespace thru
