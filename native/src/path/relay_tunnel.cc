#include "path/relay_tunnel.h"

#include <utility>

#include "base/byte_reader.h"
#include "path/first_byte.h"

namespace thru {

namespace {

constexpr std::size_t kTunnelReadBytes = 128 * 1024;
/// Reads before the loop turns to other work.
constexpr int kTunnelReadsPerTurn = 8;
/// Bytes that may wait for libnice, which reads whenever its loop runs; more than that is lost, as
/// datagrams may be.
constexpr std::size_t kMostForLibnice = 1 << 20;

} // namespace

RelayTunnel::RelayTunnel(EventLoop &loop, std::unique_ptr<TcpSocket> libnice,
                         const TurnServer &server)
    : loop_(loop), libnice_(std::move(libnice)), buffer_(kTunnelReadBytes),
      stream_(loop, server, [this] { read_server(); }) {
    loop_.watch(libnice_->descriptor(), [this] { read_libnice(); });
}

RelayTunnel::~RelayTunnel() { close_libnice(); }

void RelayTunnel::close_libnice() {
    if (libnice_) {
        loop_.unwatch(libnice_->descriptor());
        libnice_.reset();
    }
}

/// Its messages go between ours, never into one.
void RelayTunnel::read_libnice() {
    send_given();
    if (stream_.over()) {
        close_libnice();
        return;
    }
    const auto got = libnice_->read(buffer_);
    if (!got || !from_libnice_.receive(ByteView{buffer_}.first(*got),
                                       [this](ByteView frame) { stream_.write(frame); })) {
        close_libnice();
    }
}

void RelayTunnel::read_server() {
    for (int turn = 0; turn < kTunnelReadsPerTurn && !stream_.over(); ++turn) {
        const auto got = stream_.read(buffer_);
        if (got == 0) {
            break;
        }
        const auto understood = from_server_.receive(ByteView{buffer_}.first(got),
                                                     [this](ByteView frame) { receive(frame); });
        if (!understood) {
            close_libnice();
            return;
        }
    }
    if (stream_.over()) {
        // libnice, and QUIC by its time limit, learn that it is gone.
        close_libnice();
        return;
    }
    send_given();
    if (std::exchange(was_full_, stream_.full()) && !stream_.full() && listener_ != nullptr) {
        listener_->on_writable();
    }
}

void RelayTunnel::receive(ByteView frame) {
    if (listener_ == nullptr) {
        give(frame);
        return;
    }
    const auto message = parse_channel_data(frame);
    const bool quic = message && is_quic(message->data);
    const auto next = channel_.receive(frame, frame.size(), [this](ByteView datagram) {
        heard_at_ = loop_.now();
        listener_->on_datagrams(datagram, datagram.size(), {});
    });
    if (!quic || next == RelayChannel::Next::Control) {
        give(frame);
    }
}

void RelayTunnel::give(ByteView frame) {
    if (libnice_ && to_libnice_.size() + frame.size() <= kMostForLibnice) {
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
    if (stream_.full()) {
        was_full_ = true;
        return {};
    }
    stream_.write(channel_.frame(bytes, segment, kStreamAlignment));
    was_full_ = stream_.full();
    return {.bytes = bytes.size()};
}

} // namespace thru
