#include "target/stale_journals.h"

#include <set>
#include <string>
#include <vector>

#include "journal/journal_search.h"
#include "target/deletion/delete_partial.h"
#include "target/receive_state.h"

namespace thru {

namespace {

/// True if every file of the journal is now complete, in its latest recorded version.
bool all_received(const JournalContent &content, const ReceiveFolder::State &state) {
    const JournalPaths paths(content, &state.names);
    std::vector<bool> received(content.slots());
    for (std::uint64_t index = 0, end = state.entries.prepared_end(); index < end; ++index) {
        const auto slot =
            state.entries.is_done(index) ? paths.find(*state.manifest, index) : std::nullopt;
        if (slot) {
            received[*slot] = true;
        }
    }
    for (std::size_t slot = 0; slot < received.size(); ++slot) {
        if (!received[*paths.find(content.entries().path(slot))]) {
            return false;
        }
    }
    return true;
}

/// Folders that may contain its part files, including unlogged ones.
std::set<std::string> folders_of(const JournalContent &content, const ReceiveFolder::State &state) {
    std::set<std::string> folders{""};
    for (std::uint64_t index = 0, end = state.entries.prepared_end(); index < end; ++index) {
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

void remove_stale_journals(const ReceiveFolder::State &state) {
    const fs::FileHandle &root = state.target.root();
    for (const std::string &name : journal_names(root)) {
        const auto file = lock_journal(root, name);
        const auto journal = file ? read_journal(*file) : std::nullopt;
        // A round may come that needs it.
        if (!journal || (journal->header.kept != 0 && !journal->content.ended())) {
            continue;
        }
        if (!is_of_share(journal->header, state.ids) && !journal->content.ended() &&
            !all_received(journal->content, state)) {
            continue;
        }
        FolderCursor cursor(state.target);
        for (const std::string &relative : folders_of(journal->content, state)) {
            if (const auto folder = cursor.go(relative)) {
                delete_parts(**folder, journal_tag(name));
            }
        }
        // If this fails, the next complete transfer deletes it.
        static_cast<void>(fs::remove_file(root, name));
    }
}

} // namespace thru
