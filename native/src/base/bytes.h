#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace thru {

using ByteView = std::span<const std::uint8_t>;
using MutableByteView = std::span<std::uint8_t>;
using Bytes = std::vector<std::uint8_t>;

inline ByteView as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

inline std::string_view as_text(ByteView bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace thru
