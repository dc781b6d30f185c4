// What the POSIX implementations share. Private to file_system_{posix,linux,macos}.cc and tests.
#pragma once

#include <sys/stat.h>
#include <time.h>

#include "io/file_system.h"

namespace thru::fs {

/// Of errno.
SystemError error_of(int number);
SystemError last_error();

inline int descriptor(const FileHandle &handle) { return static_cast<int>(handle.native()); }

/// openat with O_CLOEXEC, again when interrupted.
SystemResult<FileHandle> open_at(int folder, const char *name, int flags, mode_t mode = 0);

/// open_folder_beneath, one component after the other: for kernels without a call for it.
SystemResult<FileHandle> walk_beneath(const FileHandle &folder, std::string_view relative);

/// rename_new for file systems without a call for it: by a second hard link, and where there are
/// none by a name that is taken first and replaced then.
SystemResult<> rename_new_by_link(const FileHandle &folder, const std::string &from,
                                  const std::string &to);

/// Full when that much is not free now.
SystemResult<> check_space(const FileHandle &file, std::uint64_t bytes);

// One for each system.

/// How a folder is opened that is only gone through.
extern const int kFolderFlags;
timespec mtime_of(const struct stat &status);

} // namespace thru::fs
