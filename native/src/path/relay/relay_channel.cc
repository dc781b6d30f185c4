#include "path/relay/relay_channel.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "base/byte_reader.h"
#include "path/demux.h"

namespace thru {

namespace {

/// RFC 8656 section 12: the first bits distinguish ChannelData from STUN.
constexpr std::uint16_t kFirstChannel = 0x4000;
constexpr std::uint16_t kLastChannel = 0x4fff;

/// The form in which a server without the channel sends the peer's data (RFC 8656 section 11.6).
constexpr std::uint16_t kDataIndication = 0x0017;

bool is_data_indication(ByteView datagram) {
    return ByteReader(datagram).big_endian(2) == kDataIndication;
}

} // namespace

std::optional<ChannelData> parse_channel_data(ByteView datagram) {
    ByteReader reader(datagram);
    const auto channel = reader.big_endian(2);
    const auto size = reader.big_endian(2);
    if (!size || *channel < kFirstChannel || *channel > kLastChannel) {
        return std::nullopt;
    }
    const auto data = reader.bytes(*size);
    if (!data) {
        return std::nullopt;
    }
    return ChannelData{.channel = static_cast<std::uint16_t>(*channel), .data = *data};
}

RelayChannel::Next RelayChannel::receive(ByteView bytes, std::size_t segment,
                                         const Deliver &deliver) {
    auto next = Next::GoOn;
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(segment, bytes.size()))) {
        const auto datagram = bytes.first(std::min(segment, bytes.size()));
        const auto message = parse_channel_data(datagram);
        if (!message) {
            if (is_stun(datagram)) {
                next = Next::Control;
                if (is_data_indication(datagram)) {
                    number_.reset();
                }
            }
            continue;
        }
        // The other side's STUN: keep-alives and late checks.
        if (message->data.empty() || !is_quic(message->data)) {
            continue;
        }
        if (!number_) {
            number_ = message->channel;
        }
        if (message->channel == *number_) {
            deliver(message->data);
        } else {
            // libnice knows the right channel; the number is learned again from its next datagram.
            number_.reset();
            next = Next::Control;
        }
    }
    return next;
}

ByteView RelayChannel::frame(ByteView bytes, std::size_t segment, std::size_t alignment) {
    assert(number_);
    const auto count = (bytes.size() + segment - 1) / segment;
    framed_.resize(
        std::max(framed_.size(), bytes.size() + count * (kChannelHeaderBytes + alignment)));
    auto *out = framed_.data();
    while (!bytes.empty()) {
        const auto one = bytes.first(std::min(segment, bytes.size()));
        *out++ = static_cast<std::uint8_t>(*number_ >> 8U);
        *out++ = static_cast<std::uint8_t>(*number_);
        *out++ = static_cast<std::uint8_t>(one.size() >> 8U);
        *out++ = static_cast<std::uint8_t>(one.size());
        std::memcpy(out, one.data(), one.size());
        out += one.size();
        const auto padding = (alignment - one.size() % alignment) % alignment;
        out = std::fill_n(out, padding, std::uint8_t{0});
        bytes = bytes.subspan(one.size());
    }
    return {framed_.data(), static_cast<std::size_t>(out - framed_.data())};
}

} // namespace thru
