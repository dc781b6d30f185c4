#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string_view>

#include <fcntl.h>
#include <sys/attr.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stdio.h>
#include <sys/sysctl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fs/file_system_posix.h"
#include "fs/read_ahead.h"
#include "fs/writeback.h"

namespace thru::fs {

const int kFolderFlags = O_RDONLY | O_DIRECTORY;

timespec mtime_of(const struct stat &status) { return status.st_mtimespec; }
timespec ctime_of(const struct stat &status) { return status.st_ctimespec; }

const std::string_view kAttributePrefix;

ssize_t list_attributes(int file, char *names, std::size_t size) {
    return ::flistxattr(file, names, size, 0);
}

ssize_t get_attribute(int file, const char *name, char *value, std::size_t size) {
    return ::fgetxattr(file, name, value, size, 0, 0);
}

int set_attribute(int file, const char *name, std::string_view value) {
    return ::fsetxattr(file, name, value.data(), value.size(), 0, 0);
}

namespace {

/// Network and FAT drives lack some calls.
bool no_such_call(int number) { return number == ENOTSUP || number == EINVAL || number == ENOTTY; }

constexpr const char *kSenderRecord = "thruflux.sender";

} // namespace

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    return walk_beneath(folder, relative);
}

SystemResult<FileHandle> open_beneath_for_reading(const FileHandle &folder,
                                                  std::string_view relative) {
    return walk_to_file(folder, relative);
}

int rename_exclusively(int folder, const char *from, int to_folder, const char *to) {
    return ::renameatx_np(folder, from, to_folder, to, RENAME_EXCL);
}

int rename_exchanging(int folder, const char *first, const char *second) {
    return ::renameatx_np(folder, first, folder, second, RENAME_SWAP);
}

SystemResult<VolumeFacts> volume_facts(const FileHandle &folder) {
    // statvfs counts in 32 bits on macOS.
    struct stat status{};
    struct statfs volume{};
    if (::fstat(descriptor(folder), &status) != 0 || ::fstatfs(descriptor(folder), &volume) != 0) {
        return std::unexpected(last_error());
    }
    const bool fat = std::string_view(volume.f_fstypename) == "msdos";
    const auto first = static_cast<std::uint32_t>(volume.f_fsid.val[0]);
    const auto second = static_cast<std::uint32_t>(volume.f_fsid.val[1]);
    return VolumeFacts{.free_bytes = static_cast<std::uint64_t>(volume.f_bavail) * volume.f_bsize,
                       .max_file_bytes = max_file_bytes(fat),
                       .id = {.device = static_cast<std::uint64_t>(status.st_dev),
                              .number = std::uint64_t{first} << 32 | second}};
}

std::string boot_id() {
    static const std::string kId = [] {
        std::array<char, 64> text{};
        std::size_t size = text.size() - 1;
        return ::sysctlbyname("kern.bootsessionuuid", text.data(), &size, nullptr, 0) == 0
                   ? std::string(text.data())
                   : std::string{};
    }();
    return kId;
}

SystemResult<> sync_names(const FileHandle &listing) {
    // fsync alone leaves everything in the drive's own cache.
    if (::fcntl(descriptor(listing), F_FULLFSYNC) == 0) {
        return {};
    }
    return no_such_call(errno) ? check(::fsync(descriptor(listing)))
                               : std::unexpected(last_error());
}

SystemResult<> sync_data(const FileHandle &file) {
    // Orders the data before all later writes, such as its journal record or the file's name; the
    // next folder sync makes it durable. F_FULLFSYNC for each file would take many times longer.
    if (::fcntl(descriptor(file), F_BARRIERFSYNC) == 0) {
        return {};
    }
    return no_such_call(errno) ? sync_names(file) : std::unexpected(last_error());
}

SystemResult<> sync_file(const FileHandle &file) { return sync_data(file); }

SystemResult<bool> sync_file_system(const FileHandle & /*folder*/, std::size_t /*files*/) {
    return false;
}

void read_ahead(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<int>::max();
    radvisory range{.ra_offset = static_cast<off_t>(offset),
                    .ra_count = static_cast<int>(std::min(bytes, kMost))};
    static_cast<void>(::fcntl(descriptor(file), F_RDADVISE, &range));
}

bool share_content(const FileHandle & /*from*/, const FileHandle & /*to*/) {
    return false; // the system clones only to a new name
}

void begin_writeback(const FileHandle & /*file*/, std::uint64_t /*offset*/,
                     std::uint64_t /*bytes*/) {}

std::optional<FileHandle> open_direct(const FileHandle & /*file*/) { return std::nullopt; }

void drop_cache(const FileHandle &file) {
    const auto status = status_of(file);
    if (!status || status->size == 0) {
        return;
    }
    const auto size = static_cast<std::size_t>(status->size);
    void *mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor(file), 0);
    if (mapped != MAP_FAILED) {
        static_cast<void>(::msync(mapped, size, MS_INVALIDATE));
        static_cast<void>(::munmap(mapped, size));
    }
}

SystemResult<DataRun> next_data(const FileHandle &file, std::uint64_t offset) {
    // SEEK_DATA on APFS reports data as a hole until it is on the disk (coreutils pull request 68).
    const auto status = status_of(file);
    if (!status) {
        return std::unexpected(status.error());
    }
    return DataRun{.begin = std::min(offset, status->size), .end = status->size};
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t /*offset*/, std::uint64_t bytes) {
    if (auto space = check_space(file, bytes); !space) {
        return space;
    }
    fstore_t store{};
    store.fst_flags = F_ALLOCATEALL;
    // Relative to the file's current end.
    store.fst_posmode = F_PEOFPOSMODE;
    store.fst_length = static_cast<off_t>(bytes);
    if (::fcntl(descriptor(file), F_PREALLOCATE, &store) != 0 && errno != ENOTSUP &&
        errno != EINVAL) {
        return std::unexpected(last_error());
    }
    return {};
}

void mark_received(const FileHandle &file, std::string_view /*sender*/) {
    // Flags of an unapproved download, time in seconds since 1970, program.
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), "0083;%08llx;Thruflux;",
                                     static_cast<unsigned long long>(std::time(nullptr)));
    static_cast<void>(::fsetxattr(descriptor(file), "com.apple.quarantine", text.data(),
                                  static_cast<std::size_t>(length), 0, 0));
}

std::optional<std::int64_t> creation_time(const FileHandle &file) {
    struct stat status{};
    // File systems without it report 0, or a second before 1970.
    const bool known =
        ::fstat(descriptor(file), &status) == 0 && status.st_birthtimespec.tv_sec > 0;
    return known ? std::optional(to_ns(status.st_birthtimespec)) : std::nullopt;
}

const bool kSetsCreationTimes = true;

void set_creation_time(const FileHandle &file, std::int64_t ns) {
    attrlist wanted{};
    wanted.bitmapcount = ATTR_BIT_MAP_COUNT;
    wanted.commonattr = ATTR_CMN_CRTIME;
    timespec time = to_timespec(ns);
    static_cast<void>(::fsetattrlist(descriptor(file), &wanted, &time, sizeof(time), 0));
}

bool set_sender_record(const FileHandle &file, ByteView record) {
    return ::fsetxattr(descriptor(file), kSenderRecord, record.data(), record.size(), 0, 0) == 0;
}

bool read_sender_record(const FileHandle &file, MutableByteView out) {
    const auto length = ::fgetxattr(descriptor(file), kSenderRecord, out.data(), out.size(), 0, 0);
    return length >= 0 && static_cast<std::size_t>(length) == out.size();
}

} // namespace thru::fs
