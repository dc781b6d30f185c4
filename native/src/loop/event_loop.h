// The network thread's wait: ICE's own sources, sockets that are watched, wake-ups from other
// threads, and a deadline in nanoseconds.
#pragma once

#include <cstdint>
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

    /// Once, on the network thread, before the first run_once.
    void prepare_thread();

    /// Now, by the loop's clock. On the network thread, where it waits and where datagrams arrive;
    /// everything else takes time as an argument.
    Timestamp now() const;

    /// Waits until something is ready or now() reached `deadline`, then runs what is ready:
    /// ICE callbacks and `on_ready` of watched sockets. Called on the network thread only.
    void run_once(Timestamp deadline);

    /// Ends a wait from any thread.
    void wake();

    /// Calls `woke` from within run_once when this program stood still for long: before anything
    /// that arrived meanwhile is read, with the time in nanoseconds.
    void on_wake(std::function<void(Timestamp slept)> woke);

    /// Something of libnice still has work on this loop, until `remove_pending` is called as often.
    void add_pending();
    void remove_pending();
    bool has_pending() const;

    /// Calls `on_ready` when the socket can be read, or written while that is wanted. The socket
    /// stays its owner's; one watch for each.
    void watch(int socket, std::function<void()> on_ready);
    /// Before the socket is closed.
    void unwatch(int socket);
    /// Whether a watched socket waits for being writable; not, at first.
    void want_write(int socket, bool wanted);
    /// Lets data of a watched socket gather until `until`, so that one turn of the loop reads it;
    /// not while the socket waits for being writable.
    void delay_reads(int socket, Timestamp until);

    /// For libnice agents that run on this loop.
    _GMainContext *context() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
