// Names that the receiver chose for items. Neither the sender nor the selection knows them.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "names/safe_rel_path.h"
#include "transfer/receive_options.h"

namespace thru {

/// NameNotAllowed, with the reason and the name: a chosen name that `rules` refuse, or that two
/// items would have on a system that `folds_case`.
Result<> check_renames(const Renames &renames, TargetRules rules, bool folds_case);

/// The error of a chosen name: the reason, and the name at its end.
Error refused_rename(std::string_view reason, std::string_view name);

/// The origin for a journal. Under other names, a file of the same path, size and time may be
/// another item. So a journal of other names counts as another sender's.
OriginId renamed_origin(const OriginId &origin, const Renames *renames);

} // namespace thru
