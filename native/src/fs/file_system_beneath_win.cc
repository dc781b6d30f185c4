// Files below a folder are opened by NtCreateFile relative to its handle, which no Win32 function
// can do. OBJ_DONT_REPARSE makes it refuse links and junctions anywhere in the relative path.
#include <cstring>
#include <utility>
#include <vector>

#include "fs/file_system_win.h"

// Exported by ntdll, but not declared by every SDK.
extern "C" NTSTATUS NTAPI NtSetInformationFile(HANDLE file, PIO_STATUS_BLOCK status, PVOID info,
                                               ULONG length, FILE_INFORMATION_CLASS kind);

namespace thru::fs {

namespace {

/// Refuses a colon, which would begin the name of a stream.
SystemResult<std::wstring> without_stream(std::string_view name) {
    return name.contains(':') ? std::unexpected(error_of(ERROR_INVALID_NAME)) : to_wide(name);
}

/// Opens the same folder with more access than traversal.
SystemResult<FileHandle> open_again(const FileHandle &folder, ACCESS_MASK access) {
    return open_relative(handle_of(folder), "", {.access = access, .options = FILE_DIRECTORY_FILE});
}

/// Values of FILE_INFORMATION_CLASS that some SDKs lack.
enum class Setting : std::uint8_t {
    Rename = 10,
    Link = 11,
    Disposition = 13,
    DispositionEx = 64,
    RenameEx = 65
};

SystemResult<> nt_set_info(const FileHandle &file, Setting kind, void *info, std::size_t bytes) {
    IO_STATUS_BLOCK status{};
    const NTSTATUS result =
        NtSetInformationFile(handle_of(file), &status, info, static_cast<ULONG>(bytes),
                             static_cast<FILE_INFORMATION_CLASS>(kind));
    return result >= 0 ? SystemResult<>{}
                       : std::unexpected(error_of(RtlNtStatusToDosError(result)));
}

/// `flags` are those of FILE_RENAME_INFO; the older call reads only the lowest byte, as "replace".
/// Without `folder` the file stays in its own folder.
SystemResult<> rename(const FileHandle &file, HANDLE folder, const std::wstring &to, ULONG flags,
                      Setting kind) {
    const std::size_t name_bytes = to.size() * sizeof(wchar_t);
    // Elements of 8 bytes give the required alignment.
    std::vector<std::uint64_t> memory((sizeof(FILE_RENAME_INFO) + name_bytes) / 8 + 1);
    auto *info = reinterpret_cast<FILE_RENAME_INFO *>(memory.data());
    std::memcpy(info, &flags, sizeof(flags));
    info->RootDirectory = folder;
    info->FileNameLength = static_cast<DWORD>(name_bytes);
    std::char_traits<wchar_t>::copy(info->FileName, to.data(), to.size());
    return nt_set_info(file, kind, info, memory.size() * 8);
}

/// Opens a file to rename or remove it; waits up to half a second for scanners to release it.
SystemResult<FileHandle> open_to_move(const FileHandle &folder, const std::string &name,
                                      ULONG options) {
    constexpr DWORD kMaxPauseMs = 256;
    for (DWORD pause_ms = 1;; pause_ms *= 2) {
        auto file = open_relative(handle_of(folder), name,
                                  {.access = DELETE, .options = FILE_NON_DIRECTORY_FILE | options});
        if (file || file.error().number != ERROR_SHARING_VIOLATION || pause_ms > kMaxPauseMs) {
            return file;
        }
        Sleep(pause_ms);
    }
}

SystemResult<> rename(const FileHandle &folder, const std::string &from,
                      const FileHandle &to_folder, const std::string &to, bool replace,
                      ULONG options = 0) {
    // FILE_RENAME_REPLACE_IF_EXISTS, _POSIX_SEMANTICS, _IGNORE_READONLY_ATTRIBUTE.
    constexpr ULONG kReplaceAlsoOpenFiles = 0x1 | 0x2 | 0x40;
    const auto name = without_stream(to);
    if (!name) {
        return std::unexpected(name.error());
    }
    const auto file = open_to_move(folder, from, options);
    if (!file) {
        return std::unexpected(file.error());
    }
    const HANDLE root = handle_of(to_folder);
    const ULONG flags = replace ? 1 : 0;
    auto renamed = replace ? rename(*file, root, *name, kReplaceAlsoOpenFiles, Setting::RenameEx)
                           : rename(*file, root, *name, flags, Setting::Rename);
    // FAT and network drives have only the older call, and the latter take no folder handle, which
    // means the file's own folder.
    for (const HANDLE beside : {root, HANDLE{}}) {
        const bool there = beside != nullptr || &folder == &to_folder;
        if (there && !renamed && no_such_call(renamed.error())) {
            renamed = rename(*file, beside, *name, flags, Setting::Rename);
        }
    }
    return renamed;
}

} // namespace

SystemResult<FileHandle> open_relative(HANDLE folder, std::string_view relative,
                                       const Opening &opening) {
    constexpr ULONG kDontReparse = 0x1000; // OBJ_DONT_REPARSE, missing in winternl.h
    auto name = opening.stream ? to_wide(relative) : without_stream(relative);
    if (!name) {
        return std::unexpected(name.error());
    }
    // The system counts the name's bytes in 16 bits.
    constexpr std::size_t kMaxUnits = 0x7FFF;
    if (name->size() > kMaxUnits) {
        return std::unexpected(error_of(ERROR_FILENAME_EXCED_RANGE));
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

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    auto opened = open_relative(handle_of(folder), relative,
                                {.access = kFolderAccess, .options = FILE_DIRECTORY_FILE});
    // The system reports a file in the place of a folder above like a missing one.
    const std::size_t slash = relative.rfind('/');
    if (!opened && opened.error().number == ERROR_PATH_NOT_FOUND &&
        slash != std::string_view::npos) {
        const auto above = open_folder_beneath(folder, relative.substr(0, slash));
        return above ? std::move(opened) : std::unexpected(above.error());
    }
    return opened;
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
                         {.access = FILE_GENERIC_READ | FILE_GENERIC_WRITE,
                          .disposition = FILE_CREATE,
                          .options = FILE_NON_DIRECTORY_FILE,
                          .attributes = attributes});
}

SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name) {
    return open_relative(
        handle_of(folder), name,
        {.access = FILE_GENERIC_READ | FILE_GENERIC_WRITE, .options = FILE_NON_DIRECTORY_FILE});
}

SystemResult<FileHandle> open_beneath_for_reading(const FileHandle &folder,
                                                  std::string_view relative) {
    return open_relative(
        handle_of(folder), relative,
        {.access = FILE_GENERIC_READ, .options = FILE_NON_DIRECTORY_FILE | FILE_SEQUENTIAL_ONLY});
}

SystemResult<FileStatus> status_beneath(const FileHandle &folder, const std::string &name) {
    const auto entry = open_relative(handle_of(folder), name, {.options = FILE_OPEN_REPARSE_POINT});
    if (!entry) {
        return std::unexpected(entry.error());
    }
    auto status = status_of(*entry);
    if (status && is_link(*entry)) {
        status->type = FileType::Link;
    }
    return status;
}

SystemResult<> make_hard_link(const FileHandle &folder, const std::string &from,
                              const FileHandle &to_folder, const std::string &to) {
    const auto name = without_stream(to);
    const auto file =
        name ? open_relative(handle_of(folder), from,
                             {.access = FILE_WRITE_ATTRIBUTES,
                              .options = FILE_NON_DIRECTORY_FILE | FILE_OPEN_REPARSE_POINT})
             : std::unexpected(name.error());
    // FILE_LINK_INFORMATION has the layout of FILE_RENAME_INFO.
    return file ? rename(*file, handle_of(to_folder), *name, 0, Setting::Link)
                : std::unexpected(file.error());
}

SystemResult<> rename_new(const FileHandle &folder, const std::string &from,
                          const std::string &to) {
    return rename(folder, from, folder, to, false);
}

SystemResult<> move_new(const FileHandle &folder, const std::string &from,
                        const FileHandle &to_folder, const std::string &to) {
    return rename(folder, from, to_folder, to, false, FILE_OPEN_REPARSE_POINT);
}

SystemResult<> rename_over(const FileHandle &folder, const std::string &from,
                           const std::string &to) {
    const auto renamed = rename(folder, from, folder, to, true);
    if (!renamed && renamed.error().kind == ErrorKind::Refused) {
        const auto existing = status_beneath(folder, to);
        if (existing && existing->type == FileType::Folder) {
            return std::unexpected(error_of(ERROR_ALREADY_EXISTS));
        }
    }
    return renamed;
}

SystemResult<bool> exchange(const FileHandle & /*folder*/, const std::string & /*first*/,
                            const std::string & /*second*/) {
    return false;
}

SystemResult<> remove_file(const FileHandle &folder, const std::string &name) {
    const auto file = open_to_move(folder, name, FILE_OPEN_REPARSE_POINT);
    if (!file) {
        return std::unexpected(file.error());
    }
    // FILE_DISPOSITION_DELETE, _POSIX_SEMANTICS, _IGNORE_READONLY_ATTRIBUTE: the name is free
    // immediately, even while the file is open elsewhere.
    ULONG at_once = 0x1 | 0x2 | 0x10;
    const auto removed = nt_set_info(*file, Setting::DispositionEx, &at_once, sizeof(at_once));
    if (removed || !no_such_call(removed.error())) {
        return removed;
    }
    // FAT, network drives and older systems: the name lasts until the last handle closes.
    FILE_DISPOSITION_INFO at_close{};
    at_close.DeleteFile = TRUE;
    return nt_set_info(*file, Setting::Disposition, &at_close, sizeof(at_close));
}

SystemResult<> remove_folder(const FileHandle &folder, const std::string &name) {
    const auto opened =
        open_relative(handle_of(folder), name,
                      {.access = DELETE, .options = FILE_DIRECTORY_FILE | FILE_OPEN_REPARSE_POINT});
    if (!opened) {
        return std::unexpected(opened.error());
    }
    FILE_DISPOSITION_INFO at_close{};
    at_close.DeleteFile = TRUE;
    return nt_set_info(*opened, Setting::Disposition, &at_close, sizeof(at_close));
}

SystemResult<> sync_folder(const FileHandle &folder) {
    const auto listing = open_again(folder, FILE_LIST_DIRECTORY | FILE_ADD_FILE);
    SystemResult<> synced =
        listing ? check(FlushFileBuffers(handle_of(*listing))) : std::unexpected(listing.error());
    // Most file systems have no such call for folders: they write names in their own order.
    if (!synced && synced.error().kind == ErrorKind::Refused) {
        return {};
    }
    return synced;
}

SystemResult<bool> sync_file_system(const FileHandle & /*folder*/, std::size_t /*files*/) {
    // Only an administrator may flush a volume.
    return false;
}

SystemResult<FileHandle> open_folder_attributes(const FileHandle &folder) {
    auto writable = open_again(folder, FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES);
    return writable ? std::move(writable) : open_again(folder, FILE_READ_ATTRIBUTES);
}

void set_folder_time(const FileHandle &folder, std::int64_t mtime_ns) {
    const auto writable = open_again(folder, FILE_WRITE_ATTRIBUTES);
    if (writable) {
        set_time(*writable, mtime_ns, 0);
    }
}

} // namespace thru::fs
