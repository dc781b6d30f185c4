// Folders of a share's places, kept open between reads of their files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fs/file_system.h"

namespace thru {

/// The kMaxOpen most recently used folders. Any thread.
class OpenFolders {
public:
    using Shared = std::shared_ptr<const fs::FileHandle>;
    static constexpr std::size_t kMaxOpen = 32;

    /// The folder of a share's place, located at `path`.
    fs::SystemResult<Shared> get(std::uint32_t place, const std::string &path);
    /// Makes the next get() reopen the folder.
    void drop(std::uint32_t place);

private:
    Shared find(std::uint32_t place);

    std::mutex mutex_;
    /// Most recently used last.
    std::vector<std::pair<std::uint32_t, Shared>> folders_;
};

} // namespace thru
