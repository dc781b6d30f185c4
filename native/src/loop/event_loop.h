// The network thread's wait for ICE's sources, watched sockets, wake-ups, and a deadline in ns.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier): the GLib type's own tag.
struct _GMainContext;

namespace thru {

class EventLoop {
public:
    explicit EventLoop(Clock clock = monotonic_now);
    ~EventLoop();
    EventLoop(const EventLoop &) = delete;
    EventLoop &operator=(const EventLoop &) = delete;

    /// Call this once on the network thread, before the first run_once.
    void prepare_thread();

    /// The current time by the loop's clock. Only code of the network thread that waits or receives
    /// datagrams calls this; all other code takes time as an argument.
    Timestamp now() const;

    /// Waits until something is ready or `deadline` has passed, then runs ICE callbacks and
    /// `on_ready` of watched sockets. Network thread only.
    void run_once(Timestamp deadline);

    /// Ends a wait. Any thread.
    void wake();

    /// Calls `woke` from run_once after the program has been suspended: before any data that
    /// arrived meanwhile is read, with the duration in nanoseconds.
    void on_wake(std::function<void(Timestamp slept)> woke);

    /// Keeps the loop pending while libnice has work on it; each call needs one `remove_pending`.
    void add_pending();
    void remove_pending();
    bool has_pending() const;

    /// Calls `on_ready` when the socket is readable, or writable while that is wanted. The owner
    /// keeps the socket, which has at most one watch.
    void watch(int socket, std::function<void()> on_ready);
    /// Call this before the socket is closed.
    void unwatch(int socket);
    /// Sets whether to wait until the socket is writable; false at first.
    void want_write(int socket, bool wanted);
    /// Leaves a watched socket's data unread until `until`, so that one turn of the loop reads it
    /// all. Has no effect while the socket waits to be writable.
    void delay_reads(int socket, Timestamp until);

    /// The context for libnice agents that run on this loop.
    _GMainContext *context() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
