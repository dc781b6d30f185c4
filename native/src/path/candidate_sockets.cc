#include "path/candidate_sockets.h"

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

CandidateSockets::CandidateSockets(EventLoop &loop, DatagramListener &listener, Settings settings)
    : loop_(loop), listener_(listener), is_known_peer_(std::move(settings.is_known_peer)),
      buffer_(kReceiveBatchBytes) {
    // The watches below keep pointers to the elements.
    candidates_.reserve(settings.descriptors.size());
    for (const auto descriptor : settings.descriptors) {
        auto &candidate = candidates_.emplace_back(Candidate{.socket = {.descriptor = descriptor}});
        set_receive_batching(descriptor, true);
        loop_.watch(descriptor, [this, &candidate] { read(candidate); });
    }
}

CandidateSockets::~CandidateSockets() {
    for (const auto &candidate : candidates_) {
        loop_.unwatch(candidate.socket.descriptor);
        set_receive_batching(candidate.socket.descriptor, false);
    }
}

void CandidateSockets::read(Candidate &candidate) {
    if (candidate.full) {
        set_full(candidate, false);
        listener_.on_writable();
    }
    const auto take = [&](ByteView bytes, std::size_t segment, const sockaddr &from) {
        receive(candidate, bytes, segment, from);
    };
    for (int batch = 0; batch < kReadsPerTurn; ++batch) {
        if (!receive_batch(candidate.socket.descriptor, buffer_, take)) {
            return;
        }
    }
}

void CandidateSockets::receive(Candidate &candidate, ByteView bytes, std::size_t segment,
                               const sockaddr &from) {
    if (!is_known_peer_(from)) {
        return;
    }
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(segment, bytes.size()))) {
        const auto datagram = bytes.first(std::min(segment, bytes.size()));
        if (!is_quic(datagram)) {
            continue;
        }
        candidate.from_size = bytes_of(from);
        std::memcpy(&candidate.from, &from, candidate.from_size);
        received_ = &candidate;
        listener_.on_datagrams(datagram, datagram.size(), {});
    }
}

bool CandidateSockets::abandon(const sockaddr &from) {
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

void CandidateSockets::set_full(Candidate &candidate, bool full) {
    if (full != candidate.full) {
        candidate.full = full;
        loop_.want_write(candidate.socket.descriptor, full);
    }
}

DatagramPath::Sent CandidateSockets::send(ByteView bytes, std::size_t segment) {
    const auto sent =
        send_batch(received_->socket, bytes, segment,
                   reinterpret_cast<const sockaddr *>(&received_->from), received_->from_size);
    set_full(*received_, sent.bytes < bytes.size());
    return sent;
}

} // namespace thru
