// Shared by the Windows sources of this folder, and private to them.
#pragma once

#include <string>
#include <string_view>

#include <windows.h>

#include <winternl.h>

#include "fs/file_system.h"

namespace thru::fs {

// Error numbers that some SDKs lack.
inline constexpr DWORD kNoSuchDevice = 433;
inline constexpr DWORD kFileSystemLimitation = 665;
inline constexpr DWORD kStoppedOnSymlink = 681;
inline constexpr DWORD kDiskQuotaExceeded = 1295;
inline constexpr DWORD kReparsePointEncountered = 4395;

/// FILETIME counts 100 ns from 1601.
inline constexpr std::int64_t kTicksTo1970 = 116'444'736'000'000'000;
inline constexpr std::int64_t kNsPerTick = 100;

inline HANDLE handle_of(const FileHandle &file) { return reinterpret_cast<HANDLE>(file.native()); }
inline FileHandle own(HANDLE handle) {
    return FileHandle(reinterpret_cast<FileHandle::Native>(handle));
}

SystemError error_of(DWORD number);
inline std::unexpected<SystemError> last_failure() {
    return std::unexpected(error_of(GetLastError()));
}

/// last_failure() unless a call succeeded.
inline SystemResult<> check(BOOL succeeded) {
    if (!succeeded) {
        return last_failure();
    }
    return {};
}
/// True if this drive's file system doesn't support the call.
bool no_such_call(const SystemError &error);

SystemResult<std::wstring> to_wide(std::string_view text);
/// Halves of surrogate pairs become U+FFFD; `exact` is true if there were none.
std::string to_utf8(std::wstring_view wide, bool &exact);

/// The path with the prefix of long paths.
SystemResult<std::wstring> final_path(const FileHandle &file);

/// Bytes that this user may still write to the disk of an open file or folder.
SystemResult<std::uint64_t> free_bytes(const FileHandle &file);

/// Times out of range are clamped.
std::int64_t to_ns(std::int64_t ticks);
/// FAT has no change time.
inline std::int64_t change_time(const LARGE_INTEGER &change, const LARGE_INTEGER &write) {
    return to_ns(change.QuadPart != 0 ? change.QuadPart : write.QuadPart);
}
/// Sets modification time and FILE_ATTRIBUTE_*; attributes of 0 leave them unchanged.
void set_time(const FileHandle &file, std::int64_t mtime_ns, DWORD attributes);
/// True for links and junctions, false for cloud files that have to be fetched.
bool is_link(DWORD attributes, DWORD reparse_tag);
/// True if the file, opened with FILE_OPEN_REPARSE_POINT, is such a link.
bool is_link(const FileHandle &file);
FileType type_of(DWORD attributes);

inline constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
inline constexpr ACCESS_MASK kFolderAccess =
    FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;

/// CreateFileW for an existing path; follows links unless `flags` say otherwise.
SystemResult<FileHandle> open_path(const std::string &path, DWORD access, DWORD flags);

/// Parameters of NtCreateFile.
struct Opening {
    ACCESS_MASK access = 0;
    ULONG disposition = FILE_OPEN;
    ULONG options = 0;
    ULONG attributes = FILE_ATTRIBUTE_NORMAL;
    /// True for a stream of the file; otherwise a name with a colon is refused.
    bool stream = false;
};
/// Opens a path below a folder without following links; the folder itself if `relative` is empty.
SystemResult<FileHandle> open_relative(HANDLE folder, std::string_view relative,
                                       const Opening &opening);

} // namespace thru::fs
