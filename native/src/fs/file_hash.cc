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

std::optional<std::uint64_t> find_nonzero(const fs::FileHandle &file, std::uint64_t begin,
                                          std::uint64_t end, std::uint64_t &read) {
    constexpr std::uint64_t kBuffer = 64 << 10;
    Bytes buffer(static_cast<std::size_t>(std::min(kBuffer, end - begin)));
    while (begin < end) {
        const auto data = fs::next_data(file, begin);
        if (!data) {
            return std::nullopt;
        }
        begin = std::max(begin, data->begin);
        if (begin >= data->end) { // no data is left
            return begin >= end ? std::optional(end) : std::nullopt;
        }
        for (const auto stop = std::min(end, data->end); begin < stop;) {
            const auto wanted = MutableByteView(buffer).first(
                static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), stop - begin)));
            const auto got = fs::read_at(file, begin, wanted);
            if (!got || *got != wanted.size()) {
                return std::nullopt;
            }
            read += wanted.size();
            const auto found =
                std::ranges::find_if(wanted, [](std::uint8_t byte) { return byte != 0; });
            begin += static_cast<std::uint64_t>(found - wanted.begin());
            if (found != wanted.end()) {
                return begin;
            }
        }
    }
    return end;
}

bool is_zero(const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t read = 0;
    return find_nonzero(file, begin, end, read) == end;
}

bool is_same_content(const fs::FileHandle &one, const fs::FileHandle &other, std::uint64_t bytes) {
    constexpr std::uint64_t kBuffer = 1 << 20;
    Bytes buffer(static_cast<std::size_t>(std::min(kBuffer, bytes)));
    Bytes expected(buffer.size());
    for (std::uint64_t read = 0; read < bytes;) {
        const auto size =
            static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes - read));
        const auto ours = MutableByteView(buffer).first(size);
        const auto theirs = MutableByteView(expected).first(size);
        const auto got = fs::read_at(one, read, ours);
        const auto wanted = fs::read_at(other, read, theirs);
        if (!got || *got != size || !wanted || *wanted != size ||
            !std::ranges::equal(ours, theirs)) {
            return false;
        }
        read += size;
    }
    return true;
}

} // namespace thru
