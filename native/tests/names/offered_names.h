// Manifests whose names are mapped, for tests.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "names/name_map.h"
#include "transfer/manifest_table.h"

namespace thru::test {

inline constexpr TargetRules kAllRules[] = {TargetRules::Posix, TargetRules::Windows,
                                            TargetRules::Macos};

inline ManifestEntry offered_file(std::string path) {
    return {.path = std::move(path), .mtime_ns = 1};
}

inline ManifestEntry offered_folder(std::string path) {
    return {.kind = EntryKind::Folder, .path = std::move(path)};
}

inline ManifestEntry offered_link(std::string path, std::string target) {
    return {.kind = EntryKind::Link, .path = std::move(path), .target = std::move(target)};
}

/// A manifest and its names on a target, which by default folds case where systems do.
class Offer {
public:
    explicit Offer(TargetRules rules) : Offer(rules, rules != TargetRules::Posix) {}
    Offer(TargetRules rules, bool folds_case) : names_(rules, folds_case) {}
    Offer(TargetRules rules, std::shared_ptr<const Renames> renames)
        : names_(rules, rules != TargetRules::Posix, std::move(renames)) {}

    void add(const std::vector<ManifestEntry> &entries) {
        for (const ManifestEntry &entry : entries) {
            ASSERT_TRUE(manifest_.add(entry));
        }
    }

    /// Maps the entries added since the last call.
    Result<> extend() {
        const auto extended = names_.extend(manifest_, mapped_, manifest_.size());
        if (extended) {
            mapped_ = manifest_.size();
        }
        return extended;
    }

    Result<> extend(std::size_t first, std::size_t end) {
        return names_.extend(manifest_, first, end);
    }
    void forget(const IndexRanges &ranges) { names_.forget(manifest_, ranges); }

    std::string place(std::size_t index) const { return names_.place(manifest_, index).text(); }

    std::vector<std::string> places() const {
        std::vector<std::string> all;
        for (std::size_t index = 0; index < mapped_; ++index) {
            all.push_back(place(index));
        }
        return all;
    }

    const ManifestTable &manifest() const { return manifest_; }
    const NameMap &names() const { return names_; }

private:
    ManifestTable manifest_;
    NameMap names_;
    std::size_t mapped_ = 0;
};

} // namespace thru::test
