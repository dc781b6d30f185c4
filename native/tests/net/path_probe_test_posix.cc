#include "net/path_probe.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thru {
namespace {

using Datagram = std::span<std::uint8_t>;

/// A STUN server: `answer` turns a request into its response; it stays silent on false.
class Server {
public:
    explicit Server(std::function<bool(Datagram)> answer) : answer_(std::move(answer)) {
        socket_ = socket(AF_INET, SOCK_DGRAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address);
        socklen_t size = sizeof address;
        getsockname(socket_, reinterpret_cast<sockaddr *>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    ~Server() {
        // An empty datagram ends the thread.
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port_);
        sendto(socket_, nullptr, 0, 0, reinterpret_cast<sockaddr *>(&address), sizeof address);
        thread_.join();
        close(socket_);
    }
    Server(const Server &) = delete;
    Server &operator=(const Server &) = delete;

    std::uint16_t port() const { return port_; }

private:
    void run() {
        std::array<std::uint8_t, 4096> bytes{};
        for (;;) {
            sockaddr_storage from{};
            socklen_t size = sizeof from;
            const auto read = recvfrom(socket_, bytes.data(), bytes.size(), 0,
                                       reinterpret_cast<sockaddr *>(&from), &size);
            if (read <= 0) {
                return;
            }
            if (answer_(Datagram(bytes).first(static_cast<std::size_t>(read)))) {
                sendto(socket_, bytes.data(), 20, 0, reinterpret_cast<sockaddr *>(&from), size);
            }
        }
    }

    std::function<bool(Datagram)> answer_;
    int socket_ = -1;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

bool succeed(Datagram request) {
    request[0] = 0x01;
    request[2] = request[3] = 0;
    return true;
}

constexpr std::array<std::uint16_t, 4> kSizes{1452, 1280, 1200, 200};
constexpr std::chrono::milliseconds kShort{80};

TEST(PathProbe, FindsTheLargestSizeThatIsAnswered) {
    Server whole(succeed);
    EXPECT_EQ(largest_datagram("127.0.0.1", whole.port(), kSizes, std::chrono::seconds(10)), 1452);
    Server narrow([](Datagram request) { return request.size() <= 1280 && succeed(request); });
    EXPECT_EQ(largest_datagram("127.0.0.1", narrow.port(), kSizes, std::chrono::seconds(1)), 1280);
}

TEST(PathProbe, CountsARefusalAsAnAnswer) {
    Server refusing([](Datagram request) {
        succeed(request);
        request[1] = 0x11;
        return true;
    });
    EXPECT_EQ(largest_datagram("127.0.0.1", refusing.port(), kSizes, std::chrono::seconds(10)),
              1452);
}

TEST(PathProbe, AsksAgainForWhatGotLost) {
    int requests = 0;
    Server lossy([&requests](Datagram request) { return ++requests > 4 && succeed(request); });
    EXPECT_EQ(largest_datagram("127.0.0.1", lossy.port(), kSizes, std::chrono::seconds(2)), 1452);
}

TEST(PathProbe, BelievesNoAnswerToAnotherQuestion) {
    Server other([](Datagram request) {
        succeed(request);
        request[8] ^= 1;
        return true;
    });
    EXPECT_EQ(largest_datagram("127.0.0.1", other.port(), kSizes, kShort), 0);
    Server beyond([](Datagram request) {
        succeed(request);
        request[19] = 200;
        return true;
    });
    EXPECT_EQ(largest_datagram("127.0.0.1", beyond.port(), kSizes, kShort), 0);
}

TEST(PathProbe, IsOverInTimeWhereNobodyAnswers) {
    Server silent([](Datagram) { return false; });
    EXPECT_EQ(largest_datagram("127.0.0.1", silent.port(), kSizes, kShort), 0);
    EXPECT_EQ(largest_datagram("a name", 3478, kSizes, kShort), 0);
    EXPECT_EQ(largest_datagram("127.0.0.1", silent.port(), {}, kShort), 0);
    constexpr std::array<std::uint16_t, 1> kOdd{1201};
    EXPECT_EQ(largest_datagram("127.0.0.1", silent.port(), kOdd, kShort), 0);
}

TEST(PathProbe, SaysWhatTheSystemGrants) {
    const auto granted = granted_buffers(1 << 16);
    EXPECT_GE(granted.receive, 1U << 15);
    EXPECT_GE(granted.send, 1U << 15);
}

} // namespace
} // namespace thru
