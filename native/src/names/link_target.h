// Where symbolic links may lead.
#pragma once

#include <string_view>

#include "base/error.h"

namespace thru {

/// That the link at `path`, whose first component is the shared item, leads to something in that
/// item; else LinkOutside when it leads out, PathUnsupported when it can't be offered, each with
/// the reason. Asks no disk: what it leads to need not be there.
///
/// `..` may stand at the beginning of `target` only: behind the name of another link it would lead
/// somewhere else than the text says. So links that are allowed can't lead out together, either.
Result<> check_link_target(std::string_view path, std::string_view target);

} // namespace thru
