// Unambiguous concatenation: different lists of parts never give the same bytes.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "base/bytes.h"

namespace thru {

/// Each part after its LEB128 length (lv_cat of draft-irtf-cfrg-cpace-21, A.1). Leaves no copies.
Bytes lv_cat(std::initializer_list<ByteView> parts);

std::size_t lv_size(std::initializer_list<ByteView> parts);

} // namespace thru
