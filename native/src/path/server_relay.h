// The path of last resort: both sides open a WebSocket to the signaling server, which passes bytes
// between them (docs/signaling.md#server-relays). Network thread only.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "base/bytes.h"
#include "base/error.h"
#include "loop/event_loop.h"
#include "loop/timeout.h"
#include "net/address.h"
#include "net/datagram_path.h"
#include "net/length_frames.h"
#include "net/web_socket.h"
#include "path/carrier.h"
#include "path/ice_servers.h"
#include "path/relay/relay_stream.h"

namespace thru {

class ServerRelay final : public Carrier {
public:
    /// `server` must have a path.
    ServerRelay(EventLoop &loop, CarrierListener &listener, const TurnServer &server);
    ~ServerRelay() override;

    CarrierKind kind() const override { return CarrierKind::ServerRelay; }
    CarrierState state() const override;
    void begin() override;
    void settle(bool used) override;
    Route route() const override;
    std::span<const std::uint16_t> datagram_bytes() const override { return kStreamDatagramBytes; }
    Address local() const override { return local_; }
    /// Sends a whole burst, or nothing while the previous one waits.
    DatagramPath::Sent send(ByteView bytes, std::size_t segment_bytes,
                            const PathId &path_id) override;
    std::optional<Error> failure() const override { return failure_; }

private:
    enum class Stage : std::uint8_t { Waiting, Meeting, Found, Over };
    void ready();
    void read();
    void receive(ByteView data);
    void become_found();
    void flush();
    void fail(Error why);
    std::optional<Error> why_over() const;

    EventLoop &loop_;
    CarrierListener &listener_;
    TurnServer server_;
    Stage stage_ = Stage::Waiting;
    bool was_full_ = false;
    /// Limits the wait for the other side.
    Timeout timer_;
    std::optional<WebSocket> web_socket_;
    LengthFrames frames_;
    Address local_;
    Address remote_;
    std::optional<Error> failure_;
    Bytes buffer_;
    Bytes out_;
    /// Declared last, so it is destroyed before the members that its callback uses.
    std::unique_ptr<RelayStream> stream_;
};

} // namespace thru
