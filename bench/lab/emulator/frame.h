// A packet as a TUN device with a virtio-net header passes it: alone, or several of TCP or UDP
// joined by segmentation offload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// virtio_net_hdr of Linux, whose own header is no C++.
struct OffloadHeader {
    static constexpr std::uint8_t kNeedsChecksum = 1;
    static constexpr std::uint8_t kAlone = 0;
    static constexpr std::uint8_t kTcp = 1;
    static constexpr std::uint8_t kUdp = 5;
    static constexpr std::uint8_t kEcn = 0x80;

    std::uint8_t flags;
    /// One of the kinds above, kEcn apart.
    std::uint8_t kind;
    std::uint16_t header_bytes;
    std::uint16_t payload_each;
    std::uint16_t checksum_from;
    std::uint16_t checksum_offset;
};
static_assert(sizeof(OffloadHeader) == 10);

/// What one write to the device takes, its header included.
using Frame = std::vector<std::uint8_t>;

/// A view of what was read from a device. It is valid as long as the buffer below it.
class FrameView {
public:
    explicit FrameView(std::span<const std::uint8_t> bytes);

    /// Packets that the wire would carry.
    std::size_t segments() const { return segments_; }
    /// Bytes of one of them on the wire, IP header included.
    std::size_t segment_bytes(std::size_t index) const;
    /// Segments [from, to) as a frame of their own, with headers that are right for them.
    Frame slice(std::size_t from, std::size_t to) const;
    /// The third byte of the IPv4 destination, or -1 for anything but IPv4.
    int destination_network() const;

private:
    std::span<const std::uint8_t> bytes_;
    std::span<const std::uint8_t> packet_;
    std::size_t transport_at_ = 0;
    std::size_t header_bytes_ = 0;
    std::size_t payload_each_ = 0;
    std::size_t segments_ = 1;
    bool is_tcp_ = false;
};
