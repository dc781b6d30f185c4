// Concatenation that can be taken apart in one way only: no two lists of parts give the same bytes.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "base/bytes.h"

namespace thru {

/// Each part after its length in LEB128: lv_cat of draft-irtf-cfrg-cpace-21, appendix A.1. Leaves
/// no copy of a part behind but the one in the result.
Bytes lv_cat(std::initializer_list<ByteView> parts);

/// How many bytes lv_cat makes of the parts.
std::size_t lv_size(std::initializer_list<ByteView> parts);

} // namespace thru
