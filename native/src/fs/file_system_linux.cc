#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fs/file_system_posix.h"
#include "fs/read_ahead.h"
#include "fs/writeback.h"

namespace thru::fs {

const int kFolderFlags = O_PATH | O_DIRECTORY;

timespec mtime_of(const struct stat &status) { return status.st_mtim; }
timespec ctime_of(const struct stat &status) { return status.st_ctim; }

const std::string_view kAttributePrefix = "user.";

ssize_t list_attributes(int file, char *names, std::size_t size) {
    return ::flistxattr(file, names, size);
}

ssize_t get_attribute(int file, const char *name, char *value, std::size_t size) {
    return ::fgetxattr(file, name, value, size);
}

int set_attribute(int file, const char *name, std::string_view value) {
    return ::fsetxattr(file, name, value.data(), value.size(), 0);
}

namespace {

/// Opens the path below the folder without following links, or lets `walk` do so.
SystemResult<FileHandle>
open_beneath(const FileHandle &folder, std::string_view relative, int flags,
             SystemResult<FileHandle> (*walk)(const FileHandle &, std::string_view)) {
    const std::string path(relative);
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    const long opened = ::syscall(SYS_openat2, descriptor(folder), path.c_str(), &how, sizeof(how));
    if (opened >= 0) {
        return FileHandle(opened);
    }
    // EPERM: a container's filter that doesn't know the call. EAGAIN: a concurrent rename. ENXIO: a
    // socket, for which `walk` reports the right error.
    if (errno == ENOSYS || errno == EPERM || errno == EAGAIN || errno == EINTR || errno == ENXIO) {
        return walk(folder, relative);
    }
    return std::unexpected(last_error());
}

/// Sequence number of the disk's insertion since boot; 0 if unknown, as for network drives.
std::uint64_t insertion(dev_t device) {
    const std::string block =
        "/sys/dev/block/" + std::to_string(major(device)) + ":" + std::to_string(minor(device));
    // A partition uses its disk's number.
    for (const char *file : {"/diskseq", "/../diskseq"}) {
        std::uint64_t sequence = 0;
        if (std::ifstream(block + file) >> sequence) {
            return sequence;
        }
    }
    return 0;
}

/// Extended attributes of users begin with `user.`.
constexpr const char *kSenderRecord = "user.thruflux.sender";

} // namespace

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    return open_beneath(folder, relative, kFolderFlags, &walk_beneath);
}

SystemResult<FileHandle> open_beneath_for_reading(const FileHandle &folder,
                                                  std::string_view relative) {
    return open_beneath(folder, relative, kReadFlags, &walk_to_file);
}

int rename_exclusively(int folder, const char *from, int to_folder, const char *to) {
    return ::renameat2(folder, from, to_folder, to, RENAME_NOREPLACE);
}

int rename_exchanging(int folder, const char *first, const char *second) {
    return ::renameat2(folder, first, folder, second, RENAME_EXCHANGE);
}

SystemResult<VolumeFacts> volume_facts(const FileHandle &folder) {
    struct stat status{};
    struct statfs volume{};
    if (::fstat(descriptor(folder), &status) != 0 || ::fstatfs(descriptor(folder), &volume) != 0) {
        return std::unexpected(last_error());
    }
    std::uint64_t number = 0;
    static_assert(sizeof(volume.f_fsid) == sizeof(number));
    std::memcpy(&number, &volume.f_fsid, sizeof(number));
    // File systems without an identity look the same for each disk in a slot.
    const std::uint64_t inserted = insertion(status.st_dev);
    number ^= inserted << 32;
    const bool fat = volume.f_type == MSDOS_SUPER_MAGIC;
    return VolumeFacts{.free_bytes = static_cast<std::uint64_t>(volume.f_bavail) *
                                     static_cast<std::uint64_t>(volume.f_frsize),
                       .max_file_bytes = max_file_bytes(fat),
                       .free_files = volume.f_files > 0 ? volume.f_ffree : VolumeFacts{}.free_files,
                       .id = {.device = status.st_dev, .number = number},
                       .counts_insertions = inserted != 0};
}

std::string boot_id() {
    static const std::string kId = [] {
        std::string id;
        std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
        return id;
    }();
    return kId;
}

SystemResult<> sync_names(const FileHandle &listing) { return check(::fsync(descriptor(listing))); }

SystemResult<> sync_data(const FileHandle &file) { return check(::fdatasync(descriptor(file))); }
SystemResult<> sync_file(const FileHandle &file) { return check(::fsync(descriptor(file))); }

std::uint64_t unwritten_bytes(std::string_view meminfo) {
    constexpr std::uint64_t kUnit = 1024;
    std::uint64_t bytes = 0;
    for (const std::string_view name : {"\nDirty:", "\nWriteback:"}) {
        const std::size_t at = meminfo.find(name);
        const std::size_t digits =
            at == std::string_view::npos ? at : meminfo.find_first_of("0123456789", at);
        std::uint64_t value = 0;
        if (digits != std::string_view::npos) {
            std::from_chars(meminfo.data() + digits, meminfo.data() + meminfo.size(), value);
        }
        bytes += value * kUnit;
    }
    return bytes;
}

bool syncfs_tells_errors(std::string_view release) {
    constexpr std::pair kSince{5U, 8U};
    std::pair<unsigned, unsigned> version;
    const char *const end = release.data() + release.size();
    const auto major = std::from_chars(release.data(), end, version.first);
    if (major.ec != std::errc{} || major.ptr == end) {
        return false;
    }
    std::from_chars(major.ptr + 1, end, version.second);
    return version >= kSince;
}

SystemResult<bool> sync_file_system(const FileHandle &folder, std::size_t files) {
    // syncfs also waits for other programs' writes; these limits keep that to seconds on a slow
    // disk. Syncing many files one by one can take minutes too: each waits 4 to 7 ms for the disk.
    constexpr std::uint64_t kFewUnwritten = 512ULL << 20;
    constexpr std::uint64_t kUnwrittenPerFile = 512ULL << 10;
    // A process in syncfs can't be killed; a slow disk should finish within a minute.
    constexpr std::uint64_t kMaxUnwritten = 4ULL << 30;
    const std::uint64_t max_unwritten =
        std::clamp(files * kUnwrittenPerFile, kFewUnwritten, kMaxUnwritten);
    struct statfs volume{};
    if (::fstatfs(descriptor(folder), &volume) != 0) {
        return std::unexpected(last_error());
    }
    static const bool kTellsErrors = [] {
        struct utsname system{};
        return ::uname(&system) == 0 && syncfs_tells_errors(system.release);
    }();
    // On FUSE the call doesn't reach the disk: it stops at the file system's program.
    if (!kTellsErrors || volume.f_type == FUSE_SUPER_MAGIC) {
        return false;
    }
    std::ifstream file("/proc/meminfo");
    const std::string meminfo{std::istreambuf_iterator<char>(file), {}};
    if (unwritten_bytes(meminfo) > max_unwritten) {
        return false;
    }
    if (::syncfs(descriptor(folder)) == 0) {
        return true;
    }
    if (errno != EBADF) {
        return std::unexpected(last_error());
    }
    const auto listing = open_for_listing(folder);
    if (!listing && listing.error().kind == ErrorKind::Refused) {
        return false; // the folder can't be listed, but its files can be synced
    }
    if (!listing) {
        return std::unexpected(listing.error());
    }
    if (::syncfs(descriptor(*listing)) != 0) {
        return std::unexpected(last_error());
    }
    return true;
}

bool share_content(const FileHandle &from, const FileHandle &to) {
    return ::ioctl(descriptor(to), FICLONE, descriptor(from)) == 0;
}

void begin_writeback(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes) {
    static_cast<void>(::sync_file_range(descriptor(file), static_cast<off_t>(offset),
                                        static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE));
}

std::optional<FileHandle> open_direct(const FileHandle &file) {
    struct statfs volume{};
    if (::fstatfs(descriptor(file), &volume) != 0 ||
        (volume.f_type != EXT4_SUPER_MAGIC && volume.f_type != XFS_SUPER_MAGIC)) {
        return std::nullopt;
    }
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor(file));
    const int opened = ::open(path.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC);
    return opened >= 0 ? std::optional(FileHandle(opened)) : std::nullopt;
}

void read_ahead(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes) {
    static_cast<void>(::posix_fadvise(descriptor(file), static_cast<off_t>(offset),
                                      static_cast<off_t>(bytes), POSIX_FADV_WILLNEED));
}

void drop_cache(const FileHandle &file) {
    static_cast<void>(::posix_fadvise(descriptor(file), 0, 0, POSIX_FADV_DONTNEED));
}

SystemResult<DataRun> next_data(const FileHandle &file, std::uint64_t offset) {
    const auto status = status_of(file);
    if (!status) {
        return std::unexpected(status.error());
    }
    const std::uint64_t size = status->size;
    if (offset >= size) {
        return DataRun{.begin = size, .end = size};
    }
    const off_t begin = ::lseek(descriptor(file), static_cast<off_t>(offset), SEEK_DATA);
    if (begin < 0) {
        switch (errno) {
        case ENXIO:
            return DataRun{.begin = size, .end = size};
        case EINVAL:
        case ENOTSUP:
        case ENOTTY:
            return DataRun{.begin = offset, .end = size};
        default:
            return std::unexpected(last_error());
        }
    }
    const off_t end = ::lseek(descriptor(file), begin, SEEK_HOLE);
    // Fails if the file was truncated meanwhile; the read will then report it.
    return DataRun{.begin = static_cast<std::uint64_t>(begin),
                   .end = end < 0 ? size : static_cast<std::uint64_t>(end)};
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes) {
    // ext4 would fill the disk to the last block before it reports an error.
    if (auto space = check_space(file, bytes); !space) {
        return space;
    }
    // On tmpfs it fills memory with zeros: 0.2 s per GiB.
    constexpr std::uint64_t kMuch = 1 << 20;
    struct statfs volume{};
    if (bytes > kMuch && ::fstatfs(descriptor(file), &volume) == 0 &&
        volume.f_type == TMPFS_MAGIC) {
        return {};
    }
    while (::fallocate(descriptor(file), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                       static_cast<off_t>(bytes)) != 0) {
        if (errno == EOPNOTSUPP || errno == ENOSYS) {
            return {};
        }
        if (errno != EINTR) {
            return std::unexpected(last_error());
        }
    }
    return {};
}

void mark_received(const FileHandle &file, std::string_view sender) {
    // A URL in the form required by the freedesktop.org specification of extended attributes.
    static constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string url = "thruflux:received?from=";
    for (const char character : sender) {
        const auto byte = static_cast<unsigned char>(character);
        if (std::isalnum(byte) != 0) {
            url += character;
        } else {
            url += {'%', kHex[byte >> 4], kHex[byte & 15]};
        }
    }
    static_cast<void>(
        ::fsetxattr(descriptor(file), "user.xdg.origin.url", url.data(), url.size(), 0));
}

std::optional<std::int64_t> creation_time(const FileHandle &file) {
    struct statx status{};
    const bool known = ::statx(descriptor(file), "", AT_EMPTY_PATH, STATX_BTIME, &status) == 0 &&
                       (status.stx_mask & STATX_BTIME) != 0;
    return known ? std::optional(to_ns({.tv_sec = static_cast<time_t>(status.stx_btime.tv_sec),
                                        .tv_nsec = status.stx_btime.tv_nsec}))
                 : std::nullopt;
}

const bool kSetsCreationTimes = false;

void set_creation_time(const FileHandle & /*file*/, std::int64_t /*ns*/) {}

bool set_sender_record(const FileHandle &file, ByteView record) {
    return ::fsetxattr(descriptor(file), kSenderRecord, record.data(), record.size(), 0) == 0;
}

bool read_sender_record(const FileHandle &file, MutableByteView out) {
    const auto length = ::fgetxattr(descriptor(file), kSenderRecord, out.data(), out.size());
    return length >= 0 && static_cast<std::size_t>(length) == out.size();
}

} // namespace thru::fs
