// Shared by the POSIX sources of this folder and their tests, and private to them.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "fs/file_system.h"

namespace thru::fs {

/// The error for a value of errno.
SystemError error_of(int number);
SystemError last_error();
/// last_error() unless a call returned 0.
SystemResult<> check(int returned);

inline int descriptor(const FileHandle &handle) { return static_cast<int>(handle.native()); }

/// openat with O_CLOEXEC, repeated if interrupted.
SystemResult<FileHandle> open_at(int folder, const char *name, int flags, mode_t mode = 0);

/// Flags for opening files without waiting for a pipe's other end or taking over a terminal.
inline constexpr int kReadFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

FileStatus status_from(const struct stat &status);
/// Some file systems hold times before 1677 or after 2262; these are clamped.
std::int64_t to_ns(const timespec &time);
timespec to_timespec(std::int64_t ns);
/// Times for futimens that leave the access time unchanged.
struct NewTimes {
    explicit NewTimes(std::int64_t mtime_ns);
    timespec times[2];
};

SystemResult<std::string> read_link_at(int folder, const std::string &name);

/// Opens the same folder with more access than traversal.
SystemResult<FileHandle> open_for_listing(const FileHandle &folder);

/// Opening beneath a folder one component at a time, for kernels without a call for it.
SystemResult<FileHandle> walk_beneath(const FileHandle &folder, std::string_view relative);
SystemResult<FileHandle> walk_to_file(const FileHandle &folder, std::string_view relative);

/// rename_new without a system call: by a hard link, or by creating the name and replacing it.
SystemResult<> rename_new_by_link(const FileHandle &folder, const std::string &from,
                                  const std::string &to);

/// Error `Full` unless that much is free now.
SystemResult<> check_space(const FileHandle &file, std::uint64_t bytes);

/// Linux: bytes that wait to be written to all disks, from the text of /proc/meminfo.
std::uint64_t unwritten_bytes(std::string_view meminfo);
/// True if syncfs in this release of Linux reports write errors: since 5.8 (syncfs(2)).
bool syncfs_tells_errors(std::string_view release);

/// The largest file that this process may write on such a file system.
std::uint64_t max_file_bytes(bool on_fat);

// Implemented once per system.

/// Flags for opening a folder only for traversal.
extern const int kFolderFlags;
timespec mtime_of(const struct stat &status);
timespec ctime_of(const struct stat &status);
/// A rename that fails if the new name is taken; -1 with the system call's errno.
int rename_exclusively(int folder, const char *from, int to_folder, const char *to);
/// Exchanges two names; -1 with the system call's errno.
int rename_exchanging(int folder, const char *first, const char *second);
/// The namespace of the extended attributes that any program may set, if the system has several.
extern const std::string_view kAttributePrefix;
/// Names with a zero byte after each, and a value: their length. -1 with the system call's errno.
ssize_t list_attributes(int file, char *names, std::size_t size);
ssize_t get_attribute(int file, const char *name, char *value, std::size_t size);
int set_attribute(int file, const char *name, std::string_view value);
/// fsync for an open folder, after which its names survive a power loss.
SystemResult<> sync_names(const FileHandle &listing);

} // namespace thru::fs
