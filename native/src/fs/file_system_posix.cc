#include "fs/file_system_posix.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

namespace thru::fs {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::uint32_t attributes_of(const struct stat &status) {
    std::uint32_t sum = 0;
    for (const std::uint64_t fact :
         {static_cast<std::uint64_t>(status.st_mode), static_cast<std::uint64_t>(status.st_nlink),
          static_cast<std::uint64_t>(status.st_uid), static_cast<std::uint64_t>(status.st_gid)}) {
        sum = (sum + static_cast<std::uint32_t>(fact)) * 0x9e3779b1U; // Fibonacci hashing
    }
    return sum;
}

} // namespace

std::int64_t to_ns(const timespec &time) {
    constexpr std::int64_t kMaxSeconds =
        std::numeric_limits<std::int64_t>::max() / kNsPerSecond - 1;
    const std::int64_t seconds = std::clamp<std::int64_t>(time.tv_sec, -kMaxSeconds, kMaxSeconds);
    return seconds * kNsPerSecond + time.tv_nsec;
}

timespec to_timespec(std::int64_t ns) {
    timespec time{};
    std::int64_t seconds = ns / kNsPerSecond;
    std::int64_t rest = ns % kNsPerSecond;
    if (rest < 0) {
        rest += kNsPerSecond;
        --seconds;
    }
    time.tv_sec = static_cast<decltype(time.tv_sec)>(seconds);
    time.tv_nsec = static_cast<decltype(time.tv_nsec)>(rest);
    return time;
}

FileStatus status_from(const struct stat &status) {
    constexpr std::uint64_t kBlockBytes = 512;
    const auto type = S_ISREG(status.st_mode)   ? FileType::File
                      : S_ISDIR(status.st_mode) ? FileType::Folder
                      : S_ISLNK(status.st_mode) ? FileType::Link
                                                : FileType::Other;
    return {.type = type,
            .size = static_cast<std::uint64_t>(status.st_size),
            .mtime_ns = to_ns(mtime_of(status)),
            .ctime_ns = to_ns(ctime_of(status)),
            .mode = static_cast<std::uint32_t>(status.st_mode) & 0777u,
            .attributes = attributes_of(status),
            .links = static_cast<std::uint32_t>(status.st_nlink),
            .allocated = static_cast<std::uint64_t>(status.st_blocks) * kBlockBytes,
            .id = {.device = static_cast<std::uint64_t>(status.st_dev),
                   .number = static_cast<std::uint64_t>(status.st_ino)}};
}

NewTimes::NewTimes(std::int64_t mtime_ns)
    : times{{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, to_timespec(mtime_ns)} {}

bool is_quota(std::int64_t number) { return number == EDQUOT; }

SystemResult<> check(int returned) {
    if (returned != 0) {
        return std::unexpected(last_error());
    }
    return {};
}

SystemResult<> FileHandle::close() {
    if (!is_open()) {
        return {};
    }
    const int closed = ::close(static_cast<int>(native_));
    native_ = kNone;
    return check(closed);
}

SystemResult<FileHandle> open_at(int folder, const char *name, int flags, mode_t mode) {
    for (;;) {
        const int opened = ::openat(folder, name, flags | O_CLOEXEC, mode);
        if (opened >= 0) {
            return FileHandle(opened);
        }
        if (errno == ENXIO) {
            // A socket can't be opened, but no device is gone.
            return std::unexpected(SystemError{ErrorKind::Refused, ENXIO});
        }
        if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
}

SystemResult<std::string> resolve(const std::string &path) {
    const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr),
                                                               &std::free);
    if (!resolved) {
        return std::unexpected(last_error());
    }
    return std::string(resolved.get());
}

std::string last_name(const std::string &path) {
    const std::size_t end = path.find_last_not_of('/');
    if (end == std::string::npos) {
        return {};
    }
    const std::size_t slash = path.rfind('/', end);
    const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
    std::string name = path.substr(start, end + 1 - start);
    return name == "." || name == ".." ? std::string{} : name;
}

SystemResult<FileStatus> status_of(const std::string &path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) {
        return std::unexpected(last_error());
    }
    return status_from(status);
}

SystemResult<> make_folders(const std::string &path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) {
        return std::unexpected(error_of(error.value()));
    }
    return {};
}

SystemResult<FileHandle> open_for_reading(const std::string &path) {
    return open_at(AT_FDCWD, path.c_str(), kReadFlags);
}

SystemResult<std::string> read_link(const std::string &path) {
    return read_link_at(AT_FDCWD, path);
}

SystemResult<> check_space(const FileHandle &file, std::uint64_t bytes) {
    if (const auto facts = volume_facts(file); facts && facts->free_bytes < bytes) {
        return std::unexpected(error_of(ENOSPC));
    }
    return {};
}

std::uint64_t max_file_bytes(bool on_fat) {
    constexpr std::uint64_t kMaxFileOnFat = std::numeric_limits<std::uint32_t>::max();
    constexpr std::uint64_t kLargest = std::numeric_limits<off_t>::max();
    const std::uint64_t largest = on_fat ? kMaxFileOnFat : kLargest;
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return largest;
    }
    return std::min(largest, static_cast<std::uint64_t>(limit.rlim_cur));
}

SystemResult<FileStatus> status_of(const FileHandle &file) {
    struct stat status{};
    if (::fstat(descriptor(file), &status) != 0) {
        return std::unexpected(last_error());
    }
    return status_from(status);
}

SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
        const ssize_t got = ::pread(descriptor(file), out.data() + filled, out.size() - filled,
                                    static_cast<off_t>(offset + filled));
        if (got == 0) {
            break;
        }
        if (got > 0) {
            filled += static_cast<std::size_t>(got);
        } else if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
    return filled;
}

SystemResult<> write_at(const FileHandle &file, std::uint64_t offset, ByteView bytes) {
    while (!bytes.empty()) {
        const ssize_t put =
            ::pwrite(descriptor(file), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(put));
            offset += static_cast<std::uint64_t>(put);
        } else if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
    return {};
}

SystemResult<> set_size(const FileHandle &file, std::uint64_t bytes) {
    while (::ftruncate(descriptor(file), static_cast<off_t>(bytes)) != 0) {
        if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
    return {};
}

SystemResult<bool> try_lock(const FileHandle &file) {
    // The lock belongs to the open file, not the process, so it also excludes other handles here.
    while (::flock(descriptor(file), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            return false;
        }
        if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
    return true;
}

void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t mode) {
    // FAT and network file systems refuse one or both; the content is still right.
    static_cast<void>(::fchmod(descriptor(file), static_cast<mode_t>(mode)));
    static_cast<void>(::futimens(descriptor(file), NewTimes(mtime_ns).times));
}

} // namespace thru::fs
