#include <algorithm>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buffer_pool.h"
#include "base/bytes.h"
#include "parts/part.h"
#include "quic_loopback.h"
#include "wire/segment.h"

namespace thru::bench {

namespace {

/// A TCP connection over loopback.
struct TcpEnds {
    TcpEnds() {
        const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto *const any = reinterpret_cast<sockaddr *>(&address);
        sender = ::socket(AF_INET, SOCK_STREAM, 0);
        const bool connected = ::bind(listener, any, size) == 0 && ::listen(listener, 1) == 0 &&
                               ::getsockname(listener, any, &size) == 0 &&
                               ::connect(sender, any, size) == 0;
        receiver = connected ? ::accept(listener, nullptr, nullptr) : -1;
        ::close(listener);
        demand(receiver >= 0, "TCP over loopback is refused");
    }
    ~TcpEnds() {
        ::close(sender);
        ::close(receiver);
    }
    TcpEnds(const TcpEnds &) = delete;
    TcpEnds &operator=(const TcpEnds &) = delete;

    int sender = -1;
    int receiver = -1;
};

void send_over_tcp(std::uint64_t bytes) {
    const TcpEnds ends;
    std::thread receiving([&] {
        Bytes chunk(kChunkBytes);
        for (std::uint64_t left = bytes; left > 0;) {
            const auto got = ::recv(ends.receiver, chunk.data(), chunk.size(), 0);
            demand(got > 0, "TCP over loopback has ended");
            left -= static_cast<std::uint64_t>(got);
        }
    });
    const Bytes chunk(kChunkBytes, std::uint8_t{7});
    for (std::uint64_t left = bytes; left > 0;) {
        const auto took = ::send(ends.sender, chunk.data(),
                                 std::min<std::uint64_t>(left, chunk.size()), MSG_NOSIGNAL);
        demand(took > 0, "TCP over loopback has ended");
        left -= static_cast<std::uint64_t>(took);
    }
    receiving.join();
}

Ready prepare_quic(std::uint64_t amount) {
    const std::uint64_t bytes = (amount + kSegmentBytes - 1) / kSegmentBytes * kSegmentBytes;
    return {
        .amount = bytes,
        .run =
            [bytes] { return timed([&] { send_over_loopback(bytes, CongestionControl::Cubic); }); },
        .limit = [bytes] { return timed([&] { send_over_tcp(bytes); }); }};
}

} // namespace

const Part kQuic{.name = "quic",
                 .what = "a QUIC connection over loopback, memory to memory, by two threads",
                 .unit = "B",
                 .limit = "plain TCP over loopback",
                 .amount = 2ULL << 30,
                 .prepare = prepare_quic};

} // namespace thru::bench
