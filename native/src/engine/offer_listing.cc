#include "engine/offer_listing.h"

#include <unordered_map>

namespace thru {

OfferListing list_offer(const ManifestTable &manifest, std::size_t end, const IndexRanges &removed,
                        std::string_view path, std::uint64_t offset, std::uint64_t limit) {
    OfferListing listing;
    // Where each child is in the folder's order; keys live in the manifest.
    std::unordered_map<std::string_view, std::uint64_t> positions;
    auto gone = removed.begin();
    for (std::size_t index = 0; index < end; ++index) {
        while (gone != removed.end() && gone->first + gone->count <= index) {
            ++gone;
        }
        if (manifest.kind(index) == EntryKind::Gone ||
            (gone != removed.end() && index >= gone->first)) {
            continue;
        }
        std::string_view rest = manifest.path(index);
        if (!path.empty()) {
            if (rest.size() <= path.size() || !rest.starts_with(path) || rest[path.size()] != '/') {
                continue;
            }
            rest.remove_prefix(path.size() + 1);
        }
        const std::string_view name = rest.substr(0, rest.find('/'));
        const auto [known, fresh] = positions.try_emplace(name, listing.total);
        listing.total += fresh ? 1 : 0;
        if (known->second < offset || known->second - offset >= limit) {
            continue;
        }
        if (fresh) {
            listing.entries.push_back({.name = std::string(name)});
        }
        ListedEntry &entry = listing.entries[known->second - offset];
        const bool itself = name.size() == rest.size();
        if (itself) {
            entry.kind = manifest.kind(index);
            entry.text = manifest.text(index);
            entry.mtime_ns = manifest.mtime_ns(index);
        } else {
            entry.kind = EntryKind::Folder;
        }
        if (manifest.kind(index) == EntryKind::File) {
            ++entry.files;
            entry.bytes += manifest.file_size(index);
        }
    }
    return listing;
}

} // namespace thru
