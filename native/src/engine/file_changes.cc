#include "engine/file_changes.h"

#include <algorithm>
#include <utility>

#include "engine/listed_states.h"

namespace thru {

namespace {

/// Maximum number of files in one report: more than anyone can read in the interval.
constexpr std::size_t kMaxFiles = 500;
constexpr std::size_t kMaxActive = 3;

bool is_final(FileState state) {
    return state == FileState::Saved || state == FileState::Sent || state == FileState::Present ||
           state == FileState::Skipped || state == FileState::Failed;
}

} // namespace

FileChanges changes_of(const ManifestTable &manifest, FileStates states,
                       std::vector<FileState> &known) {
    FileChanges changes;
    known.resize(std::max(known.size(), states.raw.size()), FileState::Waiting);
    for_each_listed(manifest, std::move(states), [&](std::uint64_t index, FileState state) {
        if (state == FileState::Active) {
            if (++changes.active_files <= kMaxActive) {
                changes.active.emplace_back(manifest.path(index));
            }
        }
        const auto before = std::exchange(known[index], state);
        if (before == state || !is_final(state)) {
            return;
        }
        if (changes.files.size() == kMaxFiles) {
            ++changes.more;
            return;
        }
        changes.files.push_back({.index = index,
                                 .path = std::string(manifest.path(index)),
                                 .kind = manifest.kind(index),
                                 .size = manifest.file_size(index),
                                 .state = state});
    });
    return changes;
}

} // namespace thru
