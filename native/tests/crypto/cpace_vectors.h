// Runs CPace with known scalars and exposes intermediate values.
#pragma once

#include <algorithm>

#include "crypto/cpace.h"

namespace thru {

class CpaceVectors {
public:
    static Cpace with_scalar(const CpaceInput &input, ByteView scalar) {
        SecretKey key;
        std::ranges::copy(scalar, key.mutable_view().begin());
        return {input, key};
    }
    static bool has_scalar(const Cpace &run) {
        return std::ranges::any_of(run.scalar_.view(), [](auto byte) { return byte != 0; });
    }
};

} // namespace thru
