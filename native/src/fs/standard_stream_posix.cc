#include "fs/standard_stream.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <poll.h>
#include <unistd.h>

#include "fs/file_system_posix.h"

namespace thru::fs {

namespace {

enum class Ready : std::uint8_t { No, Yes };

SystemResult<Ready> wait_for(int descriptor, short events, std::chrono::milliseconds patience) {
    pollfd polled{.fd = descriptor, .events = events, .revents = 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(patience.count()));
    if (ready < 0) {
        return errno == EINTR ? SystemResult<Ready>(Ready::No) : std::unexpected(last_error());
    }
    if ((polled.revents & POLLNVAL) != 0) {
        return std::unexpected(error_of(EBADF));
    }
    // The next call reports an error of the stream.
    return ready == 0 ? Ready::No : Ready::Yes;
}

bool is_nothing_yet() { return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK; }

/// Maximum size of a write that doesn't block after poll reports the descriptor writable. Files
/// accept everything; a shared pipe guarantees only PIPE_BUF.
std::size_t writable_at_once(int descriptor, std::size_t wanted) {
    struct stat status{};
    const bool is_file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    return is_file ? wanted : std::min<std::size_t>(wanted, PIPE_BUF);
}

} // namespace

SystemResult<Flow> read_stream(int descriptor, MutableByteView out,
                               std::chrono::milliseconds patience) {
    const auto ready = wait_for(descriptor, POLLIN, patience);
    if (!ready) {
        return std::unexpected(ready.error());
    }
    if (*ready == Ready::No) {
        return Flow{};
    }
    const auto got = ::read(descriptor, out.data(), out.size());
    if (got < 0) {
        return is_nothing_yet() ? SystemResult<Flow>(Flow{}) : std::unexpected(last_error());
    }
    return Flow{.bytes = static_cast<std::size_t>(got), .ended = got == 0 && !out.empty()};
}

SystemResult<Flow> write_stream(int descriptor, ByteView bytes,
                                std::chrono::milliseconds patience) {
    const auto most = writable_at_once(descriptor, bytes.size());
    Flow flow;
    // Only the first wait may block; writes that are possible right after it are added.
    for (auto wait = patience; flow.bytes < bytes.size(); wait = std::chrono::milliseconds(0)) {
        const auto ready = wait_for(descriptor, POLLOUT, wait);
        if (!ready) {
            return std::unexpected(ready.error());
        }
        if (*ready == Ready::No) {
            return flow;
        }
        const auto some =
            bytes.subspan(flow.bytes).first(std::min(most, bytes.size() - flow.bytes));
        const auto put = ::write(descriptor, some.data(), some.size());
        if (put < 0 && is_nothing_yet()) {
            return flow;
        }
        if (put < 0) {
            const bool unread = errno == EPIPE || errno == ECONNRESET;
            return std::unexpected(
                unread ? SystemError{.kind = ErrorKind::NotFound, .number = errno} : last_error());
        }
        flow.bytes += static_cast<std::size_t>(put);
    }
    return flow;
}

} // namespace thru::fs
