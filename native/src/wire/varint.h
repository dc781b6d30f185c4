// Variable-length integers of RFC 9000, section 16: 1, 2, 4 or 8 bytes, big endian. The two highest
// bits of the first byte give the length. Writes the shortest form; reads any form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "base/bytes.h"

namespace thru {

/// The largest value, 62 bits.
inline constexpr std::uint64_t kMaxVarint = (1ULL << 62) - 1;
/// Length of the longest form in bytes.
inline constexpr std::size_t kMaxVarintBytes = 8;

/// Length of the shortest form of `value`, which is at most kMaxVarint.
constexpr std::size_t varint_bytes(std::uint64_t value) {
    return value < (1ULL << 6) ? 1 : value < (1ULL << 14) ? 2 : value < (1ULL << 30) ? 4 : 8;
}

/// Appends the shortest form of `value`, which is at most kMaxVarint.
void append_varint(Bytes &out, std::uint64_t value);

/// Takes a number in any form; nullopt, and nothing taken, if bytes are missing.
inline std::optional<std::uint64_t> take_varint(ByteReader &reader) {
    const auto first = reader.peek();
    if (!first) {
        return std::nullopt;
    }
    const auto length = std::size_t{1} << (*first >> 6);
    const auto tagged = reader.big_endian(length);
    const auto mask = kMaxVarint >> (8 * (kMaxVarintBytes - length));
    return tagged ? std::optional{*tagged & mask} : std::nullopt;
}

} // namespace thru
