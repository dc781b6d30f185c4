#include "target/publish.h"

#include <algorithm>
#include <span>
#include <system_error>
#include <thread>

#include "names/numbered_name.h"
#include "names/part_name.h"
#include "target/existing/conflict.h"

namespace thru {

namespace {

/// Renaming threads: at the end of a transfer, renaming is the only work.
constexpr std::size_t kPublishers = 2;
/// Less than 5 ms of renaming, for which another thread gains nothing.
constexpr std::size_t kFilesPerPublisher = 512;

std::set<std::string> publish_run(const ReceiveFolder::State &state, std::span<Publication> files) {
    std::set<std::string> folders;
    FolderCursor cursor(state.target);
    for (Publication &file : files) {
        file.published = publish(state, cursor, file.index, file.part);
        // Files of one folder are adjacent.
        if (file.published && !folders.contains(cursor.relative())) {
            folders.insert(cursor.relative());
        }
    }
    return folders;
}

} // namespace

Result<PublishedName> publish(const ReceiveFolder::State &state, FolderCursor &cursor,
                              std::uint64_t index, PartFile &part) {
    const SafeRelPath place = state.names.place(*state.manifest, index);
    const auto folder = cursor.go(place.folder());
    if (!folder) {
        return std::unexpected(fs::writing_error(folder.error(), "open its folder"));
    }
    const std::string from = part_name(state.store.tag(), part.number);
    const std::uint64_t size = state.manifest->file_size(index);
    std::string name(place.name());
    bool existed = false;
    auto given = state.existing.rename_into_place(index, **folder, from, name);
    for (unsigned number = 2; !given; ++number) {
        if (given.error().kind != fs::ErrorKind::Exists || number > kMaxNumberedNames) {
            return std::unexpected(fs::writing_error(given.error(), "name"));
        }
        if (ExistingFiles::is_copy(**folder, from, name, size)) {
            existed = true;
            break;
        }
        name = numbered_name(place.name(), EntryKind::File, number);
        given = fs::rename_new(**folder, from, name);
    }
    const auto status = fs::status_beneath(**folder, name);
    if (existed && status) {
        static_cast<void>(fs::remove_file(**folder, from));
        part.id = status->id;
    }
    // FAT and user-space file systems may change the number even now: compares size and time.
    const bool ours = status && (status->id == part.id ||
                                 (state.options.keep_times &&
                                  is_same_version(*status, size, state.manifest->mtime_ns(index))));
    if (!ours) {
        return fail(ErrorCode::TargetNotWritable, 0, "the part file was replaced");
    }
    part.id = status->id;
    // A time that was not set would not show that another program has changed the file since.
    if (!existed && state.options.keep_times &&
        is_same_version(*status, size, state.manifest->mtime_ns(index))) {
        state.records.write(**folder, name, *status, *state.manifest, index);
    }
    return PublishedName{.name = name == place.name() ? std::string{} : name, .existed = existed};
}

std::set<std::string> publish_all(const ReceiveFolder::State &state,
                                  std::vector<Publication> &files) {
    const std::size_t publishers =
        std::clamp<std::size_t>(files.size() / kFilesPerPublisher, 1, kPublishers);
    // Neighbors stay together: two threads rarely share a folder.
    const auto run_of = [&](std::size_t publisher) {
        const std::size_t begin = files.size() * publisher / publishers;
        const std::size_t end = files.size() * (publisher + 1) / publishers;
        return std::span(files).subspan(begin, end - begin);
    };
    std::vector<std::set<std::string>> folders(publishers);
    std::vector<std::thread> others;
    for (std::size_t publisher = 1; publisher < publishers; ++publisher) {
        const auto work = [&, publisher] {
            folders[publisher] = publish_run(state, run_of(publisher));
        };
        try {
            others.emplace_back(work);
        } catch (const std::system_error &) {
            // The system has no thread left.
            work();
        }
    }
    folders.front() = publish_run(state, run_of(0));
    for (std::thread &other : others) {
        other.join();
    }
    for (std::set<std::string> &more : std::span(folders).subspan(1)) {
        folders.front().merge(more);
    }
    return std::move(folders.front());
}

void log_published(Journal &journal, const PublishedRecord &published) {
    for (auto items = std::span(published.items); !items.empty();) {
        const auto next = items.first(std::min(items.size(), kMaxPublishedItems));
        journal.append(PublishedRecord{.items = {next.begin(), next.end()}});
        items = items.subspan(next.size());
    }
}

fs::SystemResult<> sync_folders(const Target &target, const std::set<std::string> &folders) {
    constexpr std::size_t kFewFolders = 8;
    bool at_once = false;
    if (folders.size() > kFewFolders) {
        const auto synced = fs::sync_file_system(target.root(), folders.size());
        if (!synced) {
            return std::unexpected(synced.error());
        }
        at_once = *synced;
    }
    FolderCursor cursor(target);
    for (const std::string &relative : folders) {
        const auto folder = cursor.go(relative);
        if (!folder || (at_once && !cursor.on_other_volume())) {
            // It may have been deleted together with its contents.
            continue;
        }
        const auto synced = fs::sync_folder(**folder);
        // Unreadable folders can't be synced; the system orders their names itself.
        if (!synced && synced.error().kind != fs::ErrorKind::Refused) {
            return synced;
        }
    }
    return {};
}

} // namespace thru
