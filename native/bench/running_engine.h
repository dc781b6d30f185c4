#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "engine/engine.h"

namespace thru {

/// An engine whose events are delivered by a thread of this object.
class RunningEngine {
public:
    explicit RunningEngine(std::function<void(const Event &)> on_event);
    ~RunningEngine();
    RunningEngine(const RunningEngine &) = delete;
    RunningEngine &operator=(const RunningEngine &) = delete;

    /// Blocks while too many commands wait; does nothing once it is closed. Any thread.
    void post(const Command &command);
    /// Ends the delivery of events. May be called repeatedly, but not by the delivering thread.
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
