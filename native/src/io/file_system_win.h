// What the Windows implementations share. Private to file_system_*win.cc and folder_reader_win.cc.
#pragma once

#include <string>
#include <string_view>

#include <windows.h>

#include <winternl.h>

#include "io/file_system.h"

namespace thru::fs {

// Error numbers that not every SDK names.
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

SystemResult<std::wstring> to_wide(std::string_view text);
/// Halves of surrogate pairs become U+FFFD; `exact` tells whether there were none.
std::string to_utf8(std::wstring_view wide, bool &exact);

/// With the prefix of long paths.
SystemResult<std::wstring> final_path(const FileHandle &file);

/// Times that don't fit become the nearest that does.
std::int64_t to_ns(std::int64_t ticks);
/// Links and junctions, not files that a cloud service has yet to fetch.
bool is_link(DWORD attributes, DWORD reparse_tag);
FileType type_of(DWORD attributes);

inline constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
inline constexpr ACCESS_MASK kFolderAccess =
    FILE_LIST_DIRECTORY | FILE_TRAVERSE | FILE_READ_ATTRIBUTES | SYNCHRONIZE;

} // namespace thru::fs
