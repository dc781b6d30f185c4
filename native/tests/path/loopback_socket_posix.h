// A bound UDP socket of the loopback network, for tests that send and read batches.
#pragma once

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bytes.h"
#include "net/udp_batch.h"

namespace thru::test {

class LoopbackSocket {
public:
    LoopbackSocket() : descriptor_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(descriptor_, reinterpret_cast<sockaddr *>(&address_), sizeof address_);
        socklen_t size = sizeof address_;
        getsockname(descriptor_, reinterpret_cast<sockaddr *>(&address_), &size);
        prepare_socket(descriptor_, kSocketBufferBytes);
    }
    ~LoopbackSocket() { ::close(descriptor_); }
    LoopbackSocket(const LoopbackSocket &) = delete;
    LoopbackSocket &operator=(const LoopbackSocket &) = delete;

    int descriptor() const { return descriptor_; }
    const sockaddr *address() const { return reinterpret_cast<const sockaddr *>(&address_); }

    void send(const Bytes &datagram, const LoopbackSocket &to) const {
        EXPECT_EQ(
            sendto(descriptor_, datagram.data(), datagram.size(), 0, to.address(), sizeof address_),
            static_cast<ssize_t>(datagram.size()));
    }
    /// Waits up to five seconds for a datagram; true if one has arrived.
    bool has_come() const {
        constexpr int kMaxMs = 5000;
        pollfd polled{descriptor_, POLLIN, 0};
        return poll(&polled, 1, kMaxMs) == 1;
    }
    /// The next datagram; empty if none has arrived.
    Bytes next() const {
        Bytes datagram(kReceiveBatchBytes);
        const auto size = recv(descriptor_, datagram.data(), datagram.size(), MSG_DONTWAIT);
        datagram.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
        return datagram;
    }

private:
    int descriptor_;
    sockaddr_in address_{};
};

} // namespace thru::test
