#pragma once

#include <string_view>

#include "base/error.h"

namespace thru {

/// Succeeds if the link at `path`, whose first component is the shared item, leads to a path in
/// that item. Otherwise LinkOutside, or PathUnsupported if it can't be offered, with the reason.
/// Doesn't access the disk: the target need not exist.
///
/// `..` is allowed only at the beginning of `target`. After another link's name it would not
/// resolve as written, so a chain of allowed links can't lead outside either.
Result<> check_link_target(std::string_view path, std::string_view target);

} // namespace thru
