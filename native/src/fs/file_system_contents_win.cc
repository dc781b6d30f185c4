#include <algorithm>

#include "fs/file_system_win.h"
#include "fs/read_ahead.h"
#include "fs/writeback.h"

#include <winioctl.h>

namespace thru::fs {

namespace {

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

template <class Info>
SystemResult<> set_info(const FileHandle &file, FILE_INFO_BY_HANDLE_CLASS kind, Info info) {
    return check(SetFileInformationByHandle(handle_of(file), kind, &info, sizeof(info)));
}

/// The name of a stream of the file.
constexpr std::string_view kSenderRecord = ":thruflux.sender";

} // namespace

SystemResult<FileStatus> status_of(const FileHandle &file) {
    BY_HANDLE_FILE_INFORMATION info{};
    FILE_BASIC_INFO basic{};
    FILE_STANDARD_INFO standard{};
    if (!GetFileInformationByHandle(handle_of(file), &info) ||
        !GetFileInformationByHandleEx(handle_of(file), FileBasicInfo, &basic, sizeof(basic)) ||
        !GetFileInformationByHandleEx(handle_of(file), FileStandardInfo, &standard,
                                      sizeof(standard))) {
        return last_failure();
    }
    return FileStatus{.type = type_of(info.dwFileAttributes),
                      .size = joined(info.nFileSizeHigh, info.nFileSizeLow),
                      .mtime_ns = to_ns(basic.LastWriteTime.QuadPart),
                      .ctime_ns = change_time(basic.ChangeTime, basic.LastWriteTime),
                      .mode = kPlainMode,
                      .links = info.nNumberOfLinks,
                      .allocated = static_cast<std::uint64_t>(standard.AllocationSize.QuadPart),
                      .id = {.device = info.dwVolumeSerialNumber,
                             .number = joined(info.nFileIndexHigh, info.nFileIndexLow)}};
}

SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
        constexpr std::size_t kMaxAtOnce = 1 << 30;
        const std::size_t left = out.size() - filled;
        const std::uint64_t at = offset + filled;
        OVERLAPPED position{};
        position.Offset = static_cast<DWORD>(at);
        position.OffsetHigh = static_cast<DWORD>(at >> 32);
        DWORD got = 0;
        if (!ReadFile(handle_of(file), out.data() + filled,
                      static_cast<DWORD>(left < kMaxAtOnce ? left : kMaxAtOnce), &got, &position)) {
            if (GetLastError() == ERROR_HANDLE_EOF) {
                break;
            }
            return last_failure();
        }
        if (got == 0) {
            break;
        }
        filled += got;
    }
    return filled;
}

SystemResult<> write_at(const FileHandle &file, std::uint64_t offset, ByteView bytes) {
    while (!bytes.empty()) {
        constexpr std::size_t kMaxAtOnce = 1 << 30;
        OVERLAPPED position{};
        position.Offset = static_cast<DWORD>(offset);
        position.OffsetHigh = static_cast<DWORD>(offset >> 32);
        DWORD put = 0;
        if (!WriteFile(handle_of(file), bytes.data(),
                       static_cast<DWORD>(bytes.size() < kMaxAtOnce ? bytes.size() : kMaxAtOnce),
                       &put, &position)) {
            return last_failure();
        }
        bytes = bytes.subspan(put);
        offset += put;
    }
    return {};
}

SystemResult<> set_size(const FileHandle &file, std::uint64_t bytes) {
    const auto status = status_of(file);
    if (status && status->size < bytes) {
        // Otherwise the disk allocates space for the hole. FAT has no sparse files.
        DWORD returned = 0;
        static_cast<void>(DeviceIoControl(handle_of(file), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0,
                                          &returned, nullptr));
    }
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return set_info(file, FileEndOfFileInfo, end);
}

SystemResult<> sync_data(const FileHandle &file) {
    const auto synced = check(FlushFileBuffers(handle_of(file)));
    if (synced || synced.error().number != ERROR_ACCESS_DENIED) {
        return synced;
    }
    // A file that is open for reading can't be flushed.
    const HANDLE writing = ReOpenFile(handle_of(file), GENERIC_WRITE, kShareAll, 0);
    if (writing == INVALID_HANDLE_VALUE) {
        return last_failure();
    }
    const FileHandle opened = own(writing);
    return check(FlushFileBuffers(handle_of(opened)));
}

SystemResult<> sync_file(const FileHandle &file) { return sync_data(file); }

void read_ahead(const FileHandle & /*file*/, std::uint64_t /*offset*/, std::uint64_t /*bytes*/) {
    // Windows has no such call for a single file.
}

bool share_content(const FileHandle & /*from*/, const FileHandle & /*to*/) { return false; }

void begin_writeback(const FileHandle & /*file*/, std::uint64_t /*offset*/,
                     std::uint64_t /*bytes*/) {}

std::optional<FileHandle> open_direct(const FileHandle & /*file*/) { return std::nullopt; }

void drop_cache(const FileHandle &file) {
    // Opening a file uncached flushes its existing cache, if the system supports it.
    const HANDLE uncached =
        ReOpenFile(handle_of(file), GENERIC_READ, kShareAll, FILE_FLAG_NO_BUFFERING);
    if (uncached != INVALID_HANDLE_VALUE) {
        static_cast<void>(own(uncached));
    }
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
    FILE_ALLOCATED_RANGE_BUFFER asked{};
    asked.FileOffset.QuadPart = static_cast<LONGLONG>(offset);
    asked.Length.QuadPart = static_cast<LONGLONG>(size - offset);
    FILE_ALLOCATED_RANGE_BUFFER first{};
    DWORD returned = 0;
    if (!DeviceIoControl(handle_of(file), FSCTL_QUERY_ALLOCATED_RANGES, &asked, sizeof(asked),
                         &first, sizeof(first), &returned, nullptr) &&
        GetLastError() != ERROR_MORE_DATA) {
        const SystemError error = error_of(GetLastError());
        return no_such_call(error) ? SystemResult<DataRun>(DataRun{.begin = offset, .end = size})
                                   : std::unexpected(error);
    }
    if (returned < sizeof(first)) {
        return DataRun{.begin = size, .end = size};
    }
    const auto begin = static_cast<std::uint64_t>(first.FileOffset.QuadPart);
    const std::uint64_t end = begin + static_cast<std::uint64_t>(first.Length.QuadPart);
    return DataRun{.begin = std::clamp(begin, offset, size), .end = std::min(end, size)};
}

SystemResult<bool> try_lock(const FileHandle &file) {
    // Locks a byte beyond the end of any file, because Windows locks block reads and writes.
    OVERLAPPED position{};
    position.OffsetHigh = 0x7FFFFFFF;
    if (LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &position)) {
        return true;
    }
    if (GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING) {
        return false;
    }
    return last_failure();
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes) {
    // FileAllocationInfo would reserve the space, but it truncates a file that another thread has
    // extended, and reserves nothing for a sparse one.
    const auto status = status_of(file);
    const auto free = free_bytes(file);
    if (!status || !free) {
        return std::unexpected(!status ? status.error() : free.error());
    }
    const std::uint64_t end = offset + bytes;
    const std::uint64_t missing = end > status->allocated ? end - status->allocated : 0;
    if (std::min(missing, bytes) > *free) {
        return std::unexpected(error_of(ERROR_DISK_FULL));
    }
    return {};
}

void set_time(const FileHandle &file, std::int64_t mtime_ns, DWORD attributes) {
    FILE_BASIC_INFO info{};
    const std::int64_t ticks = mtime_ns / kNsPerTick + kTicksTo1970;
    // 0 leaves the time unchanged; FILETIME can't hold times before 1601.
    info.LastWriteTime.QuadPart = ticks > 0 ? ticks : 0;
    info.FileAttributes = attributes;
    static_cast<void>(set_info(file, FileBasicInfo, info));
}

void mark_received(const FileHandle &file, std::string_view /*sender*/) {
    constexpr std::string_view kInternetZone = "[ZoneTransfer]\r\nZoneId=3\r\n";
    const auto stream = open_relative(
        handle_of(file), ":Zone.Identifier",
        {.access = FILE_GENERIC_WRITE, .disposition = FILE_OVERWRITE_IF, .stream = true});
    // FAT has no such streams.
    if (stream) {
        static_cast<void>(write_at(*stream, 0, as_bytes(kInternetZone)));
    }
}

bool set_sender_record(const FileHandle &file, ByteView record) {
    const auto status = status_of(file);
    if (!status) {
        return false;
    }
    {
        const auto stream = open_relative(
            handle_of(file), kSenderRecord,
            {.access = FILE_GENERIC_WRITE, .disposition = FILE_OVERWRITE_IF, .stream = true});
        if (!stream || !write_at(*stream, 0, record)) {
            return false;
        }
    }
    // Writing to a stream has changed the file's time.
    set_time(file, status->mtime_ns, 0);
    return true;
}

bool read_sender_record(const FileHandle &file, MutableByteView out) {
    const auto stream = open_relative(handle_of(file), kSenderRecord,
                                      {.access = FILE_GENERIC_READ, .stream = true});
    const auto status = stream ? status_of(*stream) : std::unexpected(stream.error());
    return status && status->size == out.size() && read_at(*stream, 0, out) == out.size();
}

const bool kHasExtendedAttributes = false;

SystemResult<std::vector<std::string>> extended_attributes(const FileHandle & /*file*/) {
    return {};
}

SystemResult<std::string> read_extended_attribute(const FileHandle & /*file*/,
                                                  std::string_view /*name*/,
                                                  std::size_t /*max_bytes*/) {
    return std::unexpected(error_of(ERROR_NOT_SUPPORTED));
}

SystemResult<> write_extended_attribute(const FileHandle & /*file*/, std::string_view /*name*/,
                                        std::string_view /*value*/) {
    return std::unexpected(error_of(ERROR_NOT_SUPPORTED));
}

bool lacks_extended_attributes(std::int64_t number) { return number == ERROR_NOT_SUPPORTED; }

std::optional<std::int64_t> creation_time(const FileHandle &file) {
    FILE_BASIC_INFO basic{};
    const bool known =
        GetFileInformationByHandleEx(handle_of(file), FileBasicInfo, &basic, sizeof(basic)) &&
        basic.CreationTime.QuadPart != 0;
    return known ? std::optional(to_ns(basic.CreationTime.QuadPart)) : std::nullopt;
}

const bool kSetsCreationTimes = true;

void set_creation_time(const FileHandle &file, std::int64_t ns) {
    // A FILETIME can hold every number of nanoseconds of 64 bits.
    FILE_BASIC_INFO info{};
    info.CreationTime.QuadPart = ns / kNsPerTick + kTicksTo1970;
    static_cast<void>(set_info(file, FileBasicInfo, info));
}

void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t /*mode*/) {
    set_time(file, mtime_ns, FILE_ATTRIBUTE_NORMAL);
}

} // namespace thru::fs
