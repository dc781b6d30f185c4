#include "path/event_loop.h"

#include <algorithm>
#include <vector>

#include <glib.h>

#include "path/wait.h"

namespace thru {

namespace {

struct Watch {
    int socket;
    std::function<void()> on_ready;
    std::function<bool()> want_write;
};

} // namespace

struct EventLoop::State {
    GMainContext *context = g_main_context_new();
    std::vector<Watch> watches;
    std::vector<GPollFD> polled;
};

EventLoop::EventLoop() : state_(std::make_unique<State>()) {}

EventLoop::~EventLoop() { g_main_context_unref(state_->context); }

void EventLoop::prepare_thread() { prepare_waiting_thread(); }

void EventLoop::run_once(Timestamp deadline) {
    auto &state = *state_;
    // Acquired by whichever thread runs the loop; it is the only one that ever does.
    g_main_context_acquire(state.context);
    gint priority = 0;
    g_main_context_prepare(state.context, &priority);

    gint timeout_ms = -1;
    auto glib_fds = static_cast<std::size_t>(
        std::max(0, g_main_context_query(state.context, priority, &timeout_ms, state.polled.data(),
                                         static_cast<gint>(state.polled.size()))));
    if (glib_fds > state.polled.size()) {
        state.polled.resize(glib_fds);
        glib_fds = static_cast<std::size_t>(
            g_main_context_query(state.context, priority, &timeout_ms, state.polled.data(),
                                 static_cast<gint>(state.polled.size())));
    }
    state.polled.resize(glib_fds);
    for (const auto &watch : state.watches) {
        const auto events = static_cast<gushort>(watch.want_write() ? G_IO_IN | G_IO_OUT : G_IO_IN);
        state.polled.push_back({watch.socket, events, 0});
    }

    const auto now = monotonic_now();
    auto nanoseconds = deadline > now ? deadline - now : 0;
    if (timeout_ms >= 0) {
        nanoseconds =
            std::min<Timestamp>(nanoseconds, static_cast<Timestamp>(timeout_ms) * kMillisecond);
    }
    wait_for(state.polled, nanoseconds);

    if (g_main_context_check(state.context, priority, state.polled.data(),
                             static_cast<gint>(glib_fds)) != FALSE) {
        g_main_context_dispatch(state.context);
    }
    g_main_context_release(state.context);

    // A callback may add or remove watches: find each again by its socket.
    std::vector<int> ready;
    for (auto index = glib_fds; index < state.polled.size(); ++index) {
        if (state.polled[index].revents != 0) {
            ready.push_back(static_cast<int>(state.polled[index].fd));
        }
    }
    for (const auto socket : ready) {
        const auto found = std::ranges::find(state.watches, socket, &Watch::socket);
        if (found != state.watches.end()) {
            const auto on_ready = found->on_ready;
            on_ready();
        }
    }
}

void EventLoop::wake() { g_main_context_wakeup(state_->context); }

void EventLoop::watch(int socket, std::function<void()> on_ready,
                      std::function<bool()> want_write) {
    state_->watches.push_back({socket, std::move(on_ready), std::move(want_write)});
}

void EventLoop::unwatch(int socket) {
    std::erase_if(state_->watches, [&](const Watch &watch) { return watch.socket == socket; });
}

_GMainContext *EventLoop::context() const { return state_->context; }

} // namespace thru
