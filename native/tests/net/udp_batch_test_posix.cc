#include "net/udp_batch.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "path/loopback_socket_posix.h"

namespace thru::test {

namespace {

/// Reads datagrams that the system has joined.
struct BatchReceiver : LoopbackSocket {
    BatchReceiver() { set_receive_batching(descriptor(), true); }
};

/// Datagrams of `segment` bytes, the last one shorter, each filled with its number.
Bytes numbered(std::size_t bytes, std::size_t segment) {
    Bytes all(bytes);
    for (std::size_t at = 0; at < bytes; ++at) {
        all[at] = static_cast<std::uint8_t>(at / segment);
    }
    return all;
}

/// Receives until `bytes` have arrived; returns one element per datagram.
std::vector<Bytes> receive_all(const BatchReceiver &socket, std::size_t bytes) {
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
    const BatchReceiver receiver;
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
    const BatchReceiver receiver;
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

TEST(UdpBatch, PassesOverEmptyDatagrams) {
    const BatchReceiver receiver;
    const LoopbackSocket stranger;
    stranger.send({}, receiver);
    stranger.send({7}, receiver);
    Bytes buffer(kReceiveBatchBytes);
    Bytes received;
    const auto take = [&](ByteView bytes, std::size_t, const sockaddr &) {
        received.assign(bytes.begin(), bytes.end());
    };
    while (receive_batch(receiver.descriptor(), buffer, take) && received.empty()) {
    }
    EXPECT_EQ(received, Bytes{7});
}

TEST(UdpBatch, SaysThatNothingIsThere) {
    const BatchReceiver socket;
    Bytes buffer(kReceiveBatchBytes);
    EXPECT_FALSE(
        receive_batch(socket.descriptor(), buffer, [](ByteView, std::size_t, const sockaddr &) {
            ADD_FAILURE() << "nothing was sent";
        }));
}

} // namespace thru::test
