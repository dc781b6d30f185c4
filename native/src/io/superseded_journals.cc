#include "io/superseded_journals.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/forget_partial.h"
#include "io/journal_search.h"
#include "io/receive_state.h"

namespace thru {

namespace {

/// Every file that it tells of is here now, in the latest version that it knows.
bool all_came(const JournalContent &content, const ReceiveFolder::State &state) {
    const JournalPaths paths(content);
    std::vector<bool> came(content.slots());
    for (std::uint64_t index = 0; index < state.prepared_end; ++index) {
        const auto slot =
            state.parts.is_complete(index) ? paths.find(*state.manifest, index) : std::nullopt;
        if (slot) {
            came[*slot] = true;
        }
    }
    for (std::size_t slot = 0; slot < came.size(); ++slot) {
        if (!came[*paths.find(content.entries().path(slot))]) {
            return false;
        }
    }
    return true;
}

/// Where its parts can be: also those that it was not told of before it was killed.
std::set<std::string> folders_of(const JournalContent &content, const ReceiveFolder::State &state) {
    std::set<std::string> folders{""};
    for (std::uint64_t index = 0; index < state.prepared_end; ++index) {
        if (state.manifest->kind(index) == EntryKind::File) {
            folders.emplace(state.names.place(*state.manifest, index).folder());
        }
    }
    for (std::size_t slot = 0; slot < content.slots(); ++slot) {
        if (const auto path = state.names.usual_place(content.entries().path(slot))) {
            folders.emplace(path->folder());
        }
    }
    return folders;
}

} // namespace

void remove_superseded_journals(const ReceiveFolder::State &state) {
    const fs::FileHandle &root = state.target.root();
    for (const std::string &name : journal_names(root)) {
        const auto file = take_journal(root, name);
        const auto journal = file ? read_journal(*file) : std::nullopt;
        if (!journal || (!is_of_share(journal->header, state.ids) && !journal->content.ended() &&
                         !all_came(journal->content, state))) {
            continue;
        }
        FolderCursor cursor(state.target);
        for (const std::string &relative : folders_of(journal->content, state)) {
            if (const auto folder = cursor.go(relative)) {
                delete_parts(**folder, journal_tag(name));
            }
        }
        // Should it stay, the next transfer that completes deletes it.
        static_cast<void>(fs::remove_file(root, name));
    }
}

} // namespace thru
