// Files that existed at the places of entries when they were inspected.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "fs/file_system.h"

namespace thru {

/// Belongs to the folder's strand; publishers may call const functions beside each other.
class ExistingFiles {
public:
    /// The entry may replace the file with this status.
    void allow_replacing(std::uint64_t index, const fs::FileStatus &status) {
        replaced_[index] = status;
    }
    /// The file stays if its content is the entry's.
    void compare(std::uint64_t index, const fs::FileStatus &status) { compared_[index] = status; }
    /// The comparison is over: the status of the file, or nullopt when there was none.
    std::optional<fs::FileStatus> take_compared(std::uint64_t index);

    /// A file that was changed since it was inspected stays.
    bool may_replace(std::uint64_t index, const fs::FileHandle &folder,
                     const std::string &name) const;
    /// Gives a part file its name; an existing file is in the way unless it may be replaced.
    fs::SystemResult<> rename_into_place(std::uint64_t index, const fs::FileHandle &folder,
                                         const std::string &part, const std::string &name) const;

private:
    std::unordered_map<std::uint64_t, fs::FileStatus> replaced_;
    std::unordered_map<std::uint64_t, fs::FileStatus> compared_;
    /// Held from the look at an existing file until it is replaced: where the disk takes two names
    /// for one, another publisher may be about to replace it, too.
    mutable std::mutex replacing_;
};

} // namespace thru
