// Manifests by path, and where their entries go.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "io/name_map.h"

namespace thru::test {

inline ManifestEntry offered_file(std::string path) {
    return {.kind = EntryKind::File, .path = std::move(path), .size = 1};
}

inline ManifestEntry offered_folder(std::string path) {
    return {.kind = EntryKind::Folder, .path = std::move(path)};
}

inline ManifestEntry offered_link(std::string path, std::string target) {
    return {.kind = EntryKind::Link, .path = std::move(path), .target = std::move(target)};
}

/// A manifest and its map, growing together.
struct Offer {
    explicit Offer(TargetRules rules, bool folds_case) : map(rules, folds_case) {}

    Result<> add(const std::vector<ManifestEntry> &entries) {
        const std::size_t first = manifest.size();
        for (const ManifestEntry &entry : entries) {
            if (auto added = manifest.add(entry); !added) {
                return added;
            }
        }
        return map.extend(manifest, first, manifest.size());
    }
    void forget(std::uint64_t index) { map.forget(manifest, {{.first = index, .count = 1}}); }
    std::string place(std::uint64_t index) const { return map.place(manifest, index).text(); }
    std::vector<std::string> places() const {
        std::vector<std::string> all;
        for (std::uint64_t index = 0; index < manifest.size(); ++index) {
            all.push_back(place(index));
        }
        return all;
    }

    ManifestTable manifest;
    NameMap map;
};

} // namespace thru::test
