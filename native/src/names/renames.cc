#include "names/renames.h"

#include <algorithm>
#include <set>

#include "crypto/digest.h"
#include "names/code_points.h"

namespace thru {

Error refused_rename(std::string_view reason, std::string_view name) {
    constexpr std::size_t kMaxNamedBytes = 200;
    const std::string shown = percent_form(name);
    return {ErrorCode::NameNotAllowed, 0,
            std::string(reason) + ": " + std::string(whole_characters(shown, kMaxNamedBytes))};
}

Result<> check_renames(const Renames &renames, TargetRules rules, bool folds_case) {
    std::set<std::string> names;
    for (const auto &[item, name] : renames) {
        if (name.contains('/')) {
            return std::unexpected(refused_rename("slash in a name", name));
        }
        if (const auto allowed = SafeRelPath::parse(name, rules); !allowed) {
            return std::unexpected(refused_rename(allowed.error().detail, name));
        }
        if (!names.insert(folds_case ? folded(name) : name).second) {
            return std::unexpected(refused_rename("the same name for two items", name));
        }
    }
    return {};
}

OriginId renamed_origin(const OriginId &origin, const Renames *renames) {
    if (renames == nullptr || origin == OriginId{}) {
        return origin;
    }
    Blake3 hasher;
    hasher.update(origin);
    for (const auto &[item, name] : *renames) {
        hasher.update(as_bytes(item + '/' + name + '/')); // neither contains a slash
    }
    const Digest digest = hasher.finish();
    OriginId renamed;
    std::copy_n(digest.begin(), renamed.size(), renamed.begin());
    return renamed;
}

} // namespace thru
