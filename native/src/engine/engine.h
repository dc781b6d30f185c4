// The engine: a network thread that owns every session, and a disk pool. Commands enter through a
// bounded queue; events leave through an EventBuffer. Methods are thread-safe where noted.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/commands.h"
#include "engine/events.h"

namespace thru {

class Engine {
public:
    /// Calls `on_events_waiting` on the network thread when the first event is queued. Throws
    /// std::system_error if no thread can be started.
    explicit Engine(std::function<void()> on_events_waiting, Clock clock = monotonic_now);
    /// Closes first.
    ~Engine();
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    /// Any thread. EngineBusy when the queue is full, EngineClosed after close.
    Result<> post(Command command);
    /// Returns waiting events, oldest first. Any thread.
    std::vector<Event> take_events();
    /// Rereads the clock after it jumped. Any thread.
    void wake();
    /// Ends every session and joins the threads. Any thread but the network's; may be repeated.
    void close();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
