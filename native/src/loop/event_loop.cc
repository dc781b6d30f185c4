#include "loop/event_loop.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "loop/continuous_clock.h"
#include "loop/glib.h"
#include "loop/sleep_watch.h"
#include "loop/socket_set.h"
#include "loop/thread_time.h"
#include "loop/wait.h"

namespace thru {

namespace {

/// Minimum pause between two queries of GLib if many sockets are watched: each query visits a
/// source per agent, even if nothing has happened. New GLib sources wait that long too.
constexpr Timestamp kGlibRest = 20 * kMillisecond;

struct Watch {
    std::function<void()> on_ready;
    bool wants_write = false;
    /// True while the socket's data is left unread until `reads_from`.
    bool gathers = false;
    Timestamp reads_from = 0;
};

/// Its warnings are meant for programmers and would mix with a command's output. The handler covers
/// libnice's domain only, so other users of GLib in this process keep theirs.
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
    std::unordered_map<int, Watch> watches;
    SocketSet sockets;
    /// Sockets whose data is left unread for now.
    std::vector<int> delayed;
    /// GLib's own descriptors come first.
    std::vector<GPollFD> polled;
    std::size_t glib_fds = 0;
    gint priority = 0;
    /// Until then GLib has nothing to do unless one of its descriptors is ready.
    Timestamp glib_rests_until = 0;
    std::vector<int> ready;
    SleepWatch sleep{thread_time};
    std::function<void(Timestamp)> woke;
    std::size_t pending = 0;

    Timestamp resume_reads(Timestamp now);
    Timestamp ask_glib(Timestamp now);
    bool run_glib();
};

/// Queries the descriptors that GLib waits for. Returns the deadline of its next timer.
Timestamp EventLoop::State::ask_glib(Timestamp now) {
    // The network thread is the only one that ever acquires the context.
    g_main_context_acquire(context);
    g_main_context_prepare(context, &priority);
    gint timeout_ms = -1;
    const auto query = [&] {
        return static_cast<std::size_t>(
            std::max(0, g_main_context_query(context, priority, &timeout_ms, polled.data(),
                                             static_cast<gint>(polled.size()))));
    };
    glib_fds = query();
    if (glib_fds > polled.size()) {
        polled.resize(glib_fds);
        glib_fds = query();
    }
    return timeout_ms < 0 ? kNever : now + static_cast<Timestamp>(timeout_ms) * kMillisecond;
}

/// Runs GLib's ready sources after a wait; returns false if there were none.
bool EventLoop::State::run_glib() {
    const bool due = g_main_context_check(context, priority, polled.data(),
                                          static_cast<gint>(glib_fds)) != FALSE;
    if (due) {
        g_main_context_dispatch(context);
    }
    g_main_context_release(context);
    return due;
}

/// Waits again for data of sockets whose delay has ended. Returns the next such time.
Timestamp EventLoop::State::resume_reads(Timestamp now) {
    Timestamp next = kNever;
    std::erase_if(delayed, [&](int socket) {
        auto &watch = watches.at(socket);
        if (watch.reads_from > now && !watch.wants_write) {
            next = std::min(next, watch.reads_from);
            return false;
        }
        watch.gathers = false;
        sockets.set(socket, true, watch.wants_write);
        return true;
    });
    return next;
}

EventLoop::EventLoop(Clock clock) : state_(std::make_unique<State>(std::move(clock))) {
    silence_libnice();
}

EventLoop::~EventLoop() { g_main_context_unref(state_->context); }

void EventLoop::prepare_thread() { prepare_waiting_thread(); }

Timestamp EventLoop::now() const { return state_->clock(); }

void EventLoop::run_once(Timestamp deadline) {
    auto &state = *state_;
    const auto start = now();
    const bool asks = start >= state.glib_rests_until;
    const auto glib_due = asks ? state.ask_glib(start) : state.glib_rests_until;
    state.polled.resize(state.glib_fds);
    deadline = std::min({deadline, glib_due, state.resume_reads(start)});
    state.sockets.before_wait(state.polled);

    const auto nanoseconds = deadline > start ? deadline - start : 0;
    state.sleep.before_wait(nanoseconds);
    wait_for(state.polled, state.glib_fds, nanoseconds);
    const auto slept = state.sleep.after_wait(continuous_now());
    if (slept > 0 && state.woke) {
        state.woke(slept);
    }

    const auto waited = std::span(state.polled);
    const bool glib_ready =
        asks ? state.run_glib() : std::ranges::any_of(waited.first(state.glib_fds), [](auto &each) {
            return each.revents != 0;
        });
    state.glib_rests_until = glib_ready || state.watches.size() <= kFewSockets ? 0
                             : asks ? std::min(now() + kGlibRest, glib_due)
                                    : state.glib_rests_until;

    // Callbacks may add or remove watches, so look each one up by its socket.
    state.ready.clear();
    state.sockets.after_wait(waited.subspan(state.glib_fds), state.ready);
    for (const auto socket : state.ready) {
        const auto found = state.watches.find(socket);
        if (found != state.watches.end()) {
            const auto on_ready = found->second.on_ready;
            on_ready();
        }
    }
}

void EventLoop::on_wake(std::function<void(Timestamp)> woke) { state_->woke = std::move(woke); }

void EventLoop::add_pending() { ++state_->pending; }
void EventLoop::remove_pending() { --state_->pending; }
bool EventLoop::has_pending() const { return state_->pending > 0; }

void EventLoop::wake() { g_main_context_wakeup(state_->context); }

void EventLoop::watch(int socket, std::function<void()> on_ready) {
    state_->watches.insert_or_assign(socket, Watch{.on_ready = std::move(on_ready)});
    state_->sockets.set(socket, true, false);
}

void EventLoop::want_write(int socket, bool wanted) {
    const auto found = state_->watches.find(socket);
    if (found == state_->watches.end() || found->second.wants_write == wanted) {
        return;
    }
    found->second.wants_write = wanted;
    if (!found->second.gathers) {
        state_->sockets.set(socket, true, wanted);
    }
}

void EventLoop::delay_reads(int socket, Timestamp until) {
    const auto found = state_->watches.find(socket);
    if (found == state_->watches.end()) {
        return;
    }
    found->second.reads_from = until;
    if (!std::exchange(found->second.gathers, true)) {
        state_->delayed.push_back(socket);
        state_->sockets.set(socket, false, false);
    }
}

void EventLoop::unwatch(int socket) {
    std::erase(state_->delayed, socket);
    if (state_->watches.erase(socket) > 0) {
        state_->sockets.set(socket, false, false);
    }
}

_GMainContext *EventLoop::context() const { return state_->context; }

} // namespace thru
