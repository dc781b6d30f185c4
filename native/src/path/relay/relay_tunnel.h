// Terminates libnice's connection to a TURN server over TCP on this computer, and forwards its
// messages over a RelayStream. So libnice keeps control of allocation, permissions and channel.
// Once it has bound the channel, QUIC's datagrams bypass it: whole bursts as ChannelData in one
// write. Any program on this computer may connect in libnice's place. Until it shows the user's
// name, the relay receives only its requests for an address. Network thread only.
#pragma once

#include <cstddef>
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
    /// `libnice` is libnice's connection, or a stranger's.
    RelayTunnel(EventLoop &loop, std::unique_ptr<TcpSocket> libnice, const TurnServer &server);
    ~RelayTunnel();
    RelayTunnel(const RelayTunnel &) = delete;
    RelayTunnel &operator=(const RelayTunnel &) = delete;

    /// Sends the channel's QUIC datagrams to the listener and allows sending from here.
    void take(DatagramListener &listener) { listener_ = &listener; }
    /// Lets libnice receive everything again.
    void release() { listener_ = nullptr; }
    /// False until a datagram has arrived through the channel; until then libnice sends.
    bool sends() const {
        return listener_ != nullptr && stream_ && !stream_->over() && channel_.number();
    }
    /// Like DatagramPath::send: a whole burst, or nothing while the previous one waits.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);
    /// Time of the last datagram from the channel by the loop's clock; 0 if there was none.
    Timestamp last_received() const { return last_received_; }
    /// True once it has shown the user's name, as only libnice can.
    bool known() const { return known_; }
    /// The reason that the server can't be reached through it.
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
    /// True once a complete message has arrived from the server.
    bool answered_ = false;
    /// Number of requests without a user name.
    int unnamed_ = 0;
    /// True while libnice's connection is not read because the stream was full.
    bool holds_up_ = false;
    DatagramListener *listener_ = nullptr;
    RelayFrames from_libnice_;
    RelayFrames from_server_;
    RelayChannel channel_;
    Timestamp last_received_ = 0;
    bool was_full_ = false;
    /// Data for libnice; `given_` bytes of it have been sent.
    Bytes to_libnice_;
    std::size_t given_ = 0;
    Bytes buffer_;
    /// Set once libnice has requested an address. Declared last, so it is destroyed first.
    std::optional<RelayStream> stream_;
};

} // namespace thru
