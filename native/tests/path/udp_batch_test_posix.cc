#include "path/udp_batch.h"

#include <algorithm>
#include <vector>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace thru {

namespace {

/// A bound socket of the loopback network.
class LoopbackSocket {
public:
    LoopbackSocket() : descriptor_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        bind(descriptor_, reinterpret_cast<sockaddr *>(&address_), sizeof address_);
        socklen_t size = sizeof address_;
        getsockname(descriptor_, reinterpret_cast<sockaddr *>(&address_), &size);
        prepare_socket(descriptor_, kSocketBufferBytes);
        set_receive_batching(descriptor_, true);
    }
    ~LoopbackSocket() { ::close(descriptor_); }
    LoopbackSocket(const LoopbackSocket &) = delete;
    LoopbackSocket &operator=(const LoopbackSocket &) = delete;

    int descriptor() const { return descriptor_; }
    const sockaddr *address() const { return reinterpret_cast<const sockaddr *>(&address_); }
    bool has_come() const {
        constexpr int kMostMs = 5000;
        pollfd polled{descriptor_, POLLIN, 0};
        return poll(&polled, 1, kMostMs) == 1;
    }

private:
    int descriptor_;
    sockaddr_in address_{};
};

/// Datagrams of `segment` bytes, the last as long as is left, each with its number in all its
/// bytes.
Bytes numbered(std::size_t bytes, std::size_t segment) {
    Bytes all(bytes);
    for (std::size_t at = 0; at < bytes; ++at) {
        all[at] = static_cast<std::uint8_t>(at / segment);
    }
    return all;
}

/// Everything that comes until `bytes` are there, one element for each datagram.
std::vector<Bytes> receive_all(const LoopbackSocket &socket, std::size_t bytes) {
    Bytes buffer(kReceiveBatchBytes);
    std::vector<Bytes> datagrams;
    for (std::size_t received = 0; received < bytes && socket.has_come();) {
        receive_batch(socket.descriptor(), buffer,
                      [&](ByteView run, std::size_t segment, const sockaddr &) {
                          received += run.size();
                          for (std::size_t at = 0; at < run.size(); at += segment) {
                              const auto one = run.subspan(at, std::min(segment, run.size() - at));
                              datagrams.emplace_back(one.begin(), one.end());
                          }
                      });
    }
    return datagrams;
}

} // namespace

TEST(UdpBatch, ArrivesAsTheDatagramsThatItWasMadeOf) {
    constexpr std::size_t kSegment = 1200;
    constexpr std::size_t kBytes = 43 * kSegment + 7;
    const LoopbackSocket receiver;
    const LoopbackSocket sender;
    BatchSocket sending{.descriptor = sender.descriptor()};
    const auto burst = numbered(kBytes, kSegment);
    const auto sent = send_batch(sending, burst, kSegment, receiver.address(), sizeof(sockaddr_in));
    EXPECT_EQ(sent.bytes, kBytes);
    EXPECT_FALSE(sent.too_large);

    const auto datagrams = receive_all(receiver, kBytes);
    ASSERT_EQ(datagrams.size(), 44u);
    for (std::size_t index = 0; index < datagrams.size(); ++index) {
        EXPECT_EQ(datagrams[index],
                  Bytes(index == 43 ? 7 : kSegment, static_cast<std::uint8_t>(index)));
    }
}

TEST(UdpBatch, KeepsDatagramsOfDifferentLengthsApart) {
    const LoopbackSocket receiver;
    const LoopbackSocket sender;
    BatchSocket sending{.descriptor = sender.descriptor()};
    std::vector<Bytes> expected;
    std::size_t bytes = 0;
    for (const std::size_t size : {1400u, 20u, 1400u, 8952u, 1u}) {
        expected.emplace_back(size, static_cast<std::uint8_t>(expected.size() + 1));
        bytes += size;
        const auto sent =
            send_batch(sending, expected.back(), size, receiver.address(), sizeof(sockaddr_in));
        EXPECT_EQ(sent.bytes, size);
    }
    EXPECT_EQ(receive_all(receiver, bytes), expected);
}

TEST(UdpBatch, SaysThatNothingIsThere) {
    const LoopbackSocket socket;
    Bytes buffer(kReceiveBatchBytes);
    EXPECT_FALSE(
        receive_batch(socket.descriptor(), buffer, [](ByteView, std::size_t, const sockaddr &) {
            ADD_FAILURE() << "nothing was sent";
        }));
}

} // namespace thru
