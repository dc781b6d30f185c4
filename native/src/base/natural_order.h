// The order in which people look for names: numbers by their value, letters in either case, folders
// first. It is the same on every computer, whatever its language.
#pragma once

#include <compare>
#include <string_view>

namespace thru {

/// Names of UTF-8 in one folder: numbers by value, letters of ASCII in either case, everything else
/// by code point. Names that differ only in case or leading zeros are ordered by their bytes, so
/// that only identical names are equal.
std::strong_ordering natural_order(std::string_view left, std::string_view right);

/// Paths of one tree, depth first: in each folder its subfolders, with everything in them, come
/// before its files.
std::strong_ordering natural_path_order(std::string_view left, std::string_view right);

} // namespace thru
