#include "engine/file_listing.h"

#include <algorithm>
#include <utility>

#include "engine/listed_states.h"

namespace thru {

namespace {

FileFilter filter_of(FileState state) {
    switch (state) {
    case FileState::Active:
    case FileState::Received:
        return FileFilter::Active;
    case FileState::Saved:
    case FileState::Sent:
    case FileState::Present:
        return FileFilter::Done;
    case FileState::Skipped:
        return FileFilter::Skipped;
    case FileState::Failed:
        return FileFilter::Problem;
    case FileState::Waiting:
    case FileState::Gone:
        break;
    }
    return FileFilter::Waiting;
}

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool contains(std::string_view path, std::string_view lower_query) {
    return lower_query.empty() ||
           std::ranges::search(path, lower_query, {}, lower).begin() != path.end();
}

} // namespace

FilePage list_files(const ManifestTable &manifest, FileStates states, const ListFiles &asked) {
    std::string query = asked.query;
    std::ranges::transform(query, query.begin(), lower);
    FilePage page;
    for_each_listed(manifest, std::move(states), [&](std::uint64_t index, FileState state) {
        const FileFilter filter = filter_of(state);
        ++page.counts[static_cast<std::size_t>(FileFilter::All)];
        ++page.counts[static_cast<std::size_t>(filter)];
        const bool fits = asked.filter == FileFilter::All || asked.filter == filter;
        if (!fits || !contains(manifest.path(index), query)) {
            return;
        }
        if (page.total >= asked.offset && page.files.size() < asked.limit) {
            page.files.push_back({.index = index,
                                  .path = std::string(manifest.path(index)),
                                  .kind = manifest.kind(index),
                                  .size = manifest.file_size(index),
                                  .state = state});
        }
        ++page.total;
    });
    return page;
}

} // namespace thru
