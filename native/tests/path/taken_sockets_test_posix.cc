// What an ICE path hears once it reads its sockets itself.
#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <arpa/inet.h>

#include "path/ice_path.h"
#include "path/loopback_socket_posix.h"
#include "support/turn_messages.h"

namespace thru {
namespace {

using test::kQuicByte;
using test::LoopbackSocket;

const IceCredentials kOne{.ufrag = "00000001",
                          .pwd = SecretText("00112233445566778899aabbccddeeff")};
const IceCredentials kOther{.ufrag = "00000002",
                            .pwd = SecretText("ffeeddccbbaa99887766554433221100")};

class Agent final : public IceListener {
public:
    Agent(EventLoop &loop, bool controlling)
        : path(IcePath::create(loop, {}, controlling, *this).value()) {
        EXPECT_TRUE(path->gather());
    }

    void on_local_candidate(std::string_view line) override { candidates.emplace_back(line); }
    void on_local_candidates_done() override { gathered = true; }
    void on_ice_ready() override {}
    void on_ice_failed() override { ADD_FAILURE(); }
    void on_datagrams(ByteView, std::size_t, const Address &from) override { heard = from; }
    void on_writable() override {}

    std::vector<std::string> candidates;
    bool gathered = false;
    /// Where the last datagram came from; empty for where one is expected from.
    std::optional<Address> heard;
    std::unique_ptr<IcePath> path;
};

/// Of a candidate of IPv4.
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

template <class Condition> bool run_until(EventLoop &loop, Condition done) {
    constexpr Timestamp kMost = 20 * kSecond;
    const auto end = loop.now() + kMost;
    while (!done() && loop.now() < end) {
        loop.run_once(loop.now() + 20 * kMillisecond);
    }
    return done();
}

} // namespace

// The first pair that works is used at once: the sender may write from another of its addresses,
// whose candidate comes only now.
TEST(TakenSockets, ExpectWhoseCandidateComesAfterwards) {
    EventLoop loop;
    loop.prepare_thread();
    {
        Agent sender(loop, true);
        Agent receiver(loop, false);
        ASSERT_TRUE(receiver.path->set_credentials(kOther, kOne));
        ASSERT_TRUE(sender.path->set_credentials(kOne, kOther));
        ASSERT_TRUE(run_until(loop, [&] { return sender.gathered && receiver.gathered; }));
        const auto line = std::ranges::find_if(
            receiver.candidates, [](const auto &each) { return address_of(each).has_value(); });
        ASSERT_NE(line, receiver.candidates.end());
        sender.path->add_remote_candidate(*line);
        ASSERT_TRUE(run_until(loop, [&] { return receiver.path->ready(); }));
        receiver.path->take_socket();

        const LoopbackSocket late;
        const auto from = ntohs(reinterpret_cast<const sockaddr_in *>(late.address())->sin_port);
        receiver.path->add_remote_candidate("candidate:9 1 UDP 1 127.0.0.1 " +
                                            std::to_string(from) + " typ host");
        const auto to = *address_of(*line);
        const Bytes datagram(20, kQuicByte);
        ASSERT_EQ(sendto(late.descriptor(), datagram.data(), datagram.size(), 0,
                         reinterpret_cast<const sockaddr *>(&to), sizeof to),
                  static_cast<ssize_t>(datagram.size()));
        ASSERT_TRUE(run_until(loop, [&] { return receiver.heard.has_value(); }));
        EXPECT_TRUE(receiver.heard->empty());
    }
    EXPECT_TRUE(run_until(loop, [&] { return !loop.has_pending(); }));
}

} // namespace thru
