// Datagrams over one connection of TCP with the other computer, each behind its length (RFC 4571).
// It carries nothing until a check has shown that the other end is the other side of the pairing.
// Used on the network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/address.h"
#include "net/datagram_path.h"
#include "net/length_frames.h"
#include "net/tcp_socket.h"
#include "net/unsent_bytes.h"
#include "path/stun_check.h"

namespace thru {

class DatagramStream {
public:
    /// What a stream tells; calls may end it, but must not destroy it.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// Whether no other stream was given this request: else it is a copy of one.
        virtual bool is_new(const StunTransaction &request) = 0;
        /// The other end has proved itself, and this end to it.
        virtual void on_checked(DatagramStream &stream) = 0;
        virtual void on_datagram(DatagramStream &stream, ByteView datagram) = 0;
        /// It takes datagrams again.
        virtual void on_writable(DatagramStream &stream) = 0;
        /// It carries nothing any more.
        virtual void on_over(DatagramStream &stream) = 0;
    };

    /// `called`: this side connects, and asks. The other end has kCheckTime to be there and to
    /// prove itself.
    DatagramStream(EventLoop &loop, Owner &owner, std::unique_ptr<TcpSocket> socket, bool called,
                   const CheckCredentials &credentials);
    ~DatagramStream();
    DatagramStream(const DatagramStream &) = delete;
    DatagramStream &operator=(const DatagramStream &) = delete;

    bool checked() const { return stage_ == Stage::Checked; }
    bool over() const { return stage_ == Stage::Over; }
    Address remote() const { return remote_; }
    Address local() const { return local_; }
    /// As DatagramPath::send: a burst as a whole or, while the last one waits, nothing.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);

private:
    enum class Stage : std::uint8_t { Connecting, Checking, Checked, Over };
    void ready();
    void on_connected();
    void read();
    void receive(ByteView frame);
    void check(ByteView frame);
    void become_checked();
    void write_frames(ByteView bytes, std::size_t segment);
    void write_burst(ByteView bytes, std::size_t segment);
    void flush();
    void end();

    EventLoop &loop_;
    Owner &owner_;
    std::unique_ptr<TcpSocket> socket_;
    bool called_;
    CheckCredentials credentials_;
    StunTransaction transaction_{};
    Stage stage_;
    Address remote_;
    Address local_;
    /// Ends what has not been checked in time.
    Timeout deadline_;
    LengthFrames frames_;
    UnsentBytes out_;
    bool was_full_ = false;
    Bytes buffer_;
};

} // namespace thru
