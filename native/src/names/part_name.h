// Names of our own files in a target folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thru {

/// Six random hex digits that distinguish one transfer's files from others in the folder.
std::string random_tag();
/// `.~thru-7f3c21-17.part`
std::string part_name(std::string_view tag, std::uint64_t number);
/// The number in a part file's name with this tag; 0 for other names.
std::uint64_t part_number(std::string_view tag, std::string_view name);

/// Suffix of files made to probe a folder.
inline constexpr std::string_view kProbeSuffix = ".probe";
std::string probe_name();

/// True for names of part files, journals and probes of any receive.
bool is_own_name(std::string_view name);

} // namespace thru
