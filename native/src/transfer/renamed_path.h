#pragma once

#include <string>
#include <string_view>

#include "transfer/receive_options.h"

namespace thru {

/// An offered path with the chosen name of its item.
inline std::string renamed_path(std::string_view path, const Renames &renames) {
    const std::string_view item = path.substr(0, path.find('/'));
    const auto found = renames.find(item);
    return std::string(found == renames.end() ? item : found->second)
        .append(path.substr(item.size()));
}

} // namespace thru
