#include "io/file_system_posix.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace thru::fs {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

SystemResult<> check(int returned) {
    if (returned != 0) {
        return std::unexpected(last_error());
    }
    return {};
}

/// Times beyond 1677 and 2262, which some file systems hold, become the nearest that fits.
std::int64_t to_ns(const timespec &time) {
    constexpr std::int64_t kMaxSeconds =
        std::numeric_limits<std::int64_t>::max() / kNsPerSecond - 1;
    const std::int64_t seconds = std::clamp<std::int64_t>(time.tv_sec, -kMaxSeconds, kMaxSeconds);
    return seconds * kNsPerSecond + time.tv_nsec;
}

FileStatus status_from(const struct stat &status) {
    const auto type = S_ISREG(status.st_mode)   ? FileType::File
                      : S_ISDIR(status.st_mode) ? FileType::Folder
                      : S_ISLNK(status.st_mode) ? FileType::Link
                                                : FileType::Other;
    return {.type = type,
            .size = static_cast<std::uint64_t>(status.st_size),
            .mtime_ns = to_ns(mtime_of(status)),
            .mode = static_cast<std::uint32_t>(status.st_mode) & 0777u,
            .id = {.device = static_cast<std::uint64_t>(status.st_dev),
                   .number = static_cast<std::uint64_t>(status.st_ino)}};
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

} // namespace

SystemError error_of(int number) {
    switch (number) {
    case ENOENT:
        return {Trouble::NotFound, number};
    case EEXIST:
    case ENOTEMPTY:
        return {Trouble::Exists, number};
    case ELOOP:
        return {Trouble::Link, number};
    case ENOTDIR:
        return {Trouble::NotFolder, number};
    case ENAMETOOLONG:
    case EILSEQ:
        return {Trouble::BadName, number};
    case ENOSPC:
    case EDQUOT:
        return {Trouble::Full, number};
    case EIO:
        return {Trouble::Io, number};
    default:
        return {Trouble::Refused, number};
    }
}

SystemError last_error() { return error_of(errno); }

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
    struct stat status {};
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

SystemResult<FileHandle> open_folder(const std::string &path) {
    return open_at(AT_FDCWD, path.c_str(), kFolderFlags);
}

SystemResult<FileHandle> open_for_reading(const std::string &path) {
    return open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

SystemResult<FileHandle> walk_beneath(const FileHandle &folder, std::string_view relative) {
    FileHandle reached;
    while (!relative.empty()) {
        const std::size_t slash = relative.find('/');
        const std::string component(relative.substr(0, slash));
        relative.remove_prefix(slash == std::string_view::npos ? relative.size() : slash + 1);
        const int above = descriptor(reached.is_open() ? reached : folder);
        auto next = open_at(above, component.c_str(), kFolderFlags | O_NOFOLLOW);
        if (!next) {
            return next;
        }
        reached = std::move(*next);
    }
    return reached;
}

SystemResult<> make_folder(const FileHandle &folder, const std::string &name) {
    return check(::mkdirat(descriptor(folder), name.c_str(), 0777));
}

SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode) {
    return open_at(descriptor(folder), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                   static_cast<mode_t>(mode));
}

SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name) {
    return open_at(descriptor(folder), name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

SystemResult<> rename_new_by_link(const FileHandle &folder, const std::string &from,
                                  const std::string &to) {
    const int at = descriptor(folder);
    if (::linkat(at, from.c_str(), at, to.c_str(), 0) == 0) {
        // Should the old name stay, the file is complete under the new one all the same.
        static_cast<void>(::unlinkat(at, from.c_str(), 0));
        return {};
    }
    if (errno == EEXIST) {
        return std::unexpected(last_error());
    }
    // The name is ours once the file is created; what is replaced is that empty file.
    if (auto taken = create_file(folder, to, kPrivateMode); !taken) {
        return std::unexpected(taken.error());
    }
    if (::renameat(at, from.c_str(), at, to.c_str()) != 0) {
        const SystemError error = last_error();
        static_cast<void>(::unlinkat(at, to.c_str(), 0));
        return std::unexpected(error);
    }
    return {};
}

SystemResult<> remove_file(const FileHandle &folder, const std::string &name) {
    return check(::unlinkat(descriptor(folder), name.c_str(), 0));
}

SystemResult<> check_space(const FileHandle &file, std::uint64_t bytes) {
    if (const auto free = free_bytes(file); free && *free < bytes) {
        return std::unexpected(error_of(ENOSPC));
    }
    return {};
}

SystemResult<FileStatus> status_of(const FileHandle &file) {
    struct stat status {};
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

void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t mode) {
    const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, to_timespec(mtime_ns)};
    // FAT and network file systems refuse one or both; the content is right all the same.
    static_cast<void>(::fchmod(descriptor(file), static_cast<mode_t>(mode)));
    static_cast<void>(::futimens(descriptor(file), times));
}

struct FolderReader::State {
    std::unique_ptr<DIR, int (*)(DIR *)> stream{nullptr, &::closedir};

    static SystemResult<FolderReader> open(int folder, const char *name, int flags);
};

SystemResult<FolderReader> FolderReader::State::open(int folder, const char *name, int flags) {
    auto handle = open_at(folder, name, O_RDONLY | O_DIRECTORY | flags);
    if (!handle) {
        return std::unexpected(handle.error());
    }
    auto state = std::make_unique<State>();
    state->stream.reset(::fdopendir(descriptor(*handle)));
    if (!state->stream) {
        return std::unexpected(last_error());
    }
    handle->release();
    return FolderReader(std::move(state));
}

FolderReader::FolderReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
FolderReader::FolderReader(FolderReader &&) noexcept = default;
FolderReader &FolderReader::operator=(FolderReader &&) noexcept = default;
FolderReader::~FolderReader() = default;

SystemResult<FolderReader> FolderReader::open(const std::string &path) {
    return State::open(AT_FDCWD, path.c_str(), 0);
}

SystemResult<FolderReader> FolderReader::open_child(const std::string &name) const {
    return State::open(::dirfd(state_->stream.get()), name.c_str(), O_NOFOLLOW);
}

SystemResult<std::optional<FolderEntry>> FolderReader::next() {
    for (;;) {
        errno = 0;
        const dirent *listed = ::readdir(state_->stream.get());
        if (listed == nullptr) {
            if (errno != 0) {
                return std::unexpected(last_error());
            }
            return std::nullopt;
        }
        const std::string_view name = listed->d_name;
        if (name == "." || name == "..") {
            continue;
        }
        FolderEntry entry{.name = std::string(name), .status = {}};
        struct stat status {};
        if (::fstatat(::dirfd(state_->stream.get()), listed->d_name, &status,
                      AT_SYMLINK_NOFOLLOW) == 0) {
            entry.status = status_from(status);
        } else {
            entry.status = std::unexpected(last_error());
        }
        return entry;
    }
}

} // namespace thru::fs
