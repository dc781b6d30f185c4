// Bulk rate of a path without an application protocol: TCP data as the kernel sends it, or
// datagrams that the kernel segments (UDP_SEGMENT).
//   raw receive tcp|udp <port> <seconds>
//   raw send tcp|udp <address> <port> <bytes> <bit/s on the wire, or 0> <bytes of a datagram>
//
// The receiver prints "ready", and finally the bytes and the seconds from first to last as JSON. It
// ends after the given seconds, when the sender closes the connection, or after a silence.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kSocketBytes = 8 << 20;
/// Maximum bytes of one call with UDP_SEGMENT.
constexpr std::size_t kMaxPerCall = 65'000;
constexpr std::size_t kStreamCall = 1 << 20;
constexpr double kIpAndUdp = 28;
constexpr timeval kSilence{.tv_sec = 2, .tv_usec = 0};
constexpr timeval kPatience{.tv_sec = 20, .tv_usec = 0};

[[noreturn]] void give_up(const char *what) {
    std::perror(what);
    std::exit(1);
}

void demand(bool is_right, const char *what) {
    if (!is_right) {
        give_up(what);
    }
}

sockaddr_in address_of(const char *address, const char *port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
    demand(inet_pton(AF_INET, address, &made.sin_addr) == 1, address);
    return made;
}

const sockaddr *generic(const sockaddr_in &address) {
    return reinterpret_cast<const sockaddr *>(&address);
}

void set(int descriptor, int level, int option, int value) {
    setsockopt(descriptor, level, option, &value, sizeof value);
}

void wait_at_most(int descriptor, const timeval &time) {
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

int open_socket(bool is_tcp) {
    const int made = socket(AF_INET, is_tcp ? SOCK_STREAM : SOCK_DGRAM, 0);
    demand(made >= 0, "socket");
    if (!is_tcp) {
        set(made, SOL_SOCKET, SO_RCVBUFFORCE, kSocketBytes);
        set(made, SOL_SOCKET, SO_SNDBUFFORCE, kSocketBytes);
    }
    return made;
}

int receive_all(bool is_tcp, const char *port, double most_seconds) {
    int from = open_socket(is_tcp);
    set(from, SOL_SOCKET, SO_REUSEADDR, 1);
    const auto here = address_of("0.0.0.0", port);
    demand(bind(from, generic(here), sizeof here) == 0, "bind");
    wait_at_most(from, kPatience);
    if (is_tcp) {
        demand(listen(from, 1) == 0, "listen");
    } else {
        set(from, IPPROTO_UDP, UDP_GRO, 1);
    }
    std::puts("ready");
    std::fflush(stdout);
    if (is_tcp) {
        from = accept(from, nullptr, nullptr);
        demand(from >= 0, "accept");
    }
    std::vector<char> buffer(kStreamCall);
    unsigned long long bytes = 0;
    Clock::time_point begun;
    Clock::time_point last;
    for (;;) {
        const auto got = recv(from, buffer.data(), buffer.size(), 0);
        if (got <= 0) {
            break;
        }
        last = Clock::now();
        if (begun == Clock::time_point{}) {
            // Bytes from before the clock started don't count.
            begun = last;
            wait_at_most(from, kSilence);
            continue;
        }
        bytes += static_cast<unsigned long long>(got);
        if (Seconds(last - begun).count() >= most_seconds) {
            break;
        }
    }
    std::printf("{\"bytes\":%llu,\"seconds\":%.6f}\n", bytes, Seconds(last - begun).count());
    return 0;
}

int send_all(bool is_tcp, const sockaddr_in &target, double most_bytes, double bits, int datagram) {
    const int to = open_socket(is_tcp);
    demand(connect(to, generic(target), sizeof target) == 0, "connect");
    std::size_t each = kStreamCall;
    if (!is_tcp) {
        demand(setsockopt(to, IPPROTO_UDP, UDP_SEGMENT, &datagram, sizeof datagram) == 0,
               "UDP_SEGMENT");
        each =
            kMaxPerCall / static_cast<std::size_t>(datagram) * static_cast<std::size_t>(datagram);
    }
    const std::vector<char> data(each, 'x');
    const auto on_wire = is_tcp ? 1 : 1 + kIpAndUdp / datagram;
    const auto begun = Clock::now();
    for (double sent = 0; sent < most_bytes;) {
        if (bits > 0) {
            std::this_thread::sleep_until(begun + std::chrono::duration_cast<Clock::duration>(
                                                      Seconds(sent * on_wire * 8 / bits)));
        }
        const auto count = ::send(to, data.data(), each, 0);
        if (count < 0) {
            break;
        }
        sent += static_cast<double>(count);
    }
    return 0;
}

} // namespace

int main(int count, char **arguments) {
    using namespace std::string_view_literals;
    std::signal(SIGPIPE, SIG_IGN);
    const bool is_tcp = count > 2 && arguments[2] == "tcp"sv;
    if (count == 5 && arguments[1] == "receive"sv) {
        return receive_all(is_tcp, arguments[3], std::atof(arguments[4]));
    }
    if (count == 8 && arguments[1] == "send"sv) {
        return send_all(is_tcp, address_of(arguments[3], arguments[4]), std::atof(arguments[5]),
                        std::atof(arguments[6]), std::max(1, std::atoi(arguments[7])));
    }
    std::fputs("usage: raw receive tcp|udp <port> <seconds>\n"
               "       raw send tcp|udp <address> <port> <bytes> <bits/s> <datagram bytes>\n",
               stderr);
    return 2;
}
