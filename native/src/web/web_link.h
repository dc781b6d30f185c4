// The link of a web page to the computer that shows a code: pairing and QUIC, bound to each other,
// over a stream of datagrams such as a server relay. No sockets, no clock, no threads.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "crypto/identity.h"
#include "link/early_data.h"
#include "link/link_binding.h"
#include "net/datagram_path.h"
#include "net/length_frames.h"
#include "pairing/pairing.h"
#include "pairing/pairing_secret.h"
#include "quic/connection.h"

namespace thru {

/// Events of a link for its owner. Calls must not destroy the link.
class WebLinkListener {
public:
    virtual ~WebLinkListener() = default;
    /// A payload for the signaling server.
    virtual void on_payload(std::string_view payload) = 0;
    /// The other side has proved that it knows the code.
    virtual void on_paired() = 0;
    /// The other side can also be reached as this candidate line says.
    virtual void on_candidate(std::string_view line) = 0;
    /// The connection is bound to the pairing: the control stream is open.
    virtual void on_connected() = 0;
    virtual void on_stream_data(StreamId stream, ByteView bytes, bool fin) = 0;
    virtual void on_stream_reset(StreamId stream) = 0;
    /// A stream of this side is acknowledged to its end or to its reset.
    virtual void on_stream_closed(StreamId stream) = 0;
};

class WebLink final : private ConnectionListener, private DatagramPath {
public:
    /// Begins to pair. `name` is shown to the other side. A receiver's first payload is ready; a
    /// sender answers. Internal if a library fails.
    static Result<std::unique_ptr<WebLink>> create(LinkRole role, const std::string &nameplate,
                                                   const PairingSecret &secret, std::string name,
                                                   WebLinkListener &listener, Timestamp now);
    ~WebLink() override;

    void on_signal(std::string_view payload, Timestamp now);
    /// The stream accepts bytes. It need not be trusted.
    void on_stream_ready(Timestamp now);
    /// Takes bytes of the stream, or of the second one: the datagrams of both count.
    void on_bytes(ByteView bytes, Timestamp now, bool second);
    /// The used stream has ended; there will be no other.
    void on_stream_over();
    /// Takes the bytes for the stream.
    Bytes take_output();

    /// Handles timers and sending; call this after the functions above, and at the deadline.
    void service(Timestamp now);
    Timestamp deadline() const;

    /// The keys exist after on_paired.
    const PairingKeys &keys() const { return pairing_.keys(); }
    bool connected() const { return stage_ == Stage::Connected; }
    /// The connection exists after on_connected.
    Connection &connection() { return *connection_; }
    /// Ends the link and informs the other side, if possible.
    void close(const std::optional<Error> &error, Timestamp now);
    /// Set once the link is over; without an error after a normal end.
    const std::optional<Closed> &closed() const { return closed_; }

private:
    /// Stages follow each other and are never repeated; Closed can follow any other.
    enum class Stage : std::uint8_t { Pairing, Routing, Handshake, Binding, Connected, Closed };

    WebLink(LinkRole role, const std::string &nameplate, const PairingSecret &secret,
            std::string name, Identity identity, WebLinkListener &listener, Timestamp now);

    void on_established() override;
    void on_stream_data(StreamId stream, ByteView bytes, bool fin) override;
    void on_stream_reset(StreamId stream) override;
    void on_stream_closed(StreamId stream) override;
    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) override;

    void take_event(const PairingEvent &event, Timestamp now);
    void send_payloads();
    void begin_connection(Timestamp now);
    void announce();
    void fail_link(Error error);

    WebLinkListener &listener_;
    const LinkRole role_;
    /// Proves the code to this side if it sends.
    PairingSecret secret_;
    Identity identity_;
    Pairing pairing_;
    Fingerprint peer_{};
    Stage stage_ = Stage::Pairing;
    bool stream_ready_ = false;
    /// Time at which waiting for the other side or for the stream ends.
    Timestamp give_up_;
    std::array<LengthFrames, 2> frames_;
    Bytes out_;
    std::unique_ptr<Connection> connection_;
    std::optional<LinkBinding> binding_;
    EarlyData early_data_;
    FlushOutcome flushed_ = FlushOutcome::Idle;
    std::optional<Closed> closed_;
};

} // namespace thru
