#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stdio.h>

#include "io/file_system_posix.h"
#include "io/safe_rel_path.h"

namespace thru {

TargetRules native_target_rules() { return TargetRules::Macos; }

namespace fs {

const int kFolderFlags = O_RDONLY | O_DIRECTORY;

timespec mtime_of(const struct stat &status) { return status.st_mtimespec; }

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    return walk_beneath(folder, relative);
}

SystemResult<> rename_new(const FileHandle &folder, const std::string &from,
                          const std::string &to) {
    const int at = descriptor(folder);
    if (::renameatx_np(at, from.c_str(), at, to.c_str(), RENAME_EXCL) == 0) {
        return {};
    }
    if (errno == ENOTSUP || errno == EINVAL) {
        return rename_new_by_link(folder, from, to);
    }
    return std::unexpected(last_error());
}

SystemResult<std::uint64_t> free_bytes(const FileHandle &folder) {
    // statvfs counts in 32 bits here.
    struct statfs status {};
    if (::fstatfs(descriptor(folder), &status) != 0) {
        return std::unexpected(last_error());
    }
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_bsize;
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t bytes) {
    if (auto space = check_space(file, bytes); !space) {
        return space;
    }
    fstore_t store{};
    store.fst_flags = F_ALLOCATEALL;
    store.fst_posmode = F_PEOFPOSMODE;
    store.fst_length = static_cast<off_t>(bytes);
    if (::fcntl(descriptor(file), F_PREALLOCATE, &store) != 0 && errno != ENOTSUP &&
        errno != EINVAL) {
        return std::unexpected(last_error());
    }
    return {};
}

} // namespace fs

} // namespace thru
