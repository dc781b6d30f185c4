// What a file or folder is called when its name is taken or has become too long.
#pragma once

#include <string>
#include <string_view>

#include "wire/manifest.h"

namespace thru {

/// How far numbers are tried.
inline constexpr unsigned kMaxNumberedNames = 9'999;

/// `photo (2).jpg` of `photo.jpg`, `notes (2)` of `notes`. A folder's dots are part of its name.
/// Cut between characters where it would become longer than a component may be.
std::string numbered_name(std::string_view name, EntryKind kind, unsigned number);

/// `name` itself where a component may be that long, else cut between characters before what could
/// be its extension.
std::string shortened_name(std::string_view name);

} // namespace thru
