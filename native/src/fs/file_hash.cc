#include "fs/file_hash.h"

#include <algorithm>

namespace thru {

bool hash_range(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
                std::initializer_list<Blake3 *> hashers) {
    constexpr std::uint64_t kBuffer = 1 << 20;
    Bytes buffer(static_cast<std::size_t>(std::min(kBuffer, end - begin)));
    while (begin < end) {
        const auto wanted = MutableByteView(buffer).first(
            static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - begin)));
        const auto got = fs::read_at(file, begin, wanted);
        if (!got || *got != wanted.size()) {
            return false;
        }
        for (Blake3 *hasher : hashers) {
            hasher->update(wanted);
        }
        begin += wanted.size();
    }
    return true;
}

} // namespace thru
