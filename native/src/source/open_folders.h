// Folders of a share's items, kept open between the files that are read in them.
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

/// The kMaxOpen that were used last. Any thread.
class OpenFolders {
public:
    using Shared = std::shared_ptr<const fs::FileHandle>;
    static constexpr std::size_t kMaxOpen = 32;

    /// The folder of item `root`, which is at `path`.
    fs::SystemResult<Shared> get(std::uint32_t root, const std::string &path);
    /// The next get() opens the folder again.
    void drop(std::uint32_t root);

private:
    Shared find(std::uint32_t root);

    std::mutex mutex_;
    /// The one used last at the end.
    std::vector<std::pair<std::uint32_t, Shared>> folders_;
};

} // namespace thru
