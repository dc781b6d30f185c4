// Runs of CPace with known scalars.
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
};

} // namespace thru
