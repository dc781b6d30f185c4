// delay-router <peer ms> <server ms> <host> <join> <server>: carries IPv4 packets between three
// network namespaces, each of which has a TUN device e0 and the address 198.18.<place>.1. A packet
// takes the first one-way delay between host and join, the second from or to the server.
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <string>
#include <vector>

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr std::size_t kPlaces = 3;
constexpr std::size_t kServer = 2;
/// Where in an IPv4 header the third byte of the destination stands.
constexpr std::size_t kPlaceByte = 18;
constexpr std::size_t kMostBytes = 65536;

struct Packet {
    Clock::time_point due;
    std::uint64_t number;
    std::size_t target;
    std::vector<std::uint8_t> bytes;
};

struct Later {
    bool operator()(const Packet &a, const Packet &b) const {
        return a.due != b.due ? a.due > b.due : a.number > b.number;
    }
};

volatile std::sig_atomic_t stopped = 0;

[[noreturn]] void give_up(const std::string &what) {
    std::perror(what.c_str());
    std::exit(1);
}

/// The device stays in the namespace in which its file was opened.
int open_device(const std::string &place) {
    const int space = open(("/run/netns/" + place).c_str(), O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0) {
        give_up(place);
    }
    close(space);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request{};
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    std::strcpy(request.ifr_name, "e0");
    if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0) {
        give_up("TUN device");
    }
    return device;
}

} // namespace

int main(int count, char **arguments) {
    if (count != 3 + static_cast<int>(kPlaces)) {
        std::fputs("usage: delay-router <peer ms> <server ms> <host> <join> <server>\n", stderr);
        return 2;
    }
    const auto delay_of = [&](int at) {
        return std::chrono::duration_cast<Clock::duration>(Milliseconds(std::atof(arguments[at])));
    };
    const auto between_peers = delay_of(1);
    const auto to_server = delay_of(2);
    std::array<pollfd, kPlaces> devices{};
    for (std::size_t place = 0; place < kPlaces; ++place) {
        devices.at(place) = {open_device(arguments[3 + place]), POLLIN, 0};
    }
    std::signal(SIGTERM, [](int) { stopped = 1; });
    // On a busy computer it is still on time; without the right to that it may not be.
    const sched_param urgent{.sched_priority = 50};
    sched_setscheduler(0, SCHED_FIFO, &urgent);
    std::puts("ready");
    std::fflush(stdout);

    std::priority_queue<Packet, std::vector<Packet>, Later> waiting;
    std::vector<std::uint8_t> buffer(kMostBytes);
    std::uint64_t carried = 0;
    std::uint64_t late = 0;
    while (stopped == 0) {
        timespec timeout{.tv_sec = 1, .tv_nsec = 0};
        if (!waiting.empty()) {
            const auto left = std::max(waiting.top().due - Clock::now(), Clock::duration::zero());
            timeout = {.tv_sec = 0, .tv_nsec = std::chrono::nanoseconds(left).count()};
        }
        if (ppoll(devices.data(), devices.size(), &timeout, nullptr) < 0 && errno != EINTR) {
            give_up("poll");
        }
        const auto now = Clock::now();
        for (std::size_t source = 0; source < kPlaces; ++source) {
            ssize_t size = 0;
            while ((size = read(devices.at(source).fd, buffer.data(), buffer.size())) >= 20) {
                const std::size_t target = buffer[kPlaceByte] - std::size_t{1};
                if (buffer[0] >> 4 != 4 || target >= kPlaces || target == source) {
                    continue;
                }
                const bool with_server = source == kServer || target == kServer;
                waiting.push({now + (with_server ? to_server : between_peers), ++carried, target,
                              {buffer.begin(), buffer.begin() + size}});
            }
        }
        while (!waiting.empty() && waiting.top().due <= Clock::now()) {
            const auto &packet = waiting.top();
            late += Clock::now() - packet.due > std::chrono::milliseconds(1) ? 1 : 0;
            // A full queue of the device loses the packet, as a full router does.
            (void)!write(devices.at(packet.target).fd, packet.bytes.data(), packet.bytes.size());
            waiting.pop();
        }
    }
    std::printf("%llu packets, %llu more than 1 ms late\n",
                static_cast<unsigned long long>(carried), static_cast<unsigned long long>(late));
    return 0;
}
