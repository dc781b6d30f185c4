#include "names/renames.h"

#include <algorithm>
#include <set>

#include "crypto/digest.h"
#include "names/code_points.h"

namespace thru {

Result<> check_renames(const Renames &renames, TargetRules rules, bool folds_case) {
    std::set<std::string> names;
    for (const auto &[item, name] : renames) {
        if (name.contains('/')) {
            return fail(ErrorCode::NameNotAllowed, 0, "slash in a name");
        }
        if (const auto allowed = SafeRelPath::parse(name, rules); !allowed) {
            return std::unexpected(allowed.error());
        }
        if (!names.insert(folds_case ? folded(name) : name).second) {
            return fail(ErrorCode::NameNotAllowed, 0, "the same name for two items");
        }
    }
    return {};
}

RenamedPath::RenamedPath(std::string_view path, const Renames *renames) : text_(path) {
    if (renames == nullptr) {
        return;
    }
    const std::string_view item = path.substr(0, path.find('/'));
    if (const auto found = renames->find(item); found != renames->end()) {
        changed_ = found->second + std::string(path.substr(item.size()));
        text_ = changed_;
    } else if (std::ranges::any_of(*renames, [&](const auto &one) { return one.second == item; })) {
        text_ = {};
    }
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

std::optional<ManifestEntry> renamed_entry(const ManifestTable &manifest, std::uint64_t index,
                                           const Renames *renames) {
    const auto at = static_cast<std::size_t>(index);
    const RenamedPath renamed(manifest.path(at), renames);
    if (renamed.text().empty()) {
        return std::nullopt;
    }
    ManifestEntry entry = manifest.entry(at);
    entry.path = renamed.text();
    return entry;
}

} // namespace thru
