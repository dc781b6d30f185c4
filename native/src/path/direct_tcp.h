// A direct TCP connection (RFC 6544), for networks where no UDP gets through and one side is
// reachable by TCP. In a local network it is also used alongside UDP. Both sides listen, call each
// other's addresses, and keep the connections whose other end authenticates itself. The receiver
// chooses one, and the sender follows. libnice's ICE-TCP is not used: it accepts unlimited
// connections from strangers and mixes up the messages of two of them. Network thread only.
#pragma once

#include <cstddef>
#include <functional>
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
#include "path/carrier.h"
#include "path/datagram_stream.h"
#include "path/segment_loss.h"

namespace thru {

bool is_of_tcp(std::string_view line);

class DirectTcp final : public Carrier, public Companion, private DatagramStream::Owner {
public:
    /// Receives a candidate line of this side.
    using Announce = std::function<void(std::string_view line)>;
    /// Returns true if this computer may connect there on a peer's request.
    using CallRule = bool (*)(const std::string &host, std::uint16_t port);
    struct Settings {
        Announce announce;
        /// True if the other side chooses the connection.
        bool follows = false;
        CallRule may_be_called = thru::may_be_called;
        /// Time to find a connection alongside the pair, in milliseconds.
        guint companion_time = 5000;
    };
    DirectTcp(EventLoop &loop, CarrierListener &listener, Settings settings);
    ~DirectTcp() override;

    /// Listens at these literal addresses of this computer and announces them. Call this once.
    void listen(const std::vector<std::string> &addresses);
    /// Connections are neither made nor accepted before this call.
    void set_credentials(const CheckCredentials &credentials);
    /// Takes a checked candidate line of the other side; connects to a TCP candidate.
    void add_remote_candidate(std::string_view line);

    CarrierKind kind() const override { return CarrierKind::DirectTcp; }
    CarrierState state() const override;
    void choose() override;
    void settle(bool used) override;
    Route route() const override;
    std::span<const std::uint16_t> datagram_bytes() const override { return kStreamDatagramBytes; }
    Address local() const override { return chosen_->local(); }
    DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes,
                            const PathId &path_id) override;
    Companion *companion() override { return this; }
    /// The connection in use, or null.
    const DatagramStream *chosen() const { return chosen_; }

    /// Chooses one connection until it ends. All others end then.
    void accompany(const Address &local, const Address &remote) override;
    void on_pair_datagrams(Timestamp now) override;
    bool is_lossy(Timestamp now) override;
    void part() override;

private:
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
    bool has_checked() const;

    EventLoop &loop_;
    CarrierListener &listener_;
    Settings settings_;
    std::optional<CheckCredentials> credentials_;
    std::vector<std::unique_ptr<TcpListener>> listeners_;
    std::size_t announced_ = 0;
    std::size_t accepted_ = 0;
    /// Accepted requests, one for each connection that has authenticated itself.
    std::set<StunTransaction> answered_;
    std::vector<Place> places_;
    std::vector<std::unique_ptr<DatagramStream>> streams_;
    std::vector<DatagramStream *> calls_;
    DatagramStream *chosen_ = nullptr;
    bool settled_ = false;
    struct Pair {
        Address local;
        Address remote;
    };
    /// Set while a connection may carry its data.
    std::optional<Pair> beside_;
    Timeout beside_time_;
    /// Time of the chosen connection's last datagram, or of its choice.
    Timestamp last_received_ = 0;
    SegmentLoss loss_;
    /// Time of the latest look at the chosen connection's losses.
    Timestamp looked_at_ = 0;
};

} // namespace thru
