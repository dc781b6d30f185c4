// Datagrams that an ICE path receives once it reads its sockets itself.
#include <algorithm>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <arpa/inet.h>

#include "path/loopback_socket_posix.h"
#include "support/ice_agent.h"
#include "support/run_until.h"
#include "support/turn_messages.h"

namespace thru::test {
namespace {

/// The address of an IPv4 candidate.
std::optional<sockaddr_in> address_of(const std::string &line) {
    // RFC 8839 section 5.1: foundation, component, transport, priority, address, port.
    std::istringstream fields(line);
    std::string skipped;
    std::string address;
    std::uint16_t port = 0;
    fields >> skipped >> skipped >> skipped >> skipped >> address >> port;
    sockaddr_in found{};
    found.sin_family = AF_INET;
    found.sin_port = htons(port);
    return inet_pton(AF_INET, address.c_str(), &found.sin_addr) == 1 ? std::optional(found)
                                                                     : std::nullopt;
}

} // namespace

// The first pair that works is used immediately: the sender may write from another of its
// addresses, whose candidate arrives only later.
TEST(DetachedSockets, ExpectWhoseCandidateComesAfterwards) {
    EventLoop loop;
    loop.prepare_thread();
    {
        IceAgent sender(loop, true);
        IceAgent receiver(loop, false);
        ASSERT_TRUE(receiver.path().set_credentials(kOther, kOne));
        ASSERT_TRUE(sender.path().set_credentials(kOne, kOther));
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered() && receiver.gathered(); }));
        const auto line = std::ranges::find_if(
            receiver.candidates(), [](const auto &each) { return address_of(each).has_value(); });
        ASSERT_NE(line, receiver.candidates().end());
        sender.path().add_remote_candidate(*line);
        ASSERT_TRUE(run_until(loop, [&] { return receiver.path().ready(); }));
        receiver.path().carriers().settle(false);

        const LoopbackSocket late;
        const auto from = ntohs(reinterpret_cast<const sockaddr_in *>(late.address())->sin_port);
        receiver.path().add_remote_candidate("candidate:9 1 UDP 1 127.0.0.1 " +
                                             std::to_string(from) + " typ host");
        const auto to = *address_of(*line);
        const Bytes datagram(20, kQuicByte);
        ASSERT_EQ(sendto(late.descriptor(), datagram.data(), datagram.size(), 0,
                         reinterpret_cast<const sockaddr *>(&to), sizeof to),
                  static_cast<ssize_t>(datagram.size()));
        ASSERT_TRUE(run_until(loop, [&] { return receiver.heard().has_value(); }));
        EXPECT_TRUE(receiver.heard()->empty());
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

} // namespace thru::test
