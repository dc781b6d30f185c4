// Windows waits only for handles. GLib's own descriptors are handles; a socket is included through
// an event that is signaled when something happens on it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <winsock2.h>

#include <windows.h>

#include "loop/wait.h"

namespace thru {

namespace {

// Available since Windows 10 1803; older SDKs lack the name.
constexpr DWORD kHighResolutionTimer = 0x2;
constexpr Timestamp kTimerTick = 100;

struct HandleCloser {
    void operator()(void *handle) const { CloseHandle(handle); }
};
using OwnedHandle = std::unique_ptr<void, HandleCloser>;

/// State of a waiting thread, created once because each part costs a system call.
struct WaitingThread {
    /// Signaled when something happens on any socket; reset before each wait.
    OwnedHandle sockets{CreateEventW(nullptr, TRUE, FALSE, nullptr)};
    /// Wakes within tens of microseconds; null on systems without such timers.
    OwnedHandle timer{
        CreateWaitableTimerExW(nullptr, nullptr, kHighResolutionTimer, TIMER_ALL_ACCESS)};
    std::vector<WSAPOLLFD> polled;
    std::vector<GPollFD> waited;
};

/// One WaitingThread per thread, freed when the thread ends. Not thread_local: GCC for Windows
/// frees such objects before it destroys them when a thread ends.
class WaitingThreads {
public:
    WaitingThreads() : slot_(FlsAlloc(end)) {}
    ~WaitingThreads() { FlsFree(slot_); }
    WaitingThreads(const WaitingThreads &) = delete;
    WaitingThreads &operator=(const WaitingThreads &) = delete;

    WaitingThread &current() const {
        auto *thread = static_cast<WaitingThread *>(FlsGetValue(slot_));
        if (thread == nullptr) {
            thread = std::make_unique<WaitingThread>().release();
            FlsSetValue(slot_, thread);
        }
        return *thread;
    }

private:
    static void WINAPI end(void *thread) {
        const std::unique_ptr<WaitingThread> owned(static_cast<WaitingThread *>(thread));
    }

    DWORD slot_;
};

WaitingThread &waiting_thread() {
    static const WaitingThreads threads;
    return threads.current();
}

/// Lets the non-blocking sockets signal an event during its lifetime. Each association is made
/// again, because GLib associates its own event with a socket whenever libnice reads it.
class SocketsEvent {
public:
    SocketsEvent(std::span<const GPollFD> sockets, HANDLE event) : sockets_(sockets) {
        ResetEvent(event);
        for (const auto &each : sockets_) {
            const long wanted = FD_READ | FD_CLOSE | ((each.events & G_IO_OUT) != 0 ? FD_WRITE : 0);
            // If the socket is already ready, this call signals the event.
            WSAEventSelect(static_cast<SOCKET>(each.fd), event, wanted);
        }
    }
    ~SocketsEvent() {
        for (const auto &each : sockets_) {
            WSAEventSelect(static_cast<SOCKET>(each.fd), nullptr, 0);
        }
    }
    SocketsEvent(const SocketsEvent &) = delete;
    SocketsEvent &operator=(const SocketsEvent &) = delete;

private:
    std::span<const GPollFD> sockets_;
};

/// Fills `revents` of the sockets without waiting; returns true if any is ready.
bool poll_sockets(std::span<GPollFD> sockets) {
    auto &polled = waiting_thread().polled;
    polled.clear();
    for (const auto &each : sockets) {
        const auto events = (each.events & G_IO_OUT) != 0 ? POLLRDNORM | POLLWRNORM : POLLRDNORM;
        polled.push_back({static_cast<SOCKET>(each.fd), static_cast<SHORT>(events), 0});
    }
    if (polled.empty() || WSAPoll(polled.data(), static_cast<ULONG>(polled.size()), 0) <= 0) {
        return false;
    }
    for (std::size_t index = 0; index < polled.size(); ++index) {
        const auto happened = polled[index].revents;
        sockets[index].revents = static_cast<gushort>(
            ((happened & (POLLRDNORM | POLLERR | POLLHUP)) != 0 ? G_IO_IN : 0) |
            ((happened & POLLWRNORM) != 0 ? G_IO_OUT : 0));
    }
    return true;
}

/// Waits to a precision of 100 ns; false if there is no such timer, or there are too many handles.
bool wait_precisely(std::span<const GPollFD> handles, HANDLE timer, Timestamp nanoseconds) {
    if (timer == nullptr || handles.size() >= MAXIMUM_WAIT_OBJECTS) {
        return false;
    }
    std::array<HANDLE, MAXIMUM_WAIT_OBJECTS> waited{timer};
    std::ranges::transform(handles, waited.begin() + 1, [](const GPollFD &each) {
        return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(each.fd));
    });
    LARGE_INTEGER due{};
    due.QuadPart = -static_cast<LONGLONG>(nanoseconds / kTimerTick); // negative: relative
    if (!SetWaitableTimer(timer, &due, 0, nullptr, nullptr, FALSE)) {
        return false;
    }
    const auto count = static_cast<DWORD>(handles.size() + 1);
    return WaitForMultipleObjects(count, waited.data(), FALSE, INFINITE) != WAIT_FAILED;
}

} // namespace

void prepare_waiting_thread() { waiting_thread(); }

void wait_for(std::span<GPollFD> descriptors, std::size_t glib_count, Timestamp nanoseconds) {
    constexpr Timestamp kLongest = 60 * kSecond;
    nanoseconds = std::min(nanoseconds, kLongest);
    const auto handles = descriptors.first(glib_count);
    const auto sockets = descriptors.subspan(glib_count);
    const auto poll_handles = [&](std::span<GPollFD> polled, gint milliseconds) {
        g_poll(polled.data(), static_cast<guint>(polled.size()), milliseconds);
    };
    if (nanoseconds == 0 || poll_sockets(sockets)) {
        poll_handles(handles, 0);
        poll_sockets(sockets);
        return;
    }
    auto &thread = waiting_thread();
    {
        auto &waited = thread.waited;
        waited.assign(handles.begin(), handles.end());
        const auto event = reinterpret_cast<std::intptr_t>(thread.sockets.get());
        waited.push_back({static_cast<gint64>(event), G_IO_IN, 0});
        const SocketsEvent associated(sockets, thread.sockets.get());
        if (!wait_precisely(waited, thread.timer.get(), nanoseconds)) {
            // Rounded down so that pacing is never late; the loop waits again for the rest.
            poll_handles(waited, static_cast<gint>(nanoseconds / kMillisecond));
        }
    }
    poll_handles(handles, 0);
    poll_sockets(sockets);
}

} // namespace thru
