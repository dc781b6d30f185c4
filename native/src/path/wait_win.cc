// Windows waits for handles only, and GLib's own descriptors are handles: a socket takes part
// through an event that is signalled when something happens on it.
#include <algorithm>
#include <memory>
#include <vector>

#include <winsock2.h>

#include "path/wait.h"

namespace thru {

namespace {

struct EventCloser {
    void operator()(void *event) const { WSACloseEvent(event); }
};

/// One event for all sockets: which of them are ready is asked afterwards, by WSAPoll. They stay
/// non-blocking when the association ends.
class SocketsEvent {
public:
    SocketsEvent(std::span<const GPollFD> sockets) : event_(WSACreateEvent()) {
        for (const auto &each : sockets) {
            const long wanted = FD_READ | FD_CLOSE | ((each.events & G_IO_OUT) != 0 ? FD_WRITE : 0);
            WSAEventSelect(static_cast<SOCKET>(each.fd), event_.get(), wanted);
            sockets_.push_back(static_cast<SOCKET>(each.fd));
        }
    }
    ~SocketsEvent() {
        for (const auto socket : sockets_) {
            WSAEventSelect(socket, nullptr, 0);
        }
    }
    SocketsEvent(const SocketsEvent &) = delete;
    SocketsEvent &operator=(const SocketsEvent &) = delete;

    WSAEVENT get() const { return event_.get(); }

private:
    std::unique_ptr<void, EventCloser> event_;
    std::vector<SOCKET> sockets_;
};

void poll_sockets(std::span<GPollFD> sockets) {
    std::vector<WSAPOLLFD> polled;
    for (const auto &each : sockets) {
        const SHORT events = static_cast<SHORT>(
            (each.events & G_IO_OUT) != 0 ? POLLRDNORM | POLLWRNORM : POLLRDNORM);
        polled.push_back({static_cast<SOCKET>(each.fd), events, 0});
    }
    if (polled.empty() || WSAPoll(polled.data(), static_cast<ULONG>(polled.size()), 0) <= 0) {
        return;
    }
    for (std::size_t index = 0; index < polled.size(); ++index) {
        const auto happened = polled[index].revents;
        sockets[index].revents = static_cast<gushort>(
            ((happened & (POLLRDNORM | POLLERR | POLLHUP)) != 0 ? G_IO_IN : 0) |
            ((happened & POLLWRNORM) != 0 ? G_IO_OUT : 0));
    }
}

} // namespace

void prepare_waiting_thread() {}

void wait_for(std::span<GPollFD> descriptors, std::size_t glib_count, Timestamp nanoseconds) {
    // Rounded down so that pacing is never late: the loop waits again for the rest.
    constexpr Timestamp kLongestMs = 60'000;
    const auto milliseconds = static_cast<gint>(std::min(nanoseconds / kMillisecond, kLongestMs));
    const auto sockets = descriptors.subspan(glib_count);
    std::vector<GPollFD> handles(descriptors.begin(),
                                 descriptors.begin() + static_cast<std::ptrdiff_t>(glib_count));
    const SocketsEvent event(sockets);
    handles.push_back({reinterpret_cast<gintptr>(event.get()), G_IO_IN, 0});
    g_poll(handles.data(), static_cast<guint>(handles.size()), milliseconds);
    std::copy_n(handles.begin(), glib_count, descriptors.begin());
    poll_sockets(sockets);
}

} // namespace thru
