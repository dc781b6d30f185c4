#include "path/event_loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "path/continuous_clock.h"
#include "path/glib.h"
#include "path/sleep_watch.h"
#include "path/thread_time.h"
#include "path/wait.h"

namespace thru {

namespace {

struct Watch {
    int socket;
    std::function<void()> on_ready;
    std::function<bool()> want_write;
    Timestamp reads_from = 0;
};

/// Its warnings are for programmers and would stand among what a command prints. The handler is of
/// libnice's domain only: others in this process that use GLib keep theirs.
void silence_libnice() {
    static const auto handler = g_log_set_handler(
        "libnice",
        static_cast<GLogLevelFlags>(G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO |
                                    G_LOG_LEVEL_DEBUG),
        [](const gchar *, GLogLevelFlags, const gchar *, gpointer) {}, nullptr);
    static_cast<void>(handler);
}

} // namespace

struct EventLoop::State {
    explicit State(Clock asked) : clock(std::move(asked)) {}

    Clock clock;
    GMainContext *context = g_main_context_new();
    std::vector<Watch> watches;
    std::vector<GPollFD> polled;
    std::vector<int> ready;
    SleepWatch sleep{thread_time};
    std::function<void(Timestamp)> woke;
    std::size_t pending = 0;
};

EventLoop::EventLoop(Clock clock) : state_(std::make_unique<State>(std::move(clock))) {
    silence_libnice();
}

EventLoop::~EventLoop() { g_main_context_unref(state_->context); }

void EventLoop::prepare_thread() { prepare_waiting_thread(); }

Timestamp EventLoop::now() const { return state_->clock(); }

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
    const auto start = now();
    for (const auto &watch : state.watches) {
        const bool writes = watch.want_write();
        if (watch.reads_from > start && !writes) {
            deadline = std::min(deadline, watch.reads_from);
            continue;
        }
        const auto events = static_cast<gushort>(writes ? G_IO_IN | G_IO_OUT : G_IO_IN);
        state.polled.push_back({watch.socket, events, 0});
    }

    auto nanoseconds = deadline > start ? deadline - start : 0;
    if (timeout_ms >= 0) {
        nanoseconds =
            std::min<Timestamp>(nanoseconds, static_cast<Timestamp>(timeout_ms) * kMillisecond);
    }
    state.sleep.before_wait(nanoseconds);
    wait_for(state.polled, glib_fds, nanoseconds);
    const auto slept = state.sleep.after_wait(continuous_now());
    if (slept > 0 && state.woke) {
        state.woke(slept);
    }

    if (g_main_context_check(state.context, priority, state.polled.data(),
                             static_cast<gint>(glib_fds)) != FALSE) {
        g_main_context_dispatch(state.context);
    }
    g_main_context_release(state.context);

    // A callback may add or remove watches: find each again by its socket.
    state.ready.clear();
    for (auto index = glib_fds; index < state.polled.size(); ++index) {
        if (state.polled[index].revents != 0) {
            state.ready.push_back(static_cast<int>(state.polled[index].fd));
        }
    }
    for (const auto socket : state.ready) {
        const auto found = std::ranges::find(state.watches, socket, &Watch::socket);
        if (found != state.watches.end()) {
            const auto on_ready = found->on_ready;
            on_ready();
        }
    }
}

void EventLoop::on_wake(std::function<void(Timestamp)> woke) { state_->woke = std::move(woke); }

void EventLoop::add_pending() { ++state_->pending; }
void EventLoop::remove_pending() { --state_->pending; }
bool EventLoop::has_pending() const { return state_->pending > 0; }

void EventLoop::wake() { g_main_context_wakeup(state_->context); }

void EventLoop::watch(int socket, std::function<void()> on_ready,
                      std::function<bool()> want_write) {
    state_->watches.push_back({socket, std::move(on_ready), std::move(want_write)});
}

void EventLoop::delay_reads(int socket, Timestamp until) {
    const auto found = std::ranges::find(state_->watches, socket, &Watch::socket);
    if (found != state_->watches.end()) {
        found->reads_from = until;
    }
}

void EventLoop::unwatch(int socket) {
    std::erase_if(state_->watches, [&](const Watch &watch) { return watch.socket == socket; });
}

_GMainContext *EventLoop::context() const { return state_->context; }

} // namespace thru
