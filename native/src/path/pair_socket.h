// The nominated pair's socket under our own control, for many datagrams per call. On a relayed
// route it is the socket to the TURN server, and datagrams are sent as ChannelData. libnice gets
// the socket back while it needs the server's answers. Network thread only.
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

class PairSocket {
public:
    /// The source of a datagram on a direct route.
    enum class Remote : std::uint8_t {
        /// The other computer, at its current address.
        Expected,
        /// The other computer, at a new address to send to.
        Moved,
        /// Unknown; the listener gets the address.
        Unknown,
    };
    struct Settings {
        /// Still owned by the agent.
        int descriptor = -1;
        /// Address of the other computer, or of the TURN server on a relayed route.
        NiceAddress to;
        bool relayed = false;
        /// Time in milliseconds for which libnice reads a relay's socket after an answer of the
        /// server. It is long enough to repeat a request (after 0.5 and 1.5 s) and get its answer.
        /// libnice never retries an abandoned request.
        guint lent_ms = 2000;
        /// Turns libnice's reading of the socket on or off.
        std::function<void(bool reads)> set_agent_reading;
        /// Called before the listener when datagrams arrive on a direct route.
        std::function<Remote(const sockaddr &from)> on_received = [](const sockaddr &) {
            return Remote::Expected;
        };
    };
    PairSocket(EventLoop &loop, DatagramListener &listener, Settings settings);
    /// Lets libnice read the socket again.
    ~PairSocket();
    PairSocket(const PairSocket &) = delete;
    PairSocket &operator=(const PairSocket &) = delete;

    /// False until the relay's channel number is known; libnice sends until then.
    bool sends() const { return !channel_ || channel_->number(); }
    /// See DatagramPath::send.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);
    /// The other computer's expected address.
    Address to() const { return Address(reinterpret_cast<const sockaddr &>(to_)); }
    bool relayed() const { return channel_.has_value(); }
    /// The same to another address on a direct route; on other routes the datagrams are dropped.
    DatagramPath::Sent send_to(const Address &to, ByteView bytes, std::size_t segment);

private:
    void take();
    void give_back();
    void lend();
    void read();
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
    /// The system did not accept everything.
    bool full_ = false;

    std::optional<RelayChannel> channel_;
    /// Time of the last read of a relay's socket; joined_ is true if it had joined datagrams.
    Timestamp read_at_ = 0;
    bool joined_ = false;
    /// True if data arrived through the channel since libnice returned the socket.
    bool came_through_channel_ = false;
    bool lending_due_ = false;
    guint lent_factor_ = 0;
    Timeout taking_back_;
};

} // namespace thru
