#include "names/link_target.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "names/safe_rel_path.h"
#include "wire/manifest.h"

namespace thru {

Result<> check_link_target(std::string_view path, std::string_view target) {
    const auto refuse = [](std::string reason, ErrorCode code = ErrorCode::PathUnsupported) {
        return fail(code, 0, "symbolic link " + std::move(reason));
    };
    if (target.starts_with('/')) {
        return refuse("with an absolute target", ErrorCode::LinkOutside);
    }
    if (target.size() > kMaxPathBytes) {
        return refuse("with a target that is too long");
    }
    // Depth of the link's folder below the folder that contains the item.
    auto depth = std::ranges::count(path, '/');
    for (;;) {
        const std::size_t slash = target.find('/');
        const std::string_view component = target.substr(0, slash);
        if (component == "..") {
            if (--depth <= 0) {
                return refuse("to something outside of what is shared", ErrorCode::LinkOutside);
            }
        } else if (component != ".") {
            break;
        }
        if (slash == std::string_view::npos) {
            return {};
        }
        target.remove_prefix(slash + 1);
    }
    // The rest is an ordinary path.
    if (const auto rest = check_offered_path(target); !rest) {
        return refuse("with a target that is refused: " + rest.error().detail);
    }
    return {};
}

} // namespace thru
