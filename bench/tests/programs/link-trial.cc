// link-trial: prints the emulator's effect on packets, in simulated time, as one JSON object.
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../lab/emulator/link.h"

namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr std::size_t kIp = sizeof(OffloadHeader);
constexpr std::size_t kIpBytes = 20;
constexpr std::size_t kTransport = kIp + kIpBytes;

/// A UDP or TCP packet, or several joined ones of `each` bytes; their data is `first` and up.
Frame packet(bool is_tcp, std::size_t bytes, std::size_t each, std::uint8_t first = 0) {
    const std::size_t header = is_tcp ? 20 : 8;
    Frame made(kTransport + header + bytes);
    OffloadHeader offload{};
    offload.checksum_from = kIpBytes;
    offload.checksum_offset = is_tcp ? 16 : 6;
    offload.header_bytes = static_cast<std::uint16_t>(kIpBytes + header);
    offload.flags = OffloadHeader::kNeedsChecksum;
    if (bytes > each) {
        offload.kind = is_tcp ? OffloadHeader::kTcp : OffloadHeader::kUdp;
        offload.payload_each = static_cast<std::uint16_t>(each);
    }
    std::memcpy(made.data(), &offload, sizeof offload);
    made[kIp] = 0x45;
    made[kIp + 9] = is_tcp ? 6 : 17;
    made[kIp + 18] = 2;
    if (is_tcp) {
        made[kTransport + 12] = 0x50;
        made[kTransport + 13] = 0x99; // CWR, ACK, PSH, FIN
    }
    for (std::size_t at = 0; at < bytes; ++at) {
        made[kTransport + header + at] = static_cast<std::uint8_t>(first + at / each);
    }
    return made;
}

/// The far end of a link.
class Target {
public:
    Target() {
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends_.data());
        constexpr int kRoom = 8 << 20;
        setsockopt(ends_[0], SOL_SOCKET, SO_SNDBUFFORCE, &kRoom, sizeof kRoom);
    }
    /// A packet and its time of arrival.
    struct Arrival {
        Nanoseconds at;
        Frame frame;
    };
    std::vector<Arrival> collect(Link &link, Nanoseconds from, Nanoseconds to, Nanoseconds step) {
        std::vector<Arrival> arrivals;
        for (auto now = from; now <= to; now += step) {
            link.deliver(ends_[0], now);
            Frame frame(65'600);
            ssize_t size = 0;
            while ((size = read(ends_[1], frame.data(), frame.size())) > 0) {
                arrivals.push_back({now, {frame.begin(), frame.begin() + size}});
            }
        }
        return arrivals;
    }

private:
    std::array<int, 2> ends_{};
};

bool checksum_is_right(const Frame &frame) {
    std::uint32_t sum = 0;
    for (std::size_t at = kIp; at < kIp + kIpBytes; at += 2) {
        sum += static_cast<std::uint32_t>(frame[at] << 8 | frame[at + 1]);
    }
    while (sum >> 16 != 0) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return sum == 0xffff;
}

std::string list(const std::vector<double> &values) {
    std::string text;
    for (const auto value : values) {
        char number[32];
        std::snprintf(number, sizeof number, "%s%g", text.empty() ? "" : ",", value);
        text += number;
    }
    return '[' + text + ']';
}

/// The times, in milliseconds, at which packets of 1,250 bytes arrive that were sent together.
std::string arrivals(const LinkOptions &options, int packets) {
    Link link(1);
    Target target;
    link.configure(options);
    for (int index = 0; index < packets; ++index) {
        const auto frame = packet(false, 1222, 1222, static_cast<std::uint8_t>(index));
        link.admit(FrameView(frame), 0);
    }
    std::vector<double> times;
    for (const auto &arrival : target.collect(link, 0, 200 * kMillisecond, kMillisecond / 10)) {
        times.push_back(static_cast<double>(arrival.at) / kMillisecond);
    }
    return list(times);
}

/// The numbers of packets sent each millisecond, in the order of their arrival.
std::string order(const LinkOptions &options, int packets) {
    Link link(1);
    Target target;
    link.configure(options);
    std::vector<double> numbers;
    for (int index = 0; index < packets + 100; ++index) {
        const auto now = index * kMillisecond;
        if (index < packets) {
            const auto frame = packet(false, 100, 100, static_cast<std::uint8_t>(index));
            link.admit(FrameView(frame), now);
        }
        for (const auto &arrival : target.collect(link, now, now, 1)) {
            numbers.push_back(arrival.frame.back());
        }
    }
    return list(numbers);
}

double lost_share(double loss, double burst, std::uint64_t seed) {
    Link link(seed);
    Target target;
    LinkOptions options;
    options.loss = loss;
    options.loss_burst = burst;
    link.configure(options);
    constexpr int kPackets = 100'000;
    const auto frame = packet(false, 100, 100);
    for (int index = 0; index < kPackets; ++index) {
        link.admit(FrameView(frame), index);
        target.collect(link, index, index, 1);
    }
    return static_cast<double>(link.figures().lost) / kPackets;
}

/// The packets that five joined ones become on a path that is too slow to keep them together.
std::string pieces(bool is_tcp) {
    Link link(1);
    Target target;
    LinkOptions options;
    options.rate_bits = 1e6;
    options.queue_bytes = 1e6;
    link.configure(options);
    const auto joined = packet(is_tcp, 450, 100);
    link.admit(FrameView(joined), 0);
    std::string text;
    for (const auto &[at, frame] : target.collect(link, 0, 100 * kMillisecond, kMillisecond)) {
        const std::size_t header = is_tcp ? 20 : 8;
        const auto data = frame.size() - kTransport - header;
        std::uint32_t sequence = 0;
        std::memcpy(&sequence, frame.data() + kTransport + 4, 4);
        char piece[160];
        std::snprintf(
            piece, sizeof piece,
            R"(%s{"data":%zu,"first":%d,"last":%d,"sum":%s,"sequence":%u,"flags":%d,"kind":%d})",
            text.empty() ? "" : ",", data, frame[kTransport + header], frame.back(),
            checksum_is_right(frame) ? "true" : "false", is_tcp ? ntohl(sequence) : 0,
            is_tcp ? frame[kTransport + 13] : 0, frame[1]);
        text += piece;
    }
    return '[' + text + ']';
}

} // namespace

int main() {
    LinkOptions delayed;
    delayed.delay_us = 50'000;
    LinkOptions slow = delayed;
    slow.rate_bits = 10e6;
    slow.queue_bytes = 5 * 1250;
    LinkOptions late;
    late.delay_us = 10'000;
    late.late = 0.2;
    late.late_least_us = 5'000;
    late.late_most_us = 30'000;
    LinkOptions jittery;
    jittery.delay_us = 20'000;
    jittery.jitter_us = 10'000;
    std::printf(R"({"delayed":%s,"slow":%s,"late":%s,"jittery":%s,)", arrivals(delayed, 1).c_str(),
                arrivals(slow, 8).c_str(), order(late, 100).c_str(), order(jittery, 100).c_str());
    std::printf(R"("lost":%s,"udp":%s,"tcp":%s})",
                list({lost_share(0.02, 1, 1), lost_share(0.02, 1, 1), lost_share(0.02, 20, 1),
                      lost_share(0, 1, 1), lost_share(1, 1, 1)})
                    .c_str(),
                pieces(false).c_str(), pieces(true).c_str());
    std::puts("");
    return 0;
}
