// The way between two computers where no UDP gets through and one of them can be reached by TCP
// (RFC 6544), and in a local network one that carries beside UDP: both listen, call each other's
// addresses, and keep the connections whose other end proves itself. The receiver chooses one; the
// sender follows it. libnice has an ICE-TCP, too, which takes connections of any number of
// strangers and mixes up the messages of two of them. Used on the network thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/datagram_path.h"
#include "net/local_addresses.h"
#include "net/tcp_listener.h"
#include "path/datagram_stream.h"
#include "path/ice_path.h"

namespace thru {

/// Of a candidate line: TCP leads to it.
bool is_of_tcp(std::string_view line);

class DirectTcp final : private DatagramStream::Owner {
public:
    /// What the agent beside it has to know.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// A candidate line of this side's.
        virtual void on_tcp_candidate(std::string_view line) = 0;
        /// There is a way, which may be chosen.
        virtual void on_tcp_found() = 0;
        /// The other side has chosen one, and so this side goes by it, too.
        virtual void on_tcp_chosen() = 0;
        /// Nothing is under way any more, and nothing was found.
        virtual void on_tcp_failed() = 0;
    };

    /// Whether this computer calls there for another one.
    using CallRule = bool (*)(const std::string &host, std::uint16_t port);
    /// `follows`: the other side chooses.
    DirectTcp(EventLoop &loop, IceListener &listener, Owner &owner, bool follows,
              CallRule may_be_called = thru::may_be_called);
    ~DirectTcp() override;
    DirectTcp(const DirectTcp &) = delete;
    DirectTcp &operator=(const DirectTcp &) = delete;

    /// Can be reached from now on at these literal addresses of this computer; the owner gets the
    /// candidates. Once.
    void listen(const std::vector<std::string> &addresses);
    /// Before that nobody is let in, and nobody called.
    void set_credentials(const CheckCredentials &credentials);
    /// A candidate line of the other side's, which was checked; one of TCP is called.
    void add_remote_candidate(std::string_view line);

    /// A way was found, and none is chosen yet.
    bool found() const;
    /// Whether a call is under way.
    bool calls() const;
    /// This side's choice; only when found.
    void choose();
    /// UDP leads from this address of this computer's through a local network, and a connection
    /// through the same one carries beside it: one that was found, or is within `milliseconds`. It
    /// is the chosen one, until it ends. All others end then.
    void accompany(const Address &local, guint milliseconds = kBesideTime);
    /// UDP is used alone from now on; only after `accompany`, and not from within a call of its
    /// own.
    void part();
    /// Something of QUIC came by UDP: after `accompany` the other side may go by that alone, since
    /// the connection leads nowhere. As `part` then.
    void on_udp(Timestamp now);
    /// The one that was chosen; null: none.
    const DatagramStream *chosen() const { return chosen_; }
    /// The other side goes by something else, as far as is known. Does nothing where this side
    /// chooses, and once settled.
    void leave();
    /// Nothing else is wanted: all that was not chosen ends.
    void settle();
    /// As DatagramPath::send; only when one is chosen.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment);

private:
    static constexpr guint kBesideTime = 5000;
    bool is_new(const StunTransaction &request) override;
    void on_checked(DatagramStream &stream) override;
    void on_datagram(DatagramStream &stream, ByteView datagram) override;
    void on_writable(DatagramStream &stream) override;
    void on_over(DatagramStream &stream) override;

    struct Place {
        std::string host;
        std::uint16_t port = 0;
        bool operator==(const Place &) const = default;
    };
    DatagramStream &add_stream(std::unique_ptr<TcpSocket> socket, bool called);
    void call(const Place &place);
    void accept(TcpListener &listener);
    void announce(const std::string &host, std::uint16_t port);
    void choose_beside();
    bool is_beside(const DatagramStream &stream) const;
    void close_listeners();
    void close_listener(TcpListener &listener);
    void forget_over();

    EventLoop &loop_;
    IceListener &listener_;
    Owner &owner_;
    bool follows_;
    CallRule may_be_called_;
    std::optional<CheckCredentials> credentials_;
    std::vector<std::unique_ptr<TcpListener>> listeners_;
    std::size_t announced_ = 0;
    std::size_t accepted_ = 0;
    /// Requests that were let in, one for each connection that has proved itself.
    std::set<StunTransaction> answered_;
    std::vector<Place> places_;
    std::vector<std::unique_ptr<DatagramStream>> streams_;
    std::vector<DatagramStream *> calls_;
    DatagramStream *chosen_ = nullptr;
    bool settled_ = false;
    /// From where UDP leads, when a connection carries beside it.
    std::optional<Address> beside_;
    Timeout beside_time_;
    /// When the chosen one has brought something, or was chosen.
    Timestamp heard_at_ = 0;
};

} // namespace thru
