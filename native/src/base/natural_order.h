// The order in which people look for names, the same on every computer whatever its language.
#pragma once

#include <compare>
#include <string_view>

namespace thru {

/// Orders UTF-8 names within one folder: numbers by value, ASCII letters without case, everything
/// else by code point. Names that differ only in case or leading zeros are ordered by their bytes,
/// so only identical names are equal.
std::strong_ordering natural_order(std::string_view left, std::string_view right);

/// Orders the paths of one tree depth first; a folder's subfolders come before its files.
std::strong_ordering natural_path_order(std::string_view left, std::string_view right);

} // namespace thru
