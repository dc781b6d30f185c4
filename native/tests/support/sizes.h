// Sizes for tests.
#pragma once

#include <cstdint>

namespace thru::test {

inline constexpr std::uint64_t kMiB = 1 << 20;

} // namespace thru::test
