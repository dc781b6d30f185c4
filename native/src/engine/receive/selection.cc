#include "engine/receive/selection.h"

#include <algorithm>
#include <unordered_set>

namespace thru {

Result<Selection> Selection::parse(const SelectionText &text) {
    Selection selection;
    auto only = parse_patterns(text.only);
    auto except = parse_patterns(text.except);
    auto first = parse_patterns(text.first);
    for (const auto *patterns : {&only, &except, &first}) {
        if (!*patterns) {
            return std::unexpected(patterns->error());
        }
    }
    selection.only_ = std::move(*only);
    selection.except_ = std::move(*except);
    selection.first_ = std::move(*first);
    return selection;
}

bool Selection::wants(std::string_view path) const {
    return (only_.empty() || matches_any(only_, path)) && !matches_any(except_, path);
}

IndexRanges Selection::unwanted(const ManifestTable &manifest, std::size_t first,
                                std::size_t end) const {
    IndexRanges ranges;
    if (only_.empty() && except_.empty()) {
        return ranges;
    }
    // A folder is made if it or anything in it is wanted.
    std::unordered_set<std::string_view> needed;
    for (std::size_t index = first; index < end; ++index) {
        if (manifest.kind(index) == EntryKind::Folder || !wants(manifest.path(index))) {
            continue;
        }
        for (auto above = manifest.path(index); above.contains('/');) {
            above = above.substr(0, above.rfind('/'));
            if (!needed.insert(above).second) {
                break;
            }
        }
    }
    for (std::size_t index = first; index < end; ++index) {
        const auto path = manifest.path(index);
        const bool folder = manifest.kind(index) == EntryKind::Folder;
        if (!wants(path) && !(folder && needed.contains(path))) {
            append_index(ranges, index);
        }
    }
    return ranges;
}

IndexRanges Selection::files(const ManifestTable &manifest, std::size_t end,
                             const IndexRanges &removed) const {
    IndexRanges files;
    auto gone = removed.begin();
    for (std::size_t index = 0; index < end; ++index) {
        while (gone != removed.end() && gone->first + gone->count <= index) {
            ++gone;
        }
        const bool offered = gone == removed.end() || index < gone->first;
        if (offered && manifest.kind(index) == EntryKind::File && wants(manifest.path(index))) {
            append_index(files, index);
        }
    }
    return files;
}

std::vector<IndexRanges> Selection::first(const ManifestTable &manifest, std::size_t first,
                                          std::size_t end) const {
    std::vector<IndexRanges> order(first_.size());
    for (std::size_t index = first; index < end && !first_.empty(); ++index) {
        if (manifest.kind(index) != EntryKind::File) {
            continue;
        }
        const auto pattern = std::ranges::find_if(
            first_, [&](const PathPattern &each) { return each.matches(manifest.path(index)); });
        if (pattern != first_.end()) {
            append_index(order[static_cast<std::size_t>(pattern - first_.begin())], index);
        }
    }
    return order;
}

IndexRanges matching_files(const ManifestTable &manifest, std::size_t end,
                           const std::vector<PathPattern> &patterns) {
    IndexRanges ranges;
    for (std::size_t index = 0; index < end; ++index) {
        if (manifest.kind(index) == EntryKind::File &&
            matches_any(patterns, manifest.path(index))) {
            append_index(ranges, index);
        }
    }
    return ranges;
}

} // namespace thru
