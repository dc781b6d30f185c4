#include "source/hard_link_finder.h"

namespace thru {

void HardLinkFinder::add(const ManifestTable &manifest, const fs::FileId &id, std::uint32_t links) {
    const auto index = static_cast<std::uint32_t>(manifest.size() - 1);
    const auto known = open_.find(id);
    if (known == open_.end()) {
        if (links > 1 && open_.size() < kMaxOpen) {
            open_[id] = {.first = index, .missing = links - 1};
            names_.push_back({.index = index, .first = index});
        }
        return;
    }
    Open &open = known->second;
    if (!manifest.may_be_one_file(open.first, index)) {
        // It changed between the two.
        open.first = index;
    }
    names_.push_back({.index = index, .first = open.first});
    if (--open.missing == 0) {
        open_.erase(known);
    }
}

std::vector<HardLink> HardLinkFinder::links(const IndexRanges &removed) const {
    std::vector<HardLink> found;
    // First names in the place of removed ones.
    std::unordered_map<std::uint32_t, std::uint32_t> firsts;
    for (const HardLink &name : names_) {
        if (contains(removed, name.index)) {
            continue;
        }
        const auto first = contains(removed, name.first)
                               ? firsts.try_emplace(name.first, name.index).first->second
                               : name.first;
        if (first != name.index) {
            found.push_back({.index = name.index, .first = first});
        }
    }
    return found;
}

} // namespace thru
