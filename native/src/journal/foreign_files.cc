#include "journal/foreign_files.h"

#include <algorithm>
#include <functional>
#include <string>

#include "journal/journal.h"
#include "journal/journal_search.h"

namespace thru {

ForeignFiles::ForeignFiles(const fs::FileHandle &root, const NameMap &names,
                           const OriginId &origin) {
    for (const std::string &name : journal_names(root)) {
        const auto file = fs::open_beneath_for_reading(root, name);
        const auto header = file ? read_header(*file) : std::nullopt;
        if (header && (header->origin != origin || origin == OriginId{})) {
            add(*file, names);
        }
    }
    std::ranges::sort(numbers_);
    std::ranges::sort(places_);
}

void ForeignFiles::add(const fs::FileHandle &journal, const NameMap &names) {
    const auto read = read_journal(journal);
    for (Slot slot = 0; read && slot < read->content.slots(); ++slot) {
        const JournalContent &content = read->content;
        const auto published = content.published(slot);
        const JournalFile *part = content.file(slot);
        if (published || part != nullptr) {
            numbers_.push_back(published ? published->file : part->file);
        }
        // Includes entries without records, because a file is published before that is logged.
        const auto place = names.usual_place(content.entries().path(slot));
        if (place && published && !published->name.empty()) {
            const std::size_t folder = place->text().size() - place->name().size();
            places_.push_back(
                std::hash<std::string>{}(place->text().substr(0, folder) + published->name));
        } else if (place) {
            places_.push_back(std::hash<std::string>{}(place->text()));
        }
    }
}

bool ForeignFiles::may_have(const SafeRelPath &place, std::uint64_t number) const {
    return std::ranges::binary_search(numbers_, number) ||
           (!places_.empty() &&
            std::ranges::binary_search(places_, std::hash<std::string>{}(place.text())));
}

} // namespace thru
