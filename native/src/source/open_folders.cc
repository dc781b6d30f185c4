#include "source/open_folders.h"

#include <algorithm>

namespace thru {

fs::SystemResult<OpenFolders::Shared> OpenFolders::get(std::uint32_t place,
                                                       const std::string &path) {
    if (Shared found = find(place)) {
        return found;
    }
    // Opens without the lock: a network drive may be slow. Two threads may open the same folder.
    auto opened = fs::open_folder(path);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    auto folder = std::make_shared<const fs::FileHandle>(std::move(*opened));
    const std::scoped_lock lock(mutex_);
    if (folders_.size() == kMaxOpen) {
        folders_.erase(folders_.begin());
    }
    folders_.emplace_back(place, folder);
    return folder;
}

void OpenFolders::drop(std::uint32_t place) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(folders_, [place](const auto &each) { return each.first == place; });
}

OpenFolders::Shared OpenFolders::find(std::uint32_t place) {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(folders_, place, &std::pair<std::uint32_t, Shared>::first);
    if (found == folders_.end()) {
        return {};
    }
    std::rotate(found, found + 1, folders_.end());
    return folders_.back().second;
}

} // namespace thru
