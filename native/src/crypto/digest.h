// Hashes.
#pragma once

#include <array>
#include <cstddef>
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

Digest sha256(ByteView bytes);

/// Constant-time comparison.
bool digests_equal(const Digest &a, const Digest &b);

} // namespace thru
