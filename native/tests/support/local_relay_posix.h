// A relay of this computer that hears who asks it, and answers nobody, for tests.
#pragma once

#include <array>
#include <chrono>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "path/ice_path.h"
#include "support/patience.h"

namespace thru::test {

class LocalRelay {
public:
    LocalRelay() : socket_(::socket(AF_INET, SOCK_DGRAM, 0)), address_(own()) {
        bind(socket_, reinterpret_cast<sockaddr *>(&address_), sizeof address_);
        socklen_t size = sizeof address_;
        getsockname(socket_, reinterpret_cast<sockaddr *>(&address_), &size);
    }
    ~LocalRelay() { ::close(socket_); }
    LocalRelay(const LocalRelay &) = delete;
    LocalRelay &operator=(const LocalRelay &) = delete;

    TurnServer server() const {
        std::array<char, INET_ADDRSTRLEN> host{};
        inet_ntop(AF_INET, &address_.sin_addr, host.data(), host.size());
        return {
            .host = host.data(), .port = ntohs(address_.sin_port), .user = "u", .password = "p"};
    }
    /// Whether somebody has asked, or does in time.
    bool was_asked(std::chrono::milliseconds within = patience(std::chrono::seconds(20))) const {
        pollfd polled{socket_, POLLIN, 0};
        return poll(&polled, 1, static_cast<int>(within.count())) == 1;
    }

private:
    /// Where agents of this computer get to: each sends by the interface whose address it has,
    /// which does not lead to the loopback.
    static sockaddr_in own() {
        constexpr std::uint16_t kAnyPort = 9;
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(kAnyPort);
        inet_pton(AF_INET, "198.51.100.1", &address.sin_addr);
        const int probe = ::socket(AF_INET, SOCK_DGRAM, 0);
        socklen_t size = sizeof address;
        // Nothing is sent.
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
