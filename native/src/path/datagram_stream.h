// Datagrams over one TCP connection with the other computer, each prefixed with its length (RFC
// 4571). It carries nothing until a check has authenticated the other end. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/address.h"
#include "net/datagram_path.h"
#include "net/length_frames.h"
#include "net/tcp_figures.h"
#include "net/tcp_socket.h"
#include "net/unsent_bytes.h"
#include "path/stun_check.h"

namespace thru {

class DatagramStream {
public:
    /// Receives a stream's reports. Calls may end the stream but must not destroy it.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// True if no other stream received this request; a repeated one is a replay.
        virtual bool is_new(const StunTransaction &request) = 0;
        /// Both ends have authenticated each other.
        virtual void on_checked(DatagramStream &stream) = 0;
        virtual void on_datagram(DatagramStream &stream, ByteView datagram) = 0;
        /// The stream accepts datagrams again.
        virtual void on_writable(DatagramStream &stream) = 0;
        virtual void on_over(DatagramStream &stream) = 0;
    };

    /// `called` is true if this side connects and sends the check. The other end must connect and
    /// authenticate itself within kCheckTime.
    DatagramStream(EventLoop &loop, Owner &owner, std::unique_ptr<TcpSocket> socket, bool called,
                   const CheckCredentials &credentials);
    ~DatagramStream();
    DatagramStream(const DatagramStream &) = delete;
    DatagramStream &operator=(const DatagramStream &) = delete;

    bool checked() const { return stage_ == Stage::Checked; }
    bool over() const { return stage_ == Stage::Over; }
    Address remote() const { return remote_; }
    Address local() const { return local_; }
    /// nullopt once over, or if the system doesn't report it.
    std::optional<TcpFigures> figures() const;
    /// Like DatagramPath::send: a whole burst, or nothing while the previous one waits.
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
    /// Ends the stream if it isn't checked in time.
    Timeout deadline_;
    LengthFrames frames_;
    UnsentBytes out_;
    bool was_full_ = false;
    Bytes buffer_;
};

} // namespace thru
