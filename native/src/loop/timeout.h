// A single delayed call in the context of an event loop. Network thread only.
#pragma once

#include <functional>

#include "loop/event_loop.h"
#include "loop/glib.h"

namespace thru {

class Timeout {
public:
    Timeout() = default;
    ~Timeout() { stop(); }
    Timeout(const Timeout &) = delete;
    Timeout &operator=(const Timeout &) = delete;

    /// Calls `call` once, replacing any pending call. It may restart or destroy this timeout.
    void start(const EventLoop &loop, guint milliseconds, std::function<void()> call);
    void stop();
    bool running() const { return source_ != nullptr; }

private:
    std::function<void()> call_;
    GSource *source_ = nullptr;
};

} // namespace thru
