// Reads and appends numbers and runs of bytes. Messages are big-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace thru {

/// Reads from the front of a view, which must outlive the reader and its results. A read past the
/// end returns nullopt and consumes nothing.
class ByteReader {
public:
    explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

    std::size_t consumed() const { return consumed_; }
    std::size_t left() const { return bytes_.size() - consumed_; }

    /// The next byte, not consumed.
    std::optional<std::uint8_t> peek() const {
        return left() > 0 ? std::optional{bytes_[consumed_]} : std::nullopt;
    }

    std::optional<std::uint8_t> byte() {
        const auto next = peek();
        consumed_ += next ? 1 : 0;
        return next;
    }

    std::optional<ByteView> bytes(std::size_t length) {
        if (left() < length) {
            return std::nullopt;
        }
        const auto taken = bytes_.subspan(consumed_, length);
        consumed_ += length;
        return taken;
    }

    /// Reads a number of `length` bytes, at most eight.
    std::optional<std::uint64_t> big_endian(std::size_t length) {
        const auto taken = bytes(length);
        if (!taken) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        for (const auto next : *taken) {
            value = value << 8 | next;
        }
        return value;
    }

    /// Reads a number of `length` bytes, at most eight, lowest byte first.
    std::optional<std::uint64_t> little_endian(std::size_t length) {
        const auto taken = bytes(length);
        if (!taken) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        for (std::size_t at = length; at > 0; --at) {
            value = value << 8 | (*taken)[at - 1];
        }
        return value;
    }

private:
    ByteView bytes_;
    std::size_t consumed_ = 0;
};

/// Appends the lowest `length` bytes of `value`, at most eight.
inline void append_big_endian(Bytes &out, std::uint64_t value, std::size_t length) {
    for (auto shift = 8 * length; shift > 0; shift -= 8) {
        out.push_back(static_cast<std::uint8_t>(value >> (shift - 8)));
    }
}

inline void append_little_endian(Bytes &out, std::uint64_t value, std::size_t length) {
    for (std::size_t at = 0; at < length; ++at) {
        out.push_back(static_cast<std::uint8_t>(value >> (8 * at)));
    }
}

inline void append_bytes(Bytes &out, ByteView bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
}

} // namespace thru
