#include "net/udp_batch.h"

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include "path/loopback_socket_posix.h"

namespace thru {
namespace {

/// Segmentation needs checksums. Without them the kernel refuses a burst with EINVAL, as do drivers
/// that can't segment.
TEST(UdpBatch, ABurstThatIsAnInvalidArgumentGoesOutOneByOne) {
    constexpr std::size_t kSegment = 1200;
    const test::LoopbackSocket receiver;
    const test::LoopbackSocket sender;
    const int on = 1;
    ASSERT_EQ(setsockopt(sender.descriptor(), SOL_SOCKET, SO_NO_CHECK, &on, sizeof on), 0);
    BatchSocket sending{.descriptor = sender.descriptor()};
    const Bytes burst(2 * kSegment + 7, 0x45);
    const auto sent = send_batch(sending, burst, kSegment, receiver.address(), sizeof(sockaddr_in));
    EXPECT_EQ(sent.bytes, burst.size());
    EXPECT_FALSE(sent.too_large);
    EXPECT_FALSE(sending.segmentation);
    Bytes buffer(kReceiveBatchBytes);
    for (const std::size_t size : {kSegment, kSegment, std::size_t{7}}) {
        ASSERT_TRUE(receiver.has_come());
        receive_batch(
            receiver.descriptor(), buffer,
            [&](ByteView bytes, std::size_t, const sockaddr &) { EXPECT_EQ(bytes.size(), size); });
    }
}

} // namespace
} // namespace thru
