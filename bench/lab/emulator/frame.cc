#include "frame.h"

#include <algorithm>
#include <cstring>

#include <netinet/in.h>

namespace {

constexpr std::size_t kHeader = sizeof(OffloadHeader);
constexpr std::size_t kIpv4Header = 20;
constexpr std::size_t kUdpHeader = 8;

// Offsets of RFC 791, RFC 9293 and RFC 768.
constexpr std::size_t kIpLength = 2;
constexpr std::size_t kIpIdentification = 4;
constexpr std::size_t kIpChecksum = 10;
constexpr std::size_t kIpAddresses = 12;
constexpr std::size_t kIpDestination = 16;
constexpr std::size_t kTcpSequence = 4;
constexpr std::size_t kTcpDataOffset = 12;
constexpr std::size_t kTcpFlags = 13;
constexpr std::size_t kTcpChecksum = 16;
constexpr std::size_t kUdpLength = 4;
constexpr std::size_t kUdpChecksum = 6;
constexpr std::uint8_t kFinAndPush = 0x09;
constexpr std::uint8_t kCongestionWindowReduced = 0x80;

std::uint32_t get16(const std::uint8_t *at) {
    return static_cast<std::uint32_t>(at[0] << 8 | at[1]);
}
void put16(std::uint8_t *at, std::size_t value) {
    at[0] = static_cast<std::uint8_t>(value >> 8);
    at[1] = static_cast<std::uint8_t>(value);
}

std::uint32_t sum16(const std::uint8_t *at, std::size_t bytes, std::uint32_t sum = 0) {
    for (std::size_t index = 0; index + 1 < bytes; index += 2) {
        sum += get16(at + index);
    }
    return sum;
}

std::uint16_t folded(std::uint32_t sum) {
    while (sum >> 16 != 0) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<std::uint16_t>(sum);
}

} // namespace

FrameView::FrameView(std::span<const std::uint8_t> bytes)
    : bytes_(bytes), packet_(bytes.subspan(kHeader)) {
    OffloadHeader header{};
    std::memcpy(&header, bytes.data(), kHeader);
    const auto type = header.kind & ~OffloadHeader::kEcn;
    is_tcp_ = type == OffloadHeader::kTcp;
    if ((!is_tcp_ && type != OffloadHeader::kUdp) || header.payload_each == 0 ||
        header.checksum_from < kIpv4Header || header.checksum_from + kIpv4Header > packet_.size()) {
        return;
    }
    transport_at_ = header.checksum_from;
    header_bytes_ =
        transport_at_ +
        (is_tcp_ ? std::size_t{4} * (packet_[transport_at_ + kTcpDataOffset] >> 4) : kUdpHeader);
    if (header_bytes_ >= packet_.size()) {
        return;
    }
    payload_each_ = header.payload_each;
    segments_ = (packet_.size() - header_bytes_ + payload_each_ - 1) / payload_each_;
}

std::size_t FrameView::segment_bytes(std::size_t index) const {
    if (segments_ == 1) {
        return packet_.size();
    }
    const auto payload = packet_.size() - header_bytes_;
    return header_bytes_ + std::min(payload_each_, payload - index * payload_each_);
}

int FrameView::destination_network() const {
    return packet_.size() >= kIpv4Header && packet_[0] >> 4 == 4 ? packet_[kIpDestination + 2] : -1;
}

Frame FrameView::slice(std::size_t from, std::size_t to) const {
    if (from == 0 && to == segments_) {
        return {bytes_.begin(), bytes_.end()};
    }
    const auto all = packet_.size() - header_bytes_;
    const auto begin = from * payload_each_;
    const auto payload = std::min(to * payload_each_, all) - begin;
    const auto head = kHeader + header_bytes_;
    Frame frame(head + payload);
    std::copy_n(bytes_.begin(), head, frame.begin());
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(head + begin), payload,
                frame.begin() + static_cast<std::ptrdiff_t>(head));

    auto *ip = frame.data() + kHeader;
    auto *transport = ip + transport_at_;
    const auto transport_bytes = header_bytes_ - transport_at_ + payload;
    put16(ip + kIpLength, header_bytes_ + payload);
    put16(ip + kIpIdentification, get16(ip + kIpIdentification) + from);
    put16(ip + kIpChecksum, 0);
    put16(ip + kIpChecksum, static_cast<std::uint16_t>(~folded(sum16(ip, transport_at_))));
    const auto protocol = static_cast<std::uint32_t>(is_tcp_ ? IPPROTO_TCP : IPPROTO_UDP);
    // The sum of the pseudo-header; checksum offload adds the rest.
    const auto pseudo = folded(sum16(ip + kIpAddresses, 8) + protocol +
                               static_cast<std::uint32_t>(transport_bytes));
    if (is_tcp_) {
        std::uint32_t sequence = 0;
        std::memcpy(&sequence, transport + kTcpSequence, sizeof sequence);
        sequence = htonl(ntohl(sequence) + static_cast<std::uint32_t>(begin));
        std::memcpy(transport + kTcpSequence, &sequence, sizeof sequence);
        if (to != segments_) {
            transport[kTcpFlags] &= static_cast<std::uint8_t>(~kFinAndPush);
        }
        if (from != 0) {
            transport[kTcpFlags] &= static_cast<std::uint8_t>(~kCongestionWindowReduced);
        }
        put16(transport + kTcpChecksum, pseudo);
    } else {
        put16(transport + kUdpLength, transport_bytes);
        put16(transport + kUdpChecksum, pseudo);
    }

    OffloadHeader header{};
    std::memcpy(&header, frame.data(), kHeader);
    header.flags = OffloadHeader::kNeedsChecksum;
    header.header_bytes = static_cast<std::uint16_t>(header_bytes_);
    header.checksum_from = static_cast<std::uint16_t>(transport_at_);
    header.checksum_offset = is_tcp_ ? kTcpChecksum : kUdpChecksum;
    if (to - from == 1) {
        header.kind = OffloadHeader::kAlone;
        header.payload_each = 0;
    }
    std::memcpy(frame.data(), &header, kHeader);
    return frame;
}
