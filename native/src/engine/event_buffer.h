// Events on their way from the network thread to JavaScript. Lifecycle events keep their order;
// of each counter only the latest value waits, so a stalled window costs bounded memory.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/events.h"

namespace thru {

class EventBuffer {
public:
    /// `on_waiting` is called on the pushing thread when the first event begins to wait.
    explicit EventBuffer(std::function<void()> on_waiting);

    void push(Event event);

    /// All that waits, oldest first. Any thread.
    std::vector<Event> take();

private:
    std::function<void()> on_waiting_;
    std::mutex mutex_;
    std::vector<Event> events_;
    /// Where a counter's latest value stands in events_, by session and peer.
    std::map<std::pair<SessionNumber, std::string>, std::size_t> counters_;
};

} // namespace thru
