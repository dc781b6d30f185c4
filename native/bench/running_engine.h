#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace thru {

/// An engine whose events are handed on by a thread of this object.
class RunningEngine {
public:
    explicit RunningEngine(std::function<void(const Event &)> on_event);
    ~RunningEngine();
    RunningEngine(const RunningEngine &) = delete;
    RunningEngine &operator=(const RunningEngine &) = delete;

    /// Waits while too many commands wait; nothing once it is closed. Any thread.
    void post(const Command &command);
    /// No event comes any more. More than once; not on the thread that hands them on.
    void close();

private:
    void deliver();

    std::function<void(const Event &)> on_event_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool waiting_ = false;
    bool stopped_ = false;
    Engine engine_;
    std::thread thread_;
};

} // namespace thru
