#include "path/server_relay.h"

#include <utility>

#include "path/address_text.h"
#include "path/demux.h"

namespace thru {

namespace {

/// Time for the other side, which may begin later, to connect; in milliseconds.
constexpr guint kMeetingTime = 15000;
constexpr std::size_t kServerRelayReadBytes = 128 * 1024;
constexpr int kServerRelayReadsPerTurn = 8;
/// The server's quota for this pair is used up (signaling.md).
constexpr std::uint16_t kQuotaCode = 4007;

} // namespace

ServerRelay::ServerRelay(EventLoop &loop, CarrierListener &listener, const TurnServer &server)
    : loop_(loop), listener_(listener), server_(server) {}

ServerRelay::~ServerRelay() = default;

CarrierState ServerRelay::state() const {
    switch (stage_) {
    case Stage::Waiting:
        return CarrierState::Idle;
    case Stage::Meeting:
        return CarrierState::Searching;
    case Stage::Found:
        return CarrierState::Found;
    case Stage::Over:
        break;
    }
    return CarrierState::Over;
}

void ServerRelay::begin() {
    if (stage_ != Stage::Waiting) {
        return;
    }
    stage_ = Stage::Meeting;
    buffer_.resize(kServerRelayReadBytes);
    web_socket_.emplace(WebSocket::Request{.host = address_text(server_.name, server_.port),
                                           .path = server_.path,
                                           .ticket = server_.password});
    timer_.start(loop_, kMeetingTime, [this] {
        fail({ErrorCode::NoRoute, 0, server_.name + ": the other side did not come"});
    });
    stream_ = std::make_unique<RelayStream>(loop_, server_, [this] { ready(); });
    flush();
    if (stream_->over()) {
        fail(*stream_->failure());
    }
}

void ServerRelay::ready() {
    read();
    if (stage_ == Stage::Over) {
        return;
    }
    // While the server doesn't read, answers to pings stay in the WebSocket, which bounds them.
    if (!stream_->full()) {
        flush();
    }
    if (web_socket_->over() || stream_->over()) {
        fail(*why_over());
    } else if (std::exchange(was_full_, stream_->full()) && !stream_->full()) {
        listener_.on_carrier_writable(*this);
    }
}

void ServerRelay::read() {
    for (int turn = 0; turn < kServerRelayReadsPerTurn && !web_socket_->over(); ++turn) {
        const auto got = stream_->read(buffer_);
        if (got == 0) {
            return;
        }
        web_socket_->receive(ByteView{buffer_}.first(got),
                             [this](ByteView data) { receive(data); });
        if (stage_ == Stage::Over) {
            return;
        }
    }
}

void ServerRelay::receive(ByteView data) {
    if (stage_ == Stage::Meeting) {
        become_found();
    }
    const bool understood = frames_.receive(data, [this](ByteView datagram) {
        if (stage_ == Stage::Found && is_quic(datagram)) {
            listener_.on_carrier_datagrams(*this, datagram, datagram.size(), {});
        }
        return stage_ != Stage::Over;
    });
    static_cast<void>(understood);
}

void ServerRelay::become_found() {
    timer_.stop();
    stage_ = Stage::Found;
    local_ = stream_->local();
    remote_ = stream_->remote();
    listener_.on_carrier_changed(*this);
}

void ServerRelay::flush() {
    web_socket_->take_output(out_);
    stream_->write(out_);
    out_.clear();
}

std::optional<Error> ServerRelay::why_over() const {
    if (web_socket_->close_code() == kQuotaCode) {
        return Error{ErrorCode::RelayQuota, kQuotaCode, server_.name + ": it carries no more"};
    }
    if (stream_->failure()) {
        return stream_->failure();
    }
    const auto &said = web_socket_->reason();
    return Error{ErrorCode::NoRoute, web_socket_->close_code().value_or(0),
                 server_.name + ": " + (said.empty() ? "it ended the connection" : said)};
}

void ServerRelay::fail(Error why) {
    if (stage_ == Stage::Over) {
        return;
    }
    stage_ = Stage::Over;
    timer_.stop();
    stream_->close();
    failure_ = std::move(why);
    listener_.on_carrier_changed(*this);
}

void ServerRelay::settle(bool used) {
    if (used) {
        return;
    }
    stage_ = Stage::Over;
    timer_.stop();
    // The stream may be in its callback, so it must not be destroyed here.
    if (stream_) {
        stream_->close();
    }
}

Route ServerRelay::route() const {
    NiceAddress remote;
    nice_address_set_from_sockaddr(&remote, remote_.get());
    return {.kind = Route::Kind::Relay,
            .ipv6 = remote_.get()->sa_family == AF_INET6,
            .tcp = true,
            .server_relay = true,
            .remote = address_text(remote),
            .relay = address_text(server_.name, server_.port)};
}

DatagramPath::Sent ServerRelay::send(ByteView bytes, std::size_t segment_bytes, const PathId &) {
    if (stage_ == Stage::Over) {
        // Dropped, as on a dead path.
        return {.bytes = bytes.size()};
    }
    if (stream_->full()) {
        was_full_ = true;
        return {};
    }
    Bytes framed;
    framed.reserve(bytes.size() + bytes.size() / segment_bytes * kFrameLengthBytes +
                   kFrameLengthBytes);
    append_length_frames(framed, bytes, segment_bytes);
    web_socket_->write(framed);
    flush();
    was_full_ = stream_->full();
    return {.bytes = bytes.size()};
}

} // namespace thru
