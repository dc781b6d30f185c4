// A packet as a TUN device with a virtio-net header passes it: a single one, or several of TCP or
// UDP coalesced by segmentation offload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Linux's virtio_net_hdr, whose own header isn't valid C++.
struct OffloadHeader {
    static constexpr std::uint8_t kNeedsChecksum = 1;
    static constexpr std::uint8_t kAlone = 0;
    static constexpr std::uint8_t kTcp = 1;
    static constexpr std::uint8_t kUdp = 5;
    static constexpr std::uint8_t kEcn = 0x80;

    std::uint8_t flags;
    /// One of the kinds above, combined with kEcn or not.
    std::uint8_t kind;
    std::uint16_t header_bytes;
    std::uint16_t payload_each;
    std::uint16_t checksum_from;
    std::uint16_t checksum_offset;
};
static_assert(sizeof(OffloadHeader) == 10);

/// The bytes of one write to the device, including the header.
using Frame = std::vector<std::uint8_t>;

/// A view of bytes read from a device, valid as long as their buffer.
class FrameView {
public:
    explicit FrameView(std::span<const std::uint8_t> bytes);

    /// Number of packets that the wire would carry.
    std::size_t segments() const { return segments_; }
    /// Bytes of one segment on the wire, including the IP header.
    std::size_t segment_bytes(std::size_t index) const;
    /// Returns segments [from, to) as a separate frame with matching headers.
    Frame slice(std::size_t from, std::size_t to) const;
    /// The third byte of the IPv4 destination; -1 for other protocols.
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
