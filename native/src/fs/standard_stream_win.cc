#include "fs/standard_stream.h"

#include <algorithm>
#include <thread>

#include "fs/file_system_win.h"

namespace thru::fs {

namespace {

/// Windows has no wait for a pipe's data, so this polls at an interval.
constexpr std::chrono::milliseconds kLookEvery{10};
constexpr std::size_t kMaxAtOnce = 64 * 1024;

HANDLE standard_handle(int descriptor) {
    return GetStdHandle(descriptor == 0 ? STD_INPUT_HANDLE : STD_OUTPUT_HANDLE);
}

bool is_end(DWORD error) { return error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF; }

} // namespace

SystemResult<Flow> read_stream(int descriptor, MutableByteView out,
                               std::chrono::milliseconds patience) {
    const HANDLE handle = standard_handle(descriptor);
    if (GetFileType(handle) == FILE_TYPE_PIPE) {
        DWORD there = 0;
        for (auto waited = std::chrono::milliseconds(0); there == 0; waited += kLookEvery) {
            if (!PeekNamedPipe(handle, nullptr, 0, nullptr, &there, nullptr)) {
                const DWORD error = GetLastError();
                return is_end(error) ? SystemResult<Flow>(Flow{.ended = true})
                                     : std::unexpected(error_of(error));
            }
            if (there == 0 && waited >= patience) {
                return Flow{};
            }
            if (there == 0) {
                std::this_thread::sleep_for(kLookEvery);
            }
        }
    }
    DWORD got = 0;
    if (!ReadFile(handle, out.data(), static_cast<DWORD>(std::min(out.size(), kMaxAtOnce)), &got,
                  nullptr)) {
        const DWORD error = GetLastError();
        return is_end(error) ? SystemResult<Flow>(Flow{.ended = true})
                             : std::unexpected(error_of(error));
    }
    return Flow{.bytes = got, .ended = got == 0 && !out.empty()};
}

/// A write blocks until the reader accepts it: Windows can't report a pipe's free space.
SystemResult<Flow> write_stream(int descriptor, ByteView bytes, std::chrono::milliseconds) {
    DWORD put = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), kMaxAtOnce));
    if (!WriteFile(standard_handle(descriptor), bytes.data(), size, &put, nullptr)) {
        const DWORD error = GetLastError();
        const bool unread = error == ERROR_BROKEN_PIPE || error == ERROR_NO_DATA;
        return std::unexpected(unread ? SystemError{.kind = ErrorKind::NotFound, .number = error}
                                      : error_of(error));
    }
    return Flow{.bytes = put};
}

} // namespace thru::fs
