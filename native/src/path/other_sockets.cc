#include "path/other_sockets.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "path/demux.h"

namespace thru {

namespace {

constexpr int kReadsPerTurn = 16;

std::size_t bytes_of(const sockaddr &address) {
    return address.sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
}

} // namespace

OtherSockets::OtherSockets(EventLoop &loop, DatagramListener &listener, Settings settings)
    : loop_(loop), listener_(listener), is_known_peer_(std::move(settings.is_known_peer)),
      buffer_(kReceiveBatchBytes) {
    // The watches below keep pointers to the elements.
    others_.reserve(settings.descriptors.size());
    for (const auto descriptor : settings.descriptors) {
        auto &other = others_.emplace_back(Other{.socket = {.descriptor = descriptor}});
        set_receive_batching(descriptor, true);
        loop_.watch(descriptor, [this, &other] { read(other); });
    }
}

OtherSockets::~OtherSockets() {
    for (const auto &other : others_) {
        loop_.unwatch(other.socket.descriptor);
        set_receive_batching(other.socket.descriptor, false);
    }
}

void OtherSockets::read(Other &other) {
    if (other.full) {
        set_full(other, false);
        listener_.on_writable();
    }
    const auto take = [&](ByteView bytes, std::size_t segment, const sockaddr &from) {
        receive(other, bytes, segment, from);
    };
    for (int batch = 0; batch < kReadsPerTurn; ++batch) {
        if (!receive_batch(other.socket.descriptor, buffer_, take)) {
            return;
        }
    }
}

void OtherSockets::receive(Other &other, ByteView bytes, std::size_t segment,
                           const sockaddr &from) {
    if (!is_known_peer_(from)) {
        return;
    }
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(segment, bytes.size()))) {
        const auto datagram = bytes.first(std::min(segment, bytes.size()));
        if (!is_quic(datagram)) {
            continue;
        }
        other.from_size = bytes_of(from);
        std::memcpy(&other.from, &from, other.from_size);
        received_ = &other;
        listener_.on_datagrams(datagram, datagram.size(), {});
    }
}

bool OtherSockets::abandon(const sockaddr &from) {
    const bool known = is_known_peer_(from);
    if (known) {
        received_ = nullptr;
    }
    return known;
}

bool is_among(std::span<const NiceAddress> known, const sockaddr &from) {
    if (from.sa_family != AF_INET && from.sa_family != AF_INET6) {
        return false;
    }
    NiceAddress address;
    nice_address_set_from_sockaddr(&address, &from);
    return std::ranges::any_of(known, [&](const NiceAddress &each) {
        return nice_address_equal(&each, &address) != FALSE;
    });
}

void OtherSockets::set_full(Other &other, bool full) {
    if (full != other.full) {
        other.full = full;
        loop_.want_write(other.socket.descriptor, full);
    }
}

DatagramPath::Sent OtherSockets::send(ByteView bytes, std::size_t segment) {
    const auto sent =
        send_batch(received_->socket, bytes, segment,
                   reinterpret_cast<const sockaddr *>(&received_->from), received_->from_size);
    set_full(*received_, sent.bytes < bytes.size());
    return sent;
}

} // namespace thru
