// Memory for secrets, wiped after use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace thru {

/// Overwrites the bytes with zeros; never optimized away.
void wipe(MutableByteView secret);
/// The same, and leaves the text empty.
void wipe(std::string &secret);
/// Lower-case hexadecimal digits, computed without tables, whose timing could leak the secret.
std::string hex_digits(ByteView secret);

/// A secret of `kSize` bytes, initially zero, wiped when destroyed.
template <std::size_t kSize> class SecretBytes {
public:
    SecretBytes() = default;
    ~SecretBytes() { wipe(bytes_); }
    SecretBytes(const SecretBytes &) = default;
    SecretBytes &operator=(const SecretBytes &) = default;

    ByteView view() const { return bytes_; }
    MutableByteView mutable_view() { return bytes_; }

private:
    std::array<std::uint8_t, kSize> bytes_{};
};

using SecretKey = SecretBytes<32>;

/// A secret text; copies are wiped when destroyed, and moves are not possible.
class SecretText {
public:
    SecretText() = default;
    explicit SecretText(std::string_view text) : text_(text) {}
    ~SecretText() { wipe(text_); }
    SecretText(const SecretText &) = default;
    SecretText &operator=(const SecretText &other);

    std::string_view view() const { return text_; }
    /// Zero-terminated.
    const char *c_str() const { return text_.c_str(); }

private:
    std::string text_;
};

} // namespace thru
