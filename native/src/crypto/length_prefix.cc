#include "crypto/length_prefix.h"

namespace thru {

namespace {

/// Bits of a length in one byte of LEB128; the eighth bit marks that more follow.
constexpr unsigned kBits = 7;
constexpr std::uint8_t kMore = 1U << kBits;

} // namespace

std::size_t lv_size(std::initializer_list<ByteView> parts) {
    std::size_t size = 0;
    for (const auto part : parts) {
        size += 1 + part.size();
        for (auto rest = part.size() >> kBits; rest > 0; rest >>= kBits) {
            ++size;
        }
    }
    return size;
}

Bytes lv_cat(std::initializer_list<ByteView> parts) {
    Bytes out;
    // A growing vector would leave copies of its content in freed memory.
    out.reserve(lv_size(parts));
    for (const auto part : parts) {
        auto length = part.size();
        for (; length >= kMore; length >>= kBits) {
            out.push_back(static_cast<std::uint8_t>(length | kMore));
        }
        out.push_back(static_cast<std::uint8_t>(length));
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

} // namespace thru
