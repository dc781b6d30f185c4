// A STUN server on this computer (RFC 8489), for tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "path/ice_path.h"
#include "support/local_server_posix.h"

namespace thru::test {

class LocalStun : public LocalServer {
public:
    StunServer place() const { return {.host = host(), .port = port()}; }

    /// True if a binding request (RFC 8489 section 5) has arrived, or arrives in time.
    bool is_asked() const {
        std::array<std::uint8_t, 2> type{};
        return was_asked() && recv(socket(), type.data(), type.size(), 0) == 2 && type[0] == 0 &&
               type[1] == 1;
    }
    /// Answers a waiting request: its sender was seen at `kSeen`.
    void answer() const {
        constexpr std::size_t kTransactionAt = 4;
        constexpr std::size_t kTransactionBytes = 16;
        constexpr std::size_t kMaxBytes = 100;
        // A success response with MAPPED-ADDRESS, which takes twelve bytes for IPv4.
        std::array<std::uint8_t, 32> success{1, 1, 0, 12, 0,   0,  0,   0, 0,   0, 0,
                                             0, 0, 0, 0,  0,   0,  0,   0, 0,   0, 1,
                                             0, 8, 0, 1,  195, 80, 203, 0, 113, 7};
        std::array<std::uint8_t, kMaxBytes> question{};
        sockaddr_in from{};
        socklen_t size = sizeof from;
        auto *const sender = reinterpret_cast<sockaddr *>(&from);
        if (recvfrom(socket(), question.data(), question.size(), MSG_DONTWAIT, sender, &size) > 0) {
            std::copy_n(question.begin() + kTransactionAt, kTransactionBytes,
                        success.begin() + kTransactionAt);
            sendto(socket(), success.data(), success.size(), 0, sender, size);
        }
    }
    /// The part of the candidate line with this address.
    static constexpr std::string_view kSeen = " 203.0.113.7 50000 typ srflx";
};

} // namespace thru::test
