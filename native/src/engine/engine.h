// The engine: a network thread that owns every session, and a disk pool. Commands go down through a
// bounded queue, events come up through an EventBuffer. Thread-safe where it says so.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/commands.h"
#include "engine/events.h"

namespace thru {

class Engine {
public:
    /// `on_events_waiting` is called on the network thread when events begin to wait. Throws
    /// std::system_error when no thread can be started.
    explicit Engine(std::function<void()> on_events_waiting, Clock clock = monotonic_now);
    /// Closes first.
    ~Engine();
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    /// Any thread. EngineBusy when the queue is full, EngineClosed after close.
    Result<> post(Command command);
    /// Events that wait, oldest first. Any thread.
    std::vector<Event> take_events();
    /// Reads the clock again after it jumped. Any thread.
    void wake();
    /// Ends every session, joins the threads. Any thread but the network's; more than once.
    void close();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
