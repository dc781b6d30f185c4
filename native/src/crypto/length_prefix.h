// Unambiguous concatenation: different lists of parts never give the same bytes.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "base/bytes.h"

namespace thru {

/// Each part after its length in LEB128: lv_cat of draft-irtf-cfrg-cpace-21, appendix A.1. Leaves
/// no other copy of the parts behind.
Bytes lv_cat(std::initializer_list<ByteView> parts);

/// Size of lv_cat's result in bytes.
std::size_t lv_size(std::initializer_list<ByteView> parts);

} // namespace thru
