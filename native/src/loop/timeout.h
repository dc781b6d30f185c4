// One call after some milliseconds, in the context of an event loop. Network thread only.
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

    /// `call` comes once, after `milliseconds`, in place of what was to come before. It may start
    /// or destroy this.
    void start(const EventLoop &loop, guint milliseconds, std::function<void()> call);
    /// Nothing comes any more.
    void stop();
    bool running() const { return source_ != nullptr; }

private:
    std::function<void()> call_;
    GSource *source_ = nullptr;
};

} // namespace thru
