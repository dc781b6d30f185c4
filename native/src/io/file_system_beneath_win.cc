// Below a folder, files are opened by NtCreateFile relative to its handle, which no Win32 function
// can; OBJ_DONT_REPARSE makes it refuse links and junctions anywhere in the relative path.
#include <vector>

#include "io/file_system_win.h"

// In ntdll, but not declared by every SDK.
extern "C" NTSTATUS NTAPI NtSetInformationFile(HANDLE file, PIO_STATUS_BLOCK status, PVOID info,
                                               ULONG length, FILE_INFORMATION_CLASS kind);

namespace thru::fs {

namespace {

SystemResult<> check(BOOL succeeded) {
    if (!succeeded) {
        return last_failure();
    }
    return {};
}

struct Opening {
    ACCESS_MASK access = 0;
    ULONG disposition = FILE_OPEN;
    ULONG options = 0;
    ULONG attributes = FILE_ATTRIBUTE_NORMAL;
};

SystemResult<FileHandle> open_relative(HANDLE folder, std::string_view relative,
                                       const Opening &opening) {
    constexpr ULONG kDontReparse = 0x1000; // OBJ_DONT_REPARSE, which winternl.h lacks
    auto name = to_wide(relative);
    if (!name) {
        return std::unexpected(name.error());
    }
    for (wchar_t &unit : *name) {
        unit = unit == L'/' ? L'\\' : unit;
    }
    UNICODE_STRING object_name{};
    object_name.Buffer = name->data();
    object_name.Length = static_cast<USHORT>(name->size() * sizeof(wchar_t));
    object_name.MaximumLength = object_name.Length;
    OBJECT_ATTRIBUTES object{};
    object.Length = sizeof(object);
    object.RootDirectory = folder;
    object.ObjectName = &object_name;
    object.Attributes = OBJ_CASE_INSENSITIVE | kDontReparse;
    IO_STATUS_BLOCK status{};
    HANDLE opened = nullptr;
    const NTSTATUS result =
        NtCreateFile(&opened, opening.access | FILE_READ_ATTRIBUTES | SYNCHRONIZE, &object, &status,
                     nullptr, opening.attributes, kShareAll, opening.disposition,
                     opening.options | FILE_SYNCHRONOUS_IO_NONALERT, nullptr, 0);
    if (result < 0) {
        return std::unexpected(error_of(RtlNtStatusToDosError(result)));
    }
    return own(opened);
}

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; }

} // namespace

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    return open_relative(handle_of(folder), relative,
                         {.access = kFolderAccess, .options = FILE_DIRECTORY_FILE});
}

SystemResult<> make_folder(const FileHandle &folder, const std::string &name) {
    const auto made = open_relative(
        handle_of(folder), name,
        {.access = kFolderAccess, .disposition = FILE_CREATE, .options = FILE_DIRECTORY_FILE});
    return made ? SystemResult<>{} : std::unexpected(made.error());
}

SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode) {
    const ULONG attributes = mode == kPrivateMode ? FILE_ATTRIBUTE_HIDDEN : FILE_ATTRIBUTE_NORMAL;
    return open_relative(handle_of(folder), name,
                         {.access = FILE_GENERIC_WRITE,
                          .disposition = FILE_CREATE,
                          .options = FILE_NON_DIRECTORY_FILE,
                          .attributes = attributes});
}

SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name) {
    return open_relative(handle_of(folder), name,
                         {.access = FILE_GENERIC_WRITE, .options = FILE_NON_DIRECTORY_FILE});
}

SystemResult<> rename_new(const FileHandle &folder, const std::string &from,
                          const std::string &to) {
    // Virus scanners and indexers hold new files for a moment.
    constexpr int kTries = 10;
    constexpr DWORD kPauseMs = 200;
    constexpr auto kFileRenameInformation = static_cast<FILE_INFORMATION_CLASS>(10);
    const auto name = to_wide(to);
    if (!name) {
        return std::unexpected(name.error());
    }
    const std::size_t name_bytes = name->size() * sizeof(wchar_t);
    // Of 8-byte elements: aligned as the structure has to be.
    std::vector<std::uint64_t> memory((sizeof(FILE_RENAME_INFO) + name_bytes) / 8 + 1);
    auto *info = reinterpret_cast<FILE_RENAME_INFO *>(memory.data());
    info->ReplaceIfExists = FALSE;
    info->RootDirectory = handle_of(folder);
    info->FileNameLength = static_cast<DWORD>(name_bytes);
    std::char_traits<wchar_t>::copy(info->FileName, name->data(), name->size());
    SystemError error;
    for (int tried = 0; tried < kTries; ++tried) {
        const auto file = open_relative(handle_of(folder), from,
                                        {.access = DELETE, .options = FILE_NON_DIRECTORY_FILE});
        if (file) {
            IO_STATUS_BLOCK status{};
            const NTSTATUS result =
                NtSetInformationFile(handle_of(*file), &status, info,
                                     static_cast<ULONG>(memory.size() * 8), kFileRenameInformation);
            if (result >= 0) {
                return {};
            }
            error = error_of(RtlNtStatusToDosError(result));
        } else {
            error = file.error();
        }
        if (error.number != ERROR_SHARING_VIOLATION) {
            break;
        }
        Sleep(kPauseMs);
    }
    return std::unexpected(error);
}

SystemResult<> remove_file(const FileHandle &folder, const std::string &name) {
    const auto file = open_relative(handle_of(folder), name,
                                    {.access = DELETE, .options = FILE_NON_DIRECTORY_FILE});
    if (!file) {
        return std::unexpected(file.error());
    }
    FILE_DISPOSITION_INFO disposition{};
    disposition.DeleteFile = TRUE;
    return check(SetFileInformationByHandle(handle_of(*file), FileDispositionInfo, &disposition,
                                            sizeof(disposition)));
}

SystemResult<std::uint64_t> free_bytes(const FileHandle &folder) {
    const auto path = final_path(folder);
    if (!path) {
        return std::unexpected(path.error());
    }
    ULARGE_INTEGER free{};
    if (!GetDiskFreeSpaceExW((*path + L"\\").c_str(), &free, nullptr, nullptr)) {
        return last_failure();
    }
    return free.QuadPart;
}

SystemResult<FileStatus> status_of(const FileHandle &file) {
    BY_HANDLE_FILE_INFORMATION info{};
    if (!GetFileInformationByHandle(handle_of(file), &info)) {
        return last_failure();
    }
    const auto ticks = static_cast<std::int64_t>(
        joined(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime));
    return FileStatus{.type = type_of(info.dwFileAttributes),
                      .size = joined(info.nFileSizeHigh, info.nFileSizeLow),
                      .mtime_ns = to_ns(ticks),
                      .mode = kPlainMode,
                      .id = {.device = info.dwVolumeSerialNumber,
                             .number = joined(info.nFileIndexHigh, info.nFileIndexLow)}};
}

SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
        constexpr std::size_t kMostAtOnce = 1 << 30;
        const std::size_t left = out.size() - filled;
        const std::uint64_t at = offset + filled;
        OVERLAPPED position{};
        position.Offset = static_cast<DWORD>(at);
        position.OffsetHigh = static_cast<DWORD>(at >> 32);
        DWORD got = 0;
        if (!ReadFile(handle_of(file), out.data() + filled,
                      static_cast<DWORD>(left < kMostAtOnce ? left : kMostAtOnce), &got,
                      &position)) {
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
        constexpr std::size_t kMostAtOnce = 1 << 30;
        OVERLAPPED position{};
        position.Offset = static_cast<DWORD>(offset);
        position.OffsetHigh = static_cast<DWORD>(offset >> 32);
        DWORD put = 0;
        if (!WriteFile(handle_of(file), bytes.data(),
                       static_cast<DWORD>(bytes.size() < kMostAtOnce ? bytes.size() : kMostAtOnce),
                       &put, &position)) {
            return last_failure();
        }
        bytes = bytes.subspan(put);
        offset += put;
    }
    return {};
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t bytes) {
    FILE_ALLOCATION_INFO allocation{};
    allocation.AllocationSize.QuadPart = static_cast<LONGLONG>(bytes);
    return check(SetFileInformationByHandle(handle_of(file), FileAllocationInfo, &allocation,
                                            sizeof(allocation)));
}

void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t /*mode*/) {
    FILE_BASIC_INFO info{};
    const std::int64_t ticks = mtime_ns / kNsPerTick + kTicksTo1970;
    // 0 leaves the time alone; before 1601 there is none.
    info.LastWriteTime.QuadPart = ticks > 0 ? ticks : 0;
    info.FileAttributes = FILE_ATTRIBUTE_NORMAL;
    static_cast<void>(
        SetFileInformationByHandle(handle_of(file), FileBasicInfo, &info, sizeof(info)));
}

} // namespace thru::fs
