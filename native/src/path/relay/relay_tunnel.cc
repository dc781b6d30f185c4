#include "path/relay/relay_tunnel.h"

#include <utility>

#include "base/byte_reader.h"
#include "path/demux.h"

namespace thru {

namespace {

constexpr std::size_t kTunnelReadBytes = 128 * 1024;
constexpr int kTunnelReadsPerTurn = 8;
/// Maximum bytes that wait for libnice, which reads whenever its loop runs; the rest are dropped.
constexpr std::size_t kMaxWaitingForLibnice = 1 << 20;
/// libnice sends one request without a name, and gets the parameters for others from the answer.
constexpr int kMaxUnnamed = 3;

} // namespace

RelayTunnel::RelayTunnel(EventLoop &loop, std::unique_ptr<TcpSocket> libnice,
                         const TurnServer &server)
    : loop_(loop), server_(server), libnice_(std::move(libnice)), buffer_(kTunnelReadBytes) {
    watch_libnice();
}

RelayTunnel::~RelayTunnel() { close_libnice(); }

void RelayTunnel::close_libnice() {
    if (libnice_) {
        loop_.unwatch(libnice_->descriptor());
        libnice_.reset();
    }
}

void RelayTunnel::watch_libnice() {
    loop_.watch(libnice_->descriptor(), [this] { read_libnice(); });
}

/// libnice's messages are forwarded between ours, never inside one.
void RelayTunnel::read_libnice() {
    send_given();
    if (stream_ && !stream_->over() && stream_->full()) {
        // The system buffers libnice's writes until its buffer is full; then libnice waits.
        holds_up_ = true;
        loop_.unwatch(libnice_->descriptor());
        return;
    }
    const auto got = libnice_->read(buffer_);
    const bool understood =
        got && from_libnice_.receive(ByteView{buffer_}.first(*got),
                                     [this](ByteView frame) { forward(frame); });
    if (!understood) {
        close_libnice();
    } else if (stream_ && stream_->over()) {
        on_server_gone();
    }
}

/// libnice aborts the process if the connection of its selected pair closes while it has another
/// nominated one (`priority > 0` in its conncheck.c). So libnice keeps its connection to a server
/// that has answered; its writes are dropped, and its own timeouts end it, as over UDP.
void RelayTunnel::on_server_gone() {
    if (!answered_) {
        close_libnice();
    } else if (libnice_ && std::exchange(holds_up_, false)) {
        watch_libnice();
    }
}

void RelayTunnel::forward(ByteView frame) {
    if (!libnice_) {
        return;
    }
    if (!known_) {
        const auto request = parse_allocate_request(frame);
        known_ = request && request->user == server_.user;
        if (!known_ && (!request || request->user || ++unnamed_ > kMaxUnnamed)) {
            close_libnice();
            if (stream_) {
                stream_->close();
            }
            return;
        }
    }
    if (!stream_) {
        stream_.emplace(loop_, server_, [this] { read_server(); });
    }
    stream_->write(frame);
}

void RelayTunnel::read_server() {
    for (int turn = 0; turn < kTunnelReadsPerTurn && !stream_->over(); ++turn) {
        const auto got = stream_->read(buffer_);
        if (got == 0) {
            break;
        }
        const auto understood = from_server_.receive(ByteView{buffer_}.first(got),
                                                     [this](ByteView frame) { receive(frame); });
        if (!understood) {
            stream_->close();
        }
    }
    if (stream_->over()) {
        // QUIC notices the loss by its timeout.
        on_server_gone();
        return;
    }
    if (libnice_ && holds_up_ && !stream_->full()) {
        holds_up_ = false;
        watch_libnice();
    }
    send_given();
    if (std::exchange(was_full_, stream_->full()) && !stream_->full() && listener_ != nullptr) {
        listener_->on_writable();
    }
}

void RelayTunnel::receive(ByteView frame) {
    answered_ = true;
    if (listener_ == nullptr) {
        give(frame);
        return;
    }
    const auto message = parse_channel_data(frame);
    const bool quic = message && is_quic(message->data);
    const auto next = channel_.receive(frame, frame.size(), [this](ByteView datagram) {
        last_received_ = loop_.now();
        listener_->on_datagrams(datagram, datagram.size(), {});
    });
    if (!quic || next == RelayChannel::Next::Control) {
        give(frame);
    }
}

void RelayTunnel::give(ByteView frame) {
    if (libnice_ && to_libnice_.size() + frame.size() <= kMaxWaitingForLibnice) {
        append_bytes(to_libnice_, frame);
        send_given();
    }
}

void RelayTunnel::send_given() {
    while (libnice_ && given_ < to_libnice_.size()) {
        const auto taken = libnice_->write(ByteView{to_libnice_}.subspan(given_));
        if (!taken || *taken == 0) {
            break;
        }
        given_ += *taken;
    }
    if (given_ == to_libnice_.size()) {
        to_libnice_.clear();
        given_ = 0;
    }
    if (libnice_) {
        loop_.want_write(libnice_->descriptor(), !to_libnice_.empty());
    }
}

DatagramPath::Sent RelayTunnel::send(ByteView bytes, std::size_t segment) {
    if (stream_->full()) {
        was_full_ = true;
        return {};
    }
    stream_->write(channel_.frame(bytes, segment, kStreamAlignment));
    was_full_ = stream_->full();
    return {.bytes = bytes.size()};
}

} // namespace thru
