// Files that existed at the entries' places when these were inspected.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/guarded.h"
#include "fs/file_system.h"

namespace thru {

/// Largest file compared at publishing: a commit reads it twice, and other files wait.
inline constexpr std::uint64_t kMaxComparedBytes = 1ULL << 30;

/// Folder's strand; publishers may call const functions concurrently.
class ExistingFiles {
public:
    /// The entry may replace the file with this status. `untouched`: only while its change time is
    /// the same, too.
    void allow_replacing(std::uint64_t index, const fs::FileStatus &status, bool untouched);
    /// Permissions of the file that the entry may replace; nullopt if there is none. Any thread.
    std::optional<std::uint32_t> replaced_mode(std::uint64_t index) const;
    /// The file with this status stays if its content equals the entry's.
    void compare(std::uint64_t index, const fs::FileStatus &status) { compared_[index] = status; }
    /// Ends the comparison: returns the status of the file, or nullopt if there was none.
    std::optional<fs::FileStatus> take_compared(std::uint64_t index);

    /// False if the file was changed since its inspection.
    bool may_replace(std::uint64_t index, const fs::FileHandle &folder,
                     const std::string &name) const;
    /// True if `name` has the same `bytes` as `part`, and is on the disk. False for files beyond
    /// kMaxComparedBytes.
    static bool is_copy(const fs::FileHandle &folder, const std::string &part,
                        const std::string &name, std::uint64_t bytes);
    /// Gives a part file its name; fails if a file exists there that may not be replaced.
    fs::SystemResult<> rename_into_place(std::uint64_t index, const fs::FileHandle &folder,
                                         const std::string &part, const std::string &name) const;

private:
    struct Replaced {
        fs::FileStatus status;
        bool untouched = false;
    };
    std::unordered_map<std::uint64_t, Replaced> replaced_;
    std::unordered_map<std::uint64_t, fs::FileStatus> compared_;
    Guarded<std::unordered_map<std::uint64_t, std::uint32_t>> modes_;
    /// Held from checking an existing file until it is replaced. If the disk treats two names as
    /// one, another publisher may be about to replace it, too.
    mutable std::mutex replacing_;
};

/// Replaces the file with this status by the part file, unless another program has changed or
/// replaced it: Exists then, with both names as before. Where names can't be exchanged, a change at
/// the last moment is lost. Any thread.
fs::SystemResult<> replace_untouched(const fs::FileHandle &folder, const std::string &part,
                                     const std::string &name, const fs::FileStatus &before);

} // namespace thru
