#include "net/length_frames.h"

#include <algorithm>

#include "base/byte_reader.h"

namespace thru {

std::array<std::uint8_t, kFrameLengthBytes> length_of_frame(std::size_t bytes) {
    return {static_cast<std::uint8_t>(bytes >> 8), static_cast<std::uint8_t>(bytes & 0xff)};
}

void append_length_frames(Bytes &out, ByteView datagrams, std::size_t segment) {
    if (datagrams.empty()) {
        return;
    }
    const auto before = out.size();
    const auto frames = (datagrams.size() + segment - 1) / segment;
    out.resize(before + datagrams.size() + frames * kFrameLengthBytes);
    auto at = out.begin() + static_cast<std::ptrdiff_t>(before);
    while (!datagrams.empty()) {
        const auto one = datagrams.first(std::min(segment, datagrams.size()));
        at = std::ranges::copy(length_of_frame(one.size()), at).out;
        at = std::ranges::copy(one, at).out;
        datagrams = datagrams.subspan(one.size());
    }
}

bool LengthFrames::receive(ByteView bytes, const std::function<bool(ByteView datagram)> &take) {
    while (!bytes.empty()) {
        // A whole datagram is read in place; one that arrives in parts is assembled first.
        const bool whole = begun_.empty();
        if (!whole) {
            const auto known = ByteReader(begun_).big_endian(kFrameLengthBytes);
            const auto wanted = known ? kFrameLengthBytes + *known : kFrameLengthBytes;
            const auto more = std::min<std::size_t>(wanted - begun_.size(), bytes.size());
            append_bytes(begun_, bytes.first(more));
            bytes = bytes.subspan(more);
        }
        const ByteView from = whole ? bytes : ByteView{begun_};
        const auto length = ByteReader(from).big_endian(kFrameLengthBytes);
        if (length && *length > max_bytes_) {
            return false;
        }
        if (!length || from.size() < kFrameLengthBytes + *length) {
            if (whole) {
                begun_.assign(bytes.begin(), bytes.end());
                return true;
            }
            continue;
        }
        const bool goes_on = take(from.subspan(kFrameLengthBytes, *length));
        if (whole) {
            bytes = bytes.subspan(kFrameLengthBytes + *length);
        } else {
            begun_.clear();
        }
        if (!goes_on) {
            return true;
        }
    }
    return true;
}

} // namespace thru
