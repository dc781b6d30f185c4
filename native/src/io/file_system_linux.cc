#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "io/file_system_posix.h"
#include "io/safe_rel_path.h"

namespace thru {

TargetRules native_target_rules() { return TargetRules::Posix; }

namespace fs {

const int kFolderFlags = O_PATH | O_DIRECTORY;

timespec mtime_of(const struct stat &status) { return status.st_mtim; }

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    const std::string path(relative);
    open_how how{};
    how.flags = static_cast<std::uint64_t>(kFolderFlags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    const long opened = ::syscall(SYS_openat2, descriptor(folder), path.c_str(), &how, sizeof(how));
    if (opened >= 0) {
        return FileHandle(opened);
    }
    // EPERM: a container's filter that does not know the call. EAGAIN: something was renamed.
    if (errno == ENOSYS || errno == EPERM || errno == EAGAIN || errno == EINTR) {
        return walk_beneath(folder, relative);
    }
    return std::unexpected(last_error());
}

SystemResult<> rename_new(const FileHandle &folder, const std::string &from,
                          const std::string &to) {
    const int at = descriptor(folder);
    if (::renameat2(at, from.c_str(), at, to.c_str(), RENAME_NOREPLACE) == 0) {
        return {};
    }
    if (errno == EINVAL || errno == ENOSYS) {
        return rename_new_by_link(folder, from, to);
    }
    return std::unexpected(last_error());
}

SystemResult<std::uint64_t> free_bytes(const FileHandle &folder) {
    struct statvfs status {};
    if (::fstatvfs(descriptor(folder), &status) != 0) {
        return std::unexpected(last_error());
    }
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t bytes) {
    // ext4 would fill the disk to the last block before it tells.
    if (auto space = check_space(file, bytes); !space) {
        return space;
    }
    while (::fallocate(descriptor(file), FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) != 0) {
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
            return {};
        }
        if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
    return {};
}

} // namespace fs

} // namespace thru
