#include "engine/offer_listing.h"

#include <unordered_map>

#include "base/natural_order.h"
#include "engine/list_query.h"
#include "transfer/renamed_path.h"

namespace thru {

namespace {

/// A `ListedEntry` whose name lives in the manifest.
struct Row {
    std::string_view name;
    EntryKind kind = EntryKind::Folder;
    bool text = false;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::int64_t mtime_ns = 0;

    void add(const ManifestTable &manifest, std::size_t index) {
        if (manifest.kind(index) == EntryKind::File) {
            ++files;
            bytes += manifest.file_size(index);
        }
    }
    void be(const ManifestTable &manifest, std::size_t index) {
        kind = manifest.kind(index);
        text = manifest.text(index);
        mtime_ns = manifest.mtime_ns(index);
    }
};

/// Calls `use(index, path)` for each entry in `folder`, with its path relative to it.
template <class Use>
void for_each_in(const ManifestTable &manifest, std::size_t end, const IndexRanges &removed,
                 std::string_view folder, const Use &use) {
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
        if (!folder.empty()) {
            if (rest.size() <= folder.size() || !rest.starts_with(folder) ||
                rest[folder.size()] != '/') {
                continue;
            }
            rest.remove_prefix(folder.size() + 1);
        }
        use(index, rest);
    }
}

OfferListing listing_of(std::vector<Row> &rows, const ListOffer &asked, const auto &less) {
    OfferListing listing{.total = rows.size(), .entries = {}};
    for (const Row &row : sorted_page(rows, asked.offset, asked.limit, less)) {
        listing.entries.push_back({.name = std::string(row.name),
                                   .kind = row.kind,
                                   .text = row.text,
                                   .files = row.files,
                                   .bytes = row.bytes,
                                   .mtime_ns = row.mtime_ns});
    }
    return listing;
}

} // namespace

OfferListing list_offer(const ManifestTable &manifest, std::size_t end, const IndexRanges &removed,
                        const ListOffer &asked) {
    std::vector<Row> rows;
    if (!asked.query.empty()) {
        const ListQuery query(asked.query);
        const auto is_found = [&](std::string_view path) {
            return query.is_in(path) || (asked.renames && asked.path.empty() &&
                                         query.is_in(renamed_path(path, *asked.renames)));
        };
        for_each_in(manifest, end, removed, asked.path,
                    [&](std::size_t index, std::string_view path) {
                        if (manifest.kind(index) == EntryKind::Folder || !is_found(path)) {
                            return;
                        }
                        Row &row = rows.emplace_back(Row{.name = path});
                        row.be(manifest, index);
                        row.add(manifest, index);
                    });
        return listing_of(rows, asked, [](const Row &one, const Row &other) {
            return natural_path_order(one.name, other.name) < 0;
        });
    }
    std::unordered_map<std::string_view, std::size_t> positions;
    for_each_in(manifest, end, removed, asked.path, [&](std::size_t index, std::string_view path) {
        const std::string_view name = path.substr(0, path.find('/'));
        const auto [known, fresh] = positions.try_emplace(name, rows.size());
        if (fresh) {
            rows.push_back({.name = name});
        }
        Row &row = rows[known->second];
        if (name.size() == path.size()) {
            row.be(manifest, index);
        }
        row.add(manifest, index);
    });
    return listing_of(rows, asked, [](const Row &one, const Row &other) {
        const bool is_folder = one.kind == EntryKind::Folder;
        return is_folder == (other.kind == EntryKind::Folder)
                   ? natural_order(one.name, other.name) < 0
                   : is_folder;
    });
}

} // namespace thru
