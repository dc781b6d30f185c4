#include "target/deletion/delete_partial.h"

#include <algorithm>
#include <optional>
#include <set>

#include "fs/file_system.h"
#include "journal/journal_search.h"
#include "names/name_map.h"
#include "names/part_name.h"

namespace thru {

namespace {

/// Maximum number of part files found in one folder.
constexpr std::size_t kMaxFoundParts = 100'000;

/// Folders below the target that may contain its parts, under any name mapping.
std::set<std::string> folders_of(const ManifestTable &entries) {
    std::set<std::string> folders{""};
    for (const auto &options : {ReceiveOptions{}, ReceiveOptions{.portable_names = true}}) {
        NameMap names(options);
        const auto add_files = [&](const auto &place_of) {
            for (std::size_t index = 0; index < entries.size(); ++index) {
                if (entries.kind(index) == EntryKind::File) {
                    if (const std::optional<SafeRelPath> place = place_of(index)) {
                        folders.emplace(place->folder());
                    }
                }
            }
        };
        add_files([&](std::size_t index) { return names.usual_place(entries.path(index)); });
        // Names that differ in case alone have other places where that matters. A journal that has
        // a path in several versions has none of these.
        if (names.extend(entries, 0, entries.size())) {
            add_files(
                [&](std::size_t index) { return std::optional(names.place(entries, index)); });
        }
    }
    return folders;
}

} // namespace

DeletedPartial delete_parts(const fs::FileHandle &folder, std::string_view tag) {
    DeletedPartial total;
    const auto names =
        fs::list_names(folder, std::string(kPartPrefix).append(tag).append("-"), kMaxFoundParts);
    for (const std::string &name : names.value_or(std::vector<std::string>{})) {
        const auto status = fs::status_beneath(folder, name);
        if (part_number(tag, name) > 0 && status && status->type == fs::FileType::File &&
            fs::remove_file(folder, name)) {
            ++total.files;
            total.bytes += status->allocated;
        }
    }
    return total;
}

Result<DeletedPartial> delete_partial(const std::string &directory, std::span<const WireId> kept) {
    const auto root = fs::open_folder(directory);
    if (!root) {
        return fail(ErrorCode::TargetGone, root.error().number, "open the folder");
    }
    DeletedPartial total;
    for (const std::string &name : journal_names(*root)) {
        const auto file = lock_journal(*root, name);
        const auto journal = file ? read_journal(*file) : std::nullopt;
        if (!journal || std::ranges::find(kept, journal->header.receive) != kept.end()) {
            continue;
        }
        const std::string tag = journal_tag(name);
        for (const std::string &relative : folders_of(journal->content.entries())) {
            const auto folder = relative.empty() ? fs::SystemResult<fs::FileHandle>{}
                                                 : fs::open_folder_beneath(*root, relative);
            if (folder) {
                const DeletedPartial deleted =
                    delete_parts(relative.empty() ? *root : *folder, tag);
                total.files += deleted.files;
                total.bytes += deleted.bytes;
            }
        }
        if (const auto removed = fs::remove_file(*root, name); !removed) {
            return std::unexpected(fs::writing_error(removed.error(), "delete the journal"));
        }
    }
    return total;
}

} // namespace thru
