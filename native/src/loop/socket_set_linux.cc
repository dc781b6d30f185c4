#include <array>
#include <cerrno>

#include <sys/epoll.h>
#include <unistd.h>

#include "loop/polled_sockets.h"
#include "loop/socket_set.h"

namespace thru {

namespace {

/// Maximum number of events read from the kernel per turn.
constexpr std::size_t kMaxReady = 256;

void tell(int list, int socket, bool reads, bool writes) {
    epoll_event event{};
    event.events = (reads ? unsigned{EPOLLIN} : 0U) | (writes ? unsigned{EPOLLOUT} : 0U);
    event.data.fd = socket;
    if (event.events == 0) {
        epoll_ctl(list, EPOLL_CTL_DEL, socket, &event);
    } else if (epoll_ctl(list, EPOLL_CTL_MOD, socket, &event) != 0 && errno == ENOENT) {
        epoll_ctl(list, EPOLL_CTL_ADD, socket, &event);
    }
}

} // namespace

struct SocketSet::State {
    State() = default;
    ~State() {
        if (list >= 0) {
            ::close(list);
        }
    }
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    /// All sockets, until the kernel keeps the list.
    PolledSockets polled;
    /// The kernel's list; -1 while there are few sockets or no descriptor is free for it.
    int list = -1;
};

SocketSet::SocketSet() : state_(std::make_unique<State>()) {}
SocketSet::~SocketSet() = default;

void SocketSet::set(int socket, bool reads, bool writes) {
    auto &[polled, list] = *state_;
    if (list >= 0) {
        tell(list, socket, reads, writes);
        return;
    }
    polled.set(socket, reads, writes);
    if (polled.all().size() <= kFewSockets) {
        return;
    }
    list = epoll_create1(EPOLL_CLOEXEC);
    if (list >= 0) {
        for (const auto &each : polled.all()) {
            tell(list, each.fd, (each.events & G_IO_IN) != 0, (each.events & G_IO_OUT) != 0);
        }
        polled.clear();
    }
}

void SocketSet::before_wait(std::vector<GPollFD> &polled) const {
    state_->polled.before_wait(polled);
    if (state_->list >= 0) {
        polled.push_back({state_->list, G_IO_IN, 0});
    }
}

void SocketSet::after_wait(std::span<const GPollFD> waited, std::vector<int> &ready) const {
    if (state_->list < 0) {
        PolledSockets::after_wait(waited, ready);
        return;
    }
    // The list may have been created after the wait.
    if (waited.size() == 1 && waited.front().revents == 0) {
        return;
    }
    std::array<epoll_event, kMaxReady> events{};
    const auto count = epoll_wait(state_->list, events.data(), kMaxReady, 0);
    for (int index = 0; index < count; ++index) {
        ready.push_back(events.at(static_cast<std::size_t>(index)).data.fd);
    }
}

} // namespace thru
