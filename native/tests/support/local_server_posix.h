// A bound UDP socket that receives the requests of this computer's agents, for tests.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/patience.h"

namespace thru::test {

class LocalServer {
public:
    LocalServer() : socket_(::socket(AF_INET, SOCK_DGRAM, 0)), address_(own()) {
        bind(socket_, reinterpret_cast<sockaddr *>(&address_), sizeof address_);
        socklen_t size = sizeof address_;
        getsockname(socket_, reinterpret_cast<sockaddr *>(&address_), &size);
    }
    ~LocalServer() { ::close(socket_); }
    LocalServer(const LocalServer &) = delete;
    LocalServer &operator=(const LocalServer &) = delete;

    std::string host() const {
        std::array<char, INET_ADDRSTRLEN> host{};
        inet_ntop(AF_INET, &address_.sin_addr, host.data(), host.size());
        return host.data();
    }
    std::uint16_t port() const { return ntohs(address_.sin_port); }
    /// True if a request has arrived, or arrives in time.
    bool was_asked(std::chrono::milliseconds within = patience(std::chrono::seconds(20))) const {
        pollfd polled{socket_, POLLIN, 0};
        return poll(&polled, 1, static_cast<int>(within.count())) == 1;
    }

protected:
    int socket() const { return socket_; }

private:
    /// Each agent sends from the interface with its address, which does not reach the loopback.
    static sockaddr_in own() {
        constexpr std::uint16_t kAnyPort = 9;
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(kAnyPort);
        inet_pton(AF_INET, "198.51.100.1", &address.sin_addr);
        const int probe = ::socket(AF_INET, SOCK_DGRAM, 0);
        socklen_t size = sizeof address;
        // Sends nothing.
        if (connect(probe, reinterpret_cast<const sockaddr *>(&address), size) != 0 ||
            getsockname(probe, reinterpret_cast<sockaddr *>(&address), &size) != 0) {
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        }
        ::close(probe);
        address.sin_port = 0;
        return address;
    }

    int socket_;
    sockaddr_in address_;
};

} // namespace thru::test
