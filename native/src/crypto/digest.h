#pragma once

#include <array>
#include <memory>

#include "base/bytes.h"

namespace thru {

using Digest = std::array<std::uint8_t, 32>;

/// BLAKE3, incremental. Not thread-safe.
class Blake3 {
public:
    Blake3();
    ~Blake3();
    Blake3(Blake3 &&) noexcept;
    Blake3 &operator=(Blake3 &&) noexcept;

    void update(ByteView bytes);
    Digest finish() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// BLAKE3 of these bytes.
Digest blake3_of(ByteView bytes);

using LongDigest = std::array<std::uint8_t, 64>;

LongDigest sha512(ByteView bytes);

/// HMAC (RFC 2104). Ends the process if the library fails, which happens only when memory is
/// exhausted: no tag would be safe to use.
Digest hmac_sha256(ByteView key, ByteView message);
LongDigest hmac_sha512(ByteView key, ByteView message);

/// Constant-time comparison.
bool digests_equal(const Digest &a, const Digest &b);
bool digests_equal(const LongDigest &a, const LongDigest &b);

} // namespace thru
