#include "fs/standard_stream.h"

#include <algorithm>

#include "fs/file_system_win.h"

namespace thru::fs {

namespace {

constexpr std::size_t kMostAtOnce = 64 * 1024;

HANDLE standard_handle(int descriptor) {
    return GetStdHandle(descriptor == 2 ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
}

} // namespace

/// A write waits for the reader: Windows can't tell how much a pipe takes at once.
SystemResult<std::size_t> write_stream(int descriptor, ByteView bytes, std::chrono::milliseconds) {
    DWORD put = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
    if (!WriteFile(standard_handle(descriptor), bytes.data(), size, &put, nullptr)) {
        const DWORD error = GetLastError();
        const bool unread = error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA;
        return std::unexpected(unread ? SystemError{.kind = ErrorKind::NotFound, .number = error}
                                      : error_of(error));
    }
    return put;
}

} // namespace thru::fs
