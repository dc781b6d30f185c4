#include "engine/file_watch.h"

#include <utility>

#include "engine/events.h"

namespace thru {

void FileWatch::compare(std::shared_ptr<const ManifestTable> manifest, FileStates states) {
    // Reports nothing new while earlier events are waiting.
    if (busy_ || context_.events.full()) {
        return;
    }
    busy_ = true;
    context_.disk.fetch(
        strand_, lifetime_, {},
        [manifest = std::move(manifest), states = std::move(states), known = known_]() mutable {
            return changes_of(*manifest, std::move(states), *known->lock());
        },
        [this](FileChanges changes) {
            busy_ = false;
            report(std::move(changes));
        });
}

void FileWatch::report(FileChanges changes) {
    const bool same = changes.active == active_ && changes.active_files == active_files_;
    if (changes.files.empty() && same) {
        return;
    }
    active_ = changes.active;
    active_files_ = changes.active_files;
    context_.events.push(FilesChangedEvent{session_, peer_, std::move(changes)});
}

} // namespace thru
