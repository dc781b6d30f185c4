// The order in which people look for names: numbers by their value, letters in either case, folders
// first. It is the same on every computer, whatever its language.
#pragma once

#include <compare>
#include <string_view>

namespace thru {

/// Names of UTF-8 in one folder: numbers by value, letters of ASCII in either case, everything else
/// by code point. Names that differ in case or leading zeros only follow each other by their bytes,
/// so that none are equal but the same.
std::strong_ordering natural_order(std::string_view left, std::string_view right);

/// Paths of one tree as a list of all folders shows them: in each folder its folders come first,
/// with what is in them.
std::strong_ordering natural_path_order(std::string_view left, std::string_view right);

} // namespace thru
