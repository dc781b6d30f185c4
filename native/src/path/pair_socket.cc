#include "path/pair_socket.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "path/demux.h"

namespace thru {

namespace {

/// Batches read before the loop turns to other work; one timestamp covers them.
constexpr int kBatchesPerTurn = 16;
/// A relay sends datagrams one by one. If the system joins none, each would cost a turn of the
/// loop, so datagrams within this time are read together.
constexpr Timestamp kReceiveDelay = kMillisecond / 2;
/// If nothing arrives through the channel, libnice gets the socket for twice as long each time, up
/// to this factor, so that retries become rarer.
constexpr guint kMaxFactor = 64;
/// Maximum reads before libnice gets the socket; it would take joined datagrams for one.
constexpr int kMaxDrained = 4096;

std::size_t size_of(const sockaddr &address) {
    return address.sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

} // namespace

PairSocket::PairSocket(EventLoop &loop, DatagramListener &listener, Settings settings)
    : loop_(loop), listener_(listener), settings_(std::move(settings)),
      socket_{.descriptor = settings_.descriptor}, buffer_(kReceiveBatchBytes) {
    nice_address_copy_to_sockaddr(&settings_.to, reinterpret_cast<sockaddr *>(&to_));
    to_size_ = size_of(reinterpret_cast<const sockaddr &>(to_));
    if (settings_.relayed) {
        channel_.emplace();
    }
    take();
}

PairSocket::~PairSocket() {
    if (reads_) {
        give_back();
    }
}

void PairSocket::take() {
    // Park libnice first, because it would take a joined batch for one datagram.
    settings_.set_agent_reading(false);
    set_receive_batching(socket_.descriptor, true);
    loop_.watch(socket_.descriptor, [this] { read(); });
    loop_.want_write(socket_.descriptor, full_);
    reads_ = true;
    came_through_channel_ = false;
}

void PairSocket::give_back() {
    loop_.unwatch(socket_.descriptor);
    reads_ = false;
    set_receive_batching(socket_.descriptor, false);
    settings_.set_agent_reading(true);
}

void PairSocket::lend() {
    lent_factor_ = came_through_channel_ ? 1 : std::clamp(2 * lent_factor_, 1U, kMaxFactor);
    set_receive_batching(socket_.descriptor, false);
    for (int drained = 0; drained < kMaxDrained && read_batch(); ++drained) {
    }
    lending_due_ = false;
    give_back();
    taking_back_.start(loop_, settings_.lent_ms * lent_factor_, [this] { take(); });
}

void PairSocket::read() {
    if (full_) {
        set_full(false);
        listener_.on_writable();
    }
    joined_ = false;
    for (int batch = 0; batch < kBatchesPerTurn; ++batch) {
        if (!read_batch()) {
            delay_reads_if_single();
            return;
        }
        if (lending_due_) {
            lend();
            return;
        }
    }
}

bool PairSocket::read_batch() {
    return receive_batch(socket_.descriptor, buffer_,
                         [this](ByteView bytes, std::size_t segment, const sockaddr &from) {
                             receive(bytes, segment, from);
                         });
}

void PairSocket::delay_reads_if_single() {
    const auto now = loop_.now();
    const auto before = std::exchange(read_at_, now);
    if (channel_ && !joined_ && now - before < 2 * kReceiveDelay) {
        loop_.delay_reads(socket_.descriptor, now + kReceiveDelay);
    }
}

void PairSocket::receive(ByteView bytes, std::size_t segment, const sockaddr &from) {
    if (!channel_) {
        deliver(bytes, segment, from);
        return;
    }
    joined_ = joined_ || bytes.size() > segment;
    if (from.sa_family != AF_INET && from.sa_family != AF_INET6) {
        return;
    }
    NiceAddress remote;
    nice_address_set_from_sockaddr(&remote, &from);
    if (nice_address_equal(&remote, &settings_.to) == FALSE) {
        return;
    }
    const auto next = channel_->receive(bytes, segment, [this](ByteView datagram) {
        came_through_channel_ = true;
        listener_.on_datagrams(datagram, datagram.size(), {});
    });
    lending_due_ = lending_due_ || next == RelayChannel::Next::Control;
}

void PairSocket::deliver(ByteView bytes, std::size_t segment, const sockaddr &from) {
    // STUN (keep-alives, late checks) may be mixed with QUIC datagrams in a batch.
    std::size_t run = 0;
    for (std::size_t at = 0; at < bytes.size(); at += segment) {
        if (is_quic(bytes.subspan(at))) {
            continue;
        }
        if (at > run) {
            pass_on(bytes.subspan(run, at - run), segment, from);
        }
        run = at + segment;
    }
    if (run < bytes.size()) {
        pass_on(bytes.subspan(run), segment, from);
    }
}

void PairSocket::set_full(bool full) {
    if (full != full_) {
        full_ = full;
        loop_.want_write(socket_.descriptor, full);
    }
}

void PairSocket::pass_on(ByteView bytes, std::size_t segment, const sockaddr &from) {
    const auto remote = settings_.on_received(from);
    if (remote == Remote::Unknown) {
        listener_.on_datagrams(bytes, segment, Address(from));
        return;
    }
    if (remote == Remote::Moved) {
        to_size_ = size_of(from);
        std::memcpy(&to_, &from, to_size_);
    }
    listener_.on_datagrams(bytes, segment, {});
}

DatagramPath::Sent PairSocket::send_to(const Address &to, ByteView bytes, std::size_t segment) {
    if (channel_) {
        return {.bytes = bytes.size()};
    }
    const auto sent = send_batch(socket_, bytes, segment, to.get(), to.size());
    set_full(sent.bytes < bytes.size());
    return sent;
}

DatagramPath::Sent PairSocket::send(ByteView bytes, std::size_t segment) {
    const auto *to = reinterpret_cast<const sockaddr *>(&to_);
    if (!channel_) {
        const auto sent = send_batch(socket_, bytes, segment, to, to_size_);
        set_full(sent.bytes < bytes.size());
        return sent;
    }
    const auto framed = channel_->frame(bytes, segment);
    const auto framed_segment = segment + kChannelHeaderBytes;
    auto sent = send_batch(socket_, framed, framed_segment, to, to_size_);
    set_full(sent.bytes < framed.size());
    sent.bytes = full_ ? sent.bytes / framed_segment * segment : bytes.size();
    return sent;
}

} // namespace thru
