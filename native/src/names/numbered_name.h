// Names for files and folders whose own name is taken or has become too long.
#pragma once

#include <string>
#include <string_view>

#include "wire/manifest.h"

namespace thru {

inline constexpr unsigned kMaxNumberedNames = 9'999;

/// `photo.jpg` becomes `photo (2).jpg`, and `notes` becomes `notes (2)`. A folder's dots belong to
/// its name. Names that become too long are cut between characters.
std::string numbered_name(std::string_view name, EntryKind kind, unsigned number);

/// `name` itself if its length is allowed, otherwise cut between characters of its stem.
std::string shortened_name(std::string_view name);

} // namespace thru
