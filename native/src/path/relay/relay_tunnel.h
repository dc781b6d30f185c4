// What libnice takes for its connection to a TURN server over TCP ends here, on this computer; the
// messages go on over a RelayStream. So allocation, permissions and channel stay libnice's, and
// QUIC's datagrams, once libnice has bound the channel, pass it by: whole bursts as ChannelData in
// one write. Any program of this computer may connect in libnice's place: the relay hears only from
// one that asks for an address, and more from one that knows the user's name. Used on the network
// thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "loop/event_loop.h"
#include "net/datagram_path.h"
#include "net/tcp_socket.h"
#include "path/ice_servers.h"
#include "path/relay/relay_channel.h"
#include "path/relay/relay_frames.h"
#include "path/relay/relay_stream.h"

namespace thru {

class RelayTunnel {
public:
    /// `libnice` is the connection that libnice made, or a stranger's.
    RelayTunnel(EventLoop &loop, std::unique_ptr<TcpSocket> libnice, const TurnServer &server);
    ~RelayTunnel();
    RelayTunnel(const RelayTunnel &) = delete;
    RelayTunnel &operator=(const RelayTunnel &) = delete;

    /// From now on QUIC's datagrams of the channel go to the listener, and may be sent from here.
    void take(DatagramListener &listener) { listener_ = &listener; }
    /// libnice gets everything again.
    void leave() { listener_ = nullptr; }
    /// False until the other side's first datagram came through the channel: libnice sends.
    bool sends() const {
        return listener_ != nullptr && stream_ && !stream_->over() && channel_.number();
    }
    /// As DatagramPath::send: a burst as a whole or, while the last one waits, nothing.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);
    /// When the last datagram came through the channel, by the loop's clock; 0: none has.
    Timestamp heard_at() const { return heard_at_; }
    /// It has shown the user's name: it is libnice.
    bool known() const { return known_; }
    /// Why the server can't be reached through it.
    std::optional<Error> failure() const { return stream_ ? stream_->failure() : std::nullopt; }

private:
    void watch_libnice();
    void read_libnice();
    void forward(ByteView frame);
    void read_server();
    void receive(ByteView frame);
    void give(ByteView frame);
    void send_given();
    void on_server_gone();
    void close_libnice();

    EventLoop &loop_;
    TurnServer server_;
    std::unique_ptr<TcpSocket> libnice_;
    bool known_ = false;
    /// A whole message has come from the server.
    bool answered_ = false;
    /// Requests without a user's name.
    int unnamed_ = 0;
    /// libnice's connection is not read, because the stream was full.
    bool holds_up_ = false;
    DatagramListener *listener_ = nullptr;
    RelayFrames from_libnice_;
    RelayFrames from_server_;
    RelayChannel channel_;
    Timestamp heard_at_ = 0;
    bool was_full_ = false;
    /// For libnice, of which `given_` bytes are gone.
    Bytes to_libnice_;
    std::size_t given_ = 0;
    Bytes buffer_;
    /// Once libnice has asked for an address. Last: its end calls none of the others.
    std::optional<RelayStream> stream_;
};

} // namespace thru
