// Information that a sender's computer exposes to a receiver without proof.
#include <netinet/in.h>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "engine/hostile/hostile_share.h"
#include "engine/hostile/stranger.h"

namespace thru {
namespace {

/// Counts UDP sockets of this process, which any answer or STUN request would need.
int udp_sockets() {
    constexpr int kMaxDescriptors = 1024;
    int count = 0;
    for (int descriptor = 0; descriptor < kMaxDescriptors; ++descriptor) {
        int type = 0;
        socklen_t size = sizeof type;
        sockaddr_storage address{};
        socklen_t address_size = sizeof address;
        if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM &&
            getsockname(descriptor, reinterpret_cast<sockaddr *>(&address), &address_size) == 0 &&
            (address.ss_family == AF_INET || address.ss_family == AF_INET6)) {
            ++count;
        }
    }
    return count;
}

using UnprovenReceiver = HostileShare;

TEST_F(UnprovenReceiver, FindsNoSocketOfTheSenderAndHearsOfNoCandidate) {
    pair().write_source("a.bin", kFileBytes);
    share();
    const auto before = udp_sockets();
    Stranger guessing(pair(), "guessing", wrong_words());
    Stranger knowing(pair(), "knowing", right_words());
    for (auto *each : {&knowing, &guessing}) {
        each->knock();
        ASSERT_TRUE(each->hear()) << "the sender's share";
    }
    guessing.speak();
    EXPECT_EQ(guessing.refusal(), ErrorCode::CodeMismatch);
    // Sockets of earlier tests may be closed meanwhile.
    const auto unproven = udp_sockets();
    EXPECT_LE(unproven, before);
    EXPECT_TRUE(guessing.heard_nothing() && knowing.heard_nothing());

    knowing.speak();
    ASSERT_TRUE(knowing.hear()) << "the sender's proof";
    EXPECT_GT(udp_sockets(), unproven);
}

} // namespace
} // namespace thru
