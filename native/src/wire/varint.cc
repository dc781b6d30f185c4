#include "wire/varint.h"

#include <bit>
#include <cassert>

namespace thru {

void append_varint(Bytes &out, std::uint64_t value) {
    assert(value <= kMaxVarint);
    const auto length = varint_bytes(value);
    const auto form = static_cast<std::uint64_t>(std::countr_zero(length));
    append_big_endian(out, value | form << (8 * length - 2), length);
}

} // namespace thru
