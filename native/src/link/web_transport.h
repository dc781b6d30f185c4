// A carrier for a web page: it listens for WebTransport at this computer's addresses, and follows
// the browser that shows the token of its candidates. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "crypto/digest.h"
#include "crypto/identity.h"
#include "link/web_transport_session.h"
#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/length_frames.h"
#include "net/udp_socket.h"
#include "path/carrier.h"

namespace thru {

class WebTransport final : public Carrier, private WebTransportSession::Owner {
public:
    /// Listens at some of these literal addresses. NoRoute if none can be used.
    static Result<std::unique_ptr<WebTransport>> open(EventLoop &loop, CarrierListener &listener,
                                                      const std::vector<std::string> &hosts,
                                                      int socket_buffers);
    ~WebTransport() override;

    /// A candidate line for each address at which it listens, with the certificate's hash and the
    /// token.
    std::vector<std::string> candidates() const;

    CarrierKind kind() const override { return CarrierKind::WebTransport; }
    CarrierState state() const override;
    /// A browser may move here later than this side makes its choice.
    void settle(bool) override {}
    Route route() const override { return route_; }
    std::span<const std::uint16_t> datagram_bytes() const override { return kStreamDatagramBytes; }
    Address local() const override { return local_; }
    /// Sends a whole burst, or nothing while the previous ones wait.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes,
                            const PathId &path_id) override;

private:
    struct Place {
        std::string host;
        std::unique_ptr<UdpSocket> socket;
    };
    struct Guest;

    WebTransport(EventLoop &loop, CarrierListener &listener, Identity identity);

    void on_proven(WebTransportSession &session) override;
    void on_stream_bytes(ByteView bytes) override;
    void read(UdpSocket &socket);
    void receive(UdpSocket &socket, ByteView bytes, std::size_t segment, const Address &from);
    Guest *guest_at(UdpSocket &socket, const Address &from);
    void serve(Guest &guest);
    void serve_later(Guest &guest, Timestamp at);
    /// Ends and forgets a connection that is over; false if it isn't.
    bool forget_if_over(Guest &guest);
    /// Ends listening. Not to be called while a socket is read.
    void close_sockets();

    EventLoop &loop_;
    CarrierListener &listener_;
    Identity identity_;
    Digest token_{};
    std::vector<Place> places_;
    Bytes buffer_;
    /// Time of the last read.
    Timestamp read_at_ = 0;
    std::vector<std::unique_ptr<Guest>> guests_;
    std::size_t accepted_ = 0;
    /// The browser that showed the token.
    Guest *chosen_ = nullptr;
    /// The route and the address of that browser stay known once it is gone.
    Route route_;
    Address local_;
    bool over_ = false;
    Timeout closing_;
    bool was_full_ = false;
    LengthFrames frames_;
};

} // namespace thru
