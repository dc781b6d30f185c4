// Memory that holds secrets and does not keep them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace thru {

/// Overwrites with zeros; not optimised away.
void wipe(MutableByteView secret);
/// Likewise, and leaves the text empty.
void wipe(std::string &secret);
/// Lower-case hexadecimal digits, computed and not looked up: where in a table one reads may show
/// in the time it takes.
std::string hex_digits(ByteView secret);

/// A secret of `kSize` bytes, all zero at first, wiped when it goes.
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

/// A secret of characters; copies are wiped when they go, and there are no moves.
class SecretText {
public:
    SecretText() = default;
    explicit SecretText(std::string_view text) : text_(text) {}
    ~SecretText() { wipe(text_); }
    SecretText(const SecretText &) = default;
    SecretText &operator=(const SecretText &other);

    std::string_view view() const { return text_; }
    /// Ends with a zero.
    const char *c_str() const { return text_.c_str(); }

private:
    std::string text_;
};

} // namespace thru
