#include "fs/file_system_win.h"

#include <algorithm>
#include <array>
#include <limits>

namespace thru::fs {

namespace {

/// The end of `\\?\C:`; nothing above it is a folder.
constexpr std::size_t kDriveEnd = 6;

/// An absolute, normalized path with the prefix that lifts the limit of 260 characters.
SystemResult<std::wstring> long_path(const std::string &path) {
    const auto wide = to_wide(path);
    if (!wide) {
        return wide;
    }
    const DWORD units = GetFullPathNameW(wide->c_str(), 0, nullptr, nullptr);
    std::wstring full(units, L'\0');
    full.resize(GetFullPathNameW(wide->c_str(), units, full.data(), nullptr));
    if (full.empty()) {
        return last_failure();
    }
    if (full.starts_with(LR"(\\?\)") || full.starts_with(LR"(\\.\)")) {
        return full;
    }
    return full.starts_with(LR"(\\)") ? LR"(\\?\UNC)" + full.substr(1) : LR"(\\?\)" + full;
}

} // namespace

SystemResult<FileHandle> open_path(const std::string &path, DWORD access, DWORD flags) {
    const auto name = long_path(path);
    if (!name) {
        return std::unexpected(name.error());
    }
    // This flag is required for opening folders.
    const HANDLE opened = CreateFileW(name->c_str(), access, kShareAll, nullptr, OPEN_EXISTING,
                                      FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr);
    if (opened == INVALID_HANDLE_VALUE) {
        return last_failure();
    }
    return own(opened);
}

bool is_quota(std::int64_t number) { return number == kDiskQuotaExceeded; }

SystemResult<std::wstring> to_wide(std::string_view text) {
    if (text.empty()) {
        return std::wstring{};
    }
    const int bytes = static_cast<int>(text.size());
    const int units =
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, nullptr, 0);
    if (units == 0) {
        return last_failure();
    }
    std::wstring wide(static_cast<std::size_t>(units), L'\0');
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), bytes, wide.data(), units);
    return wide;
}

std::string to_utf8(std::wstring_view wide, bool &exact) {
    exact = true;
    if (wide.empty()) {
        return {};
    }
    const int units = static_cast<int>(wide.size());
    exact = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide.data(), units, nullptr, 0,
                                nullptr, nullptr) != 0;
    const int bytes =
        WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr);
    std::string text(static_cast<std::size_t>(bytes), '\0');
    WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(), bytes, nullptr, nullptr);
    return text;
}

std::int64_t to_ns(std::int64_t ticks) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max() / kNsPerTick;
    const std::int64_t since_1970 = ticks - kTicksTo1970;
    const std::int64_t bounded = since_1970 < -kMax ? -kMax : since_1970;
    return (bounded > kMax ? kMax : bounded) * kNsPerTick;
}

bool is_link(DWORD attributes, DWORD reparse_tag) {
    return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
           IsReparseTagNameSurrogate(reparse_tag);
}

bool is_link(const FileHandle &file) {
    FILE_ATTRIBUTE_TAG_INFO tag{};
    return GetFileInformationByHandleEx(handle_of(file), FileAttributeTagInfo, &tag, sizeof(tag)) &&
           is_link(tag.FileAttributes, tag.ReparseTag);
}

FileType type_of(DWORD attributes) {
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileType::Folder : FileType::File;
}

SystemResult<std::wstring> final_path(const FileHandle &file) {
    const DWORD units = GetFinalPathNameByHandleW(handle_of(file), nullptr, 0, VOLUME_NAME_DOS);
    std::wstring path(units, L'\0');
    path.resize(GetFinalPathNameByHandleW(handle_of(file), path.data(), units, VOLUME_NAME_DOS));
    if (path.empty()) {
        return last_failure();
    }
    return path;
}

SystemResult<> FileHandle::close() {
    if (!is_open()) {
        return {};
    }
    const BOOL closed = CloseHandle(handle_of(*this));
    native_ = kNone;
    if (!closed) {
        return last_failure();
    }
    return {};
}

SystemResult<std::string> resolve(const std::string &path) {
    const auto file = open_path(path, FILE_READ_ATTRIBUTES, 0);
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto final = final_path(*file);
    if (!final) {
        return std::unexpected(final.error());
    }
    bool exact = false;
    std::string text = to_utf8(*final, exact);
    if (!exact) {
        return std::unexpected(error_of(ERROR_NO_UNICODE_TRANSLATION));
    }
    constexpr std::string_view kUnc = R"(\\?\UNC\)";
    constexpr std::string_view kLong = R"(\\?\)";
    if (text.starts_with(kUnc)) {
        text.replace(0, kUnc.size(), R"(\\)");
    } else if (text.starts_with(kLong)) {
        text.erase(0, kLong.size());
    }
    for (char &byte : text) {
        byte = byte == '\\' ? '/' : byte;
    }
    return text;
}

std::string last_name(const std::string &path) {
    const std::size_t end = path.find_last_not_of("/\\");
    if (end == std::string::npos) {
        return {};
    }
    const std::size_t slash = path.find_last_of("/\\", end);
    const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
    std::string name = path.substr(start, end + 1 - start);
    const bool drive = name.ends_with(':');
    return drive || name == "." || name == ".." ? std::string{} : name;
}

SystemResult<FileStatus> status_of(const std::string &path) {
    const auto file = open_path(path, FILE_READ_ATTRIBUTES, 0);
    if (!file) {
        return std::unexpected(file.error());
    }
    return status_of(*file);
}

namespace {

SystemResult<> make_one_folder(const std::wstring &path) {
    if (CreateDirectoryW(path.c_str(), nullptr)) {
        return {};
    }
    const SystemError error = error_of(GetLastError());
    const DWORD attributes = GetFileAttributesW(path.c_str());
    const bool exists =
        attributes != INVALID_FILE_ATTRIBUTES && type_of(attributes) == FileType::Folder;
    return exists ? SystemResult<>{} : std::unexpected(error);
}

} // namespace

SystemResult<> make_folders(const std::string &path) {
    // std::filesystem doesn't support paths longer than 260 characters.
    auto full = long_path(path);
    if (!full) {
        return std::unexpected(full.error());
    }
    full->erase(full->find_last_not_of(L'\\') + 1);
    if (full->size() == kDriveEnd) {
        // Without the backslash this names the drive, not its root folder.
        full->push_back(L'\\');
    }
    // Go up to the first folder whose parent exists, then down again.
    std::size_t end = full->size();
    SystemResult<> made = make_one_folder(*full);
    while (!made && made.error().number == ERROR_PATH_NOT_FOUND) {
        end = full->rfind(L'\\', end - 1);
        if (end < kDriveEnd) {
            return made;
        }
        made = make_one_folder(full->substr(0, end));
    }
    while (made && end < full->size()) {
        end = std::min(full->find(L'\\', end + 1), full->size());
        made = make_one_folder(full->substr(0, end));
    }
    return made;
}

SystemResult<FileHandle> open_folder(const std::string &path) {
    auto folder = open_path(path, kFolderAccess, 0);
    if (!folder) {
        return folder;
    }
    const auto status = status_of(*folder);
    if (!status || status->type != FileType::Folder) {
        return std::unexpected(error_of(ERROR_DIRECTORY));
    }
    return folder;
}

SystemResult<FileHandle> open_for_reading(const std::string &path) {
    // A reparse point's handle would keep cloud files from being fetched: inspect, then reopen.
    const auto inspected = open_path(path, FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT);
    if (!inspected) {
        return std::unexpected(inspected.error());
    }
    FILE_ATTRIBUTE_TAG_INFO tag{};
    if (!GetFileInformationByHandleEx(handle_of(*inspected), FileAttributeTagInfo, &tag,
                                      sizeof(tag))) {
        return last_failure();
    }
    if (is_link(tag.FileAttributes, tag.ReparseTag)) {
        return std::unexpected(error_of(kStoppedOnSymlink));
    }
    return open_path(path, GENERIC_READ, FILE_FLAG_SEQUENTIAL_SCAN);
}

SystemResult<std::uint64_t> free_bytes(const FileHandle &file) {
    // The Win32 call takes paths, which have limits. Some SDKs lack FILE_FS_FULL_SIZE_INFORMATION.
    struct FullSize {
        std::int64_t all_units = 0;
        std::int64_t free_units_of_user = 0;
        std::int64_t free_units = 0;
        ULONG sectors_of_unit = 0;
        ULONG bytes_of_sector = 0;
    } size;
    constexpr int kFileFsFullSizeInformation = 7;
    using Query = NTSTATUS(NTAPI *)(HANDLE, PIO_STATUS_BLOCK, void *, ULONG, int);
    static const auto query = reinterpret_cast<Query>(reinterpret_cast<void *>(
        GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtQueryVolumeInformationFile")));
    IO_STATUS_BLOCK done{};
    const NTSTATUS result =
        query(handle_of(file), &done, &size, sizeof(size), kFileFsFullSizeInformation);
    if (result < 0) {
        return std::unexpected(error_of(RtlNtStatusToDosError(result)));
    }
    return static_cast<std::uint64_t>(size.free_units_of_user) * size.sectors_of_unit *
           size.bytes_of_sector;
}

SystemResult<VolumeFacts> volume_facts(const FileHandle &folder) {
    constexpr std::uint64_t kMaxFileOnFat = 0xFFFFFFFF;
    constexpr std::uint64_t kLargest = 0x7FFFFFFFFFFFFFFF;
    const auto free = free_bytes(folder);
    if (!free) {
        return std::unexpected(free.error());
    }
    DWORD serial = 0;
    std::array<wchar_t, MAX_PATH + 1> kind{};
    if (!GetVolumeInformationByHandleW(handle_of(folder), nullptr, 0, &serial, nullptr, nullptr,
                                       kind.data(), static_cast<DWORD>(kind.size()))) {
        return last_failure();
    }
    const std::wstring_view name = kind.data();
    const bool fat = name == L"FAT" || name == L"FAT32";
    return VolumeFacts{.free_bytes = *free,
                       .max_file_bytes = fat ? kMaxFileOnFat : kLargest,
                       .id = {.device = serial, .number = 0}};
}

std::string boot_id() {
    // The loader counts the starts, and the kernel shows the count in the page shared with every
    // process (BootId of KUSER_SHARED_DATA in ntddk.h). Boot times change with the clock.
    constexpr std::uintptr_t kSharedBootId = 0x7FFE0000 + 0x2C4;
    const std::uint32_t boot = *reinterpret_cast<const volatile std::uint32_t *>(kSharedBootId);
    return boot == 0 ? std::string{} : "boot-" + std::to_string(boot);
}

} // namespace thru::fs
