#include "journal/crc32c.h"

#include <array>

namespace thru {

namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
    constexpr std::uint32_t kPolynomial = 0x82F63B78;
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest & 1) != 0 ? rest >> 1 ^ kPolynomial : rest >> 1;
        }
        table[byte] = rest;
    }
    return table;
}

constexpr auto kTable = make_table();

} // namespace

std::uint32_t crc32c(ByteView bytes, std::uint32_t crc) {
    crc = ~crc;
    for (const std::uint8_t byte : bytes) {
        crc = crc >> 8 ^ kTable[(crc ^ byte) & 0xFF];
    }
    return ~crc;
}

} // namespace thru
