// emulator <seed> <place>...: carries IPv4 packets between network namespaces. The place at index n
// is the namespace /run/netns/<place>; it has a TUN device e0 and the addresses of IPv4 whose third
// byte is n + 1. Standard input takes commands, one per line:
//   link <from> <to> [delay_us=50000] [rate_bits=300e6] ...   names as in LinkOptions
//   figures                                                   prints one line of JSON
// Prints "ready" once the devices exist. Exits at the end of its standard input.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "link.h"

namespace {

constexpr std::size_t kMaxFrame = sizeof(OffloadHeader) + 65536 + 64;
/// Frames read from one device per turn, which bounds the wait of the others.
constexpr int kFramesPerTurn = 64;
/// Length of one turn of the loop while packets arrive.
constexpr Nanoseconds kTurn = 100'000;
constexpr Nanoseconds kSecond = 1'000'000'000;
/// TUN_F_USO4 and TUN_F_USO6, missing in older headers.
constexpr unsigned kUdpOffloads = 0x20 | 0x40;

[[noreturn]] void give_up(const std::string &what) {
    std::perror(what.c_str());
    std::exit(1);
}

Nanoseconds monotonic_now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * kSecond + time.tv_nsec;
}

timespec to_timespec(Nanoseconds time) { return {time / kSecond, time % kSecond}; }

/// The device stays in the namespace where its file was opened.
int open_device(const std::string &place) {
    const int space = open(("/run/netns/" + place).c_str(), O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0) {
        give_up(place);
    }
    close(space);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request{};
    request.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR;
    std::strcpy(request.ifr_name, "e0");
    int header = sizeof(OffloadHeader);
    if (device < 0 || ioctl(device, TUNSETIFF, &request) != 0 ||
        ioctl(device, TUNSETVNETHDRSZ, &header) != 0) {
        give_up("TUN device");
    }
    constexpr unsigned kTcpOffloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO_ECN;
    // Kernels before 6.2 can't coalesce UDP datagrams, so these arrive singly.
    if (ioctl(device, TUNSETOFFLOAD, kTcpOffloads | kUdpOffloads) != 0 &&
        ioctl(device, TUNSETOFFLOAD, kTcpOffloads) != 0) {
        give_up("offloads of the TUN device");
    }
    return device;
}

class Emulator {
public:
    Emulator(std::uint64_t seed, std::vector<std::string> places) : places_(std::move(places)) {
        for (const auto &place : places_) {
            devices_.push_back({open_device(place), POLLIN, 0});
        }
        devices_.push_back({STDIN_FILENO, POLLIN, 0});
        for (std::size_t index = 0; index < places_.size() * places_.size(); ++index) {
            links_.emplace_back(seed + index);
        }
    }

    void run() {
        while (!ended_) {
            const auto begun = monotonic_now();
            const bool was_busy = read_devices(begun);
            const auto next = deliver(monotonic_now());
            const auto now = monotonic_now();
            if (was_busy) {
                const auto until = to_timespec(begun + kTurn);
                if (now < begun + kTurn) {
                    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
                }
            }
            const auto wait = was_busy               ? Nanoseconds{0}
                              : next == Link::kNever ? kSecond
                                                     : std::max<Nanoseconds>(next - now, 0);
            const auto timeout = to_timespec(std::min(wait, kSecond));
            if (ppoll(devices_.data(), devices_.size(), &timeout, nullptr) < 0 && errno != EINTR) {
                give_up("poll");
            }
            if (devices_.back().revents != 0) {
                read_commands();
            }
        }
    }

private:
    Link &link(std::size_t from, std::size_t to) { return links_[from * places_.size() + to]; }

    bool read_devices(Nanoseconds now) {
        bool found = false;
        for (std::size_t from = 0; from < places_.size(); ++from) {
            for (int count = 0; count < kFramesPerTurn; ++count) {
                const auto size = read(devices_[from].fd, buffer_.data(), buffer_.size());
                if (size <= static_cast<ssize_t>(sizeof(OffloadHeader))) {
                    break;
                }
                found = true;
                const FrameView frame({buffer_.data(), static_cast<std::size_t>(size)});
                const auto to = static_cast<std::size_t>(frame.destination_network() - 1);
                if (to < places_.size() && to != from) {
                    link(from, to).admit(frame, now);
                }
            }
        }
        return found;
    }

    Nanoseconds deliver(Nanoseconds now) {
        auto next = Link::kNever;
        for (std::size_t from = 0; from < places_.size(); ++from) {
            for (std::size_t to = 0; to < places_.size(); ++to) {
                next = std::min(next, link(from, to).deliver(devices_[to].fd, now));
            }
        }
        return next;
    }

    void read_commands() {
        char text[4096];
        const auto size = read(STDIN_FILENO, text, sizeof text);
        ended_ = size <= 0;
        commands_.append(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        for (std::size_t end = 0; (end = commands_.find('\n')) != std::string::npos;) {
            obey(commands_.substr(0, end));
            commands_.erase(0, end + 1);
        }
    }

    std::size_t index_of(const std::string &place) const {
        for (std::size_t index = 0; index < places_.size(); ++index) {
            if (places_[index] == place) {
                return index;
            }
        }
        std::cerr << "emulator: no place " << place << '\n';
        std::exit(2);
    }

    void obey(const std::string &line) {
        std::istringstream words(line);
        std::string command;
        std::string from;
        std::string to;
        words >> command >> from >> to;
        if (command == "figures") {
            print_figures();
            return;
        }
        LinkOptions options;
        for (std::string word; words >> word;) {
            const auto equals = word.find('=');
            if (equals == std::string::npos ||
                !options.set(word.substr(0, equals), std::atof(word.c_str() + equals + 1))) {
                std::cerr << "emulator: unknown option " << word << '\n';
                std::exit(2);
            }
        }
        link(index_of(from), index_of(to)).configure(options);
    }

    void print_figures() {
        std::ostringstream json;
        json << '[';
        for (std::size_t from = 0; from < places_.size(); ++from) {
            for (std::size_t to = 0; to < places_.size(); ++to) {
                const auto &figures = link(from, to).figures();
                if (figures.packets > 0) {
                    json << (json.tellp() > 1 ? "," : "") << R"({"from":")" << places_[from]
                         << R"(","to":")" << places_[to] << R"(","packets":)" << figures.packets
                         << R"(,"bytes":)" << figures.bytes << R"(,"lost":)" << figures.lost
                         << R"(,"overflowed":)" << figures.overflowed << R"(,"tardy":)"
                         << figures.tardy << '}';
                }
            }
        }
        std::cout << json.str() << ']' << std::endl;
    }

    std::vector<std::string> places_;
    /// Devices in the order of the places, then standard input.
    std::vector<pollfd> devices_;
    std::deque<Link> links_;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(kMaxFrame);
    std::string commands_;
    bool ended_ = false;
};

} // namespace

int main(int count, char **arguments) {
    if (count < 4) {
        std::cerr << "usage: emulator <seed> <place> <place>...\n";
        return 2;
    }
    Emulator emulator(std::strtoull(arguments[1], nullptr, 10), {arguments + 2, arguments + count});
    prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
    // Keeps the emulator on time on a busy computer, if it has the privilege.
    const sched_param urgent{.sched_priority = 10};
    sched_setscheduler(0, SCHED_FIFO, &urgent);
    std::cout << "ready" << std::endl;
    emulator.run();
    return 0;
}
