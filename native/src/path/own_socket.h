// The nominated pair's socket in our own hands, where many datagrams go in a call. On a relayed
// route it is that to the TURN server: datagrams go as ChannelData, and libnice gets the socket
// back for as long as it needs to hear from the server.
// Used on the network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "loop/glib.h"

#include <nice/agent.h>

#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/datagram_path.h"
#include "net/udp_batch.h"
#include "path/relay/relay_channel.h"

namespace thru {

class OwnSocket {
public:
    /// Who writes on a direct route.
    enum class Source : std::uint8_t {
        /// The other computer, which is written to as before.
        Expected,
        /// The other computer: what is sent from now on goes there.
        Moved,
        /// The listener is told the address.
        Unknown,
    };
    struct Settings {
        /// Stays its owner's.
        int descriptor = -1;
        /// Of the other computer, or of the TURN server of a relayed route.
        NiceAddress to;
        bool relayed = false;
        /// For so long libnice reads a relay's socket when the server has answered it: as long as
        /// it repeats a request (after 0.5 and 1.5 s) and waits for the answer. It never asks again
        /// for what it has given up.
        guint lent_ms = 2000;
        /// Lets libnice read the socket, or keeps it from that.
        std::function<void(bool reads)> let_agent_read;
        /// Called before the listener when datagrams have come on a direct route.
        std::function<Source(const sockaddr &from)> heard = [](const sockaddr &) {
            return Source::Expected;
        };
    };
    OwnSocket(EventLoop &loop, DatagramListener &listener, Settings settings);
    /// libnice reads the socket again.
    ~OwnSocket();
    OwnSocket(const OwnSocket &) = delete;
    OwnSocket &operator=(const OwnSocket &) = delete;

    /// False while the number of a relay's channel isn't known: libnice sends until then.
    bool sends() const { return !channel_ || channel_->number(); }
    /// As DatagramPath::send.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);
    /// Where the other computer is expected.
    Address to() const { return Address(reinterpret_cast<const sockaddr &>(to_)); }
    bool relayed() const { return channel_.has_value(); }
    /// The same to another address, on a direct route; elsewhere they are lost.
    DatagramPath::Sent send_to(const Address &to, ByteView bytes, std::size_t segment);

private:
    void take();
    void give_back();
    void lend();
    void read();
    /// False: nothing was there.
    bool read_batch();
    void set_full(bool full);
    void delay_reads_if_single();
    void receive(ByteView bytes, std::size_t segment, const sockaddr &from);
    void deliver(ByteView bytes, std::size_t segment, const sockaddr &from);
    void pass_on(ByteView bytes, std::size_t segment, const sockaddr &from);

    EventLoop &loop_;
    DatagramListener &listener_;
    Settings settings_;
    BatchSocket socket_;
    sockaddr_storage to_{};
    std::size_t to_size_ = 0;
    Bytes buffer_;
    bool reads_ = false;
    /// The system took not all that was sent.
    bool full_ = false;

    std::optional<RelayChannel> channel_;
    /// When the relay's socket was read last, and whether the system has joined datagrams in that
    /// turn.
    Timestamp read_at_ = 0;
    bool joined_ = false;
    /// Since the socket was taken last.
    bool came_through_channel_ = false;
    bool lending_due_ = false;
    guint lent_factor_ = 0;
    Timeout taking_back_;
};

} // namespace thru
