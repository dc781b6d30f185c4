// Events from the network thread to JavaScript. Lifecycle events keep their order. Of counters,
// flow and offers only the latest waits, so a stalled window costs bounded memory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "engine/events.h"

namespace thru {

class EventBuffer {
public:
    /// Beyond this, transfers accept no more control messages of their peers. Holds a few large
    /// offers, or a second's worth of a window's updates.
    static constexpr std::size_t kMaxWaitingBytes = 8 << 20;

    /// Calls `on_waiting` on the pushing thread when the first event is queued, and `on_room` on
    /// the taking thread if the buffer was full().
    explicit EventBuffer(std::function<void()> on_waiting, std::function<void()> on_room = [] {});

    void push(Event event);
    /// True if more than kMaxWaitingBytes are waiting. Any thread.
    bool full() const;

    /// Returns all waiting events, oldest first. Any thread.
    std::vector<Event> take();

private:
    /// Kind of the event, session and peer.
    using Slot = std::tuple<std::size_t, SessionNumber, std::string>;

    static std::optional<Slot> slot_of(const Event &event);

    std::function<void()> on_waiting_;
    std::function<void()> on_room_;
    mutable std::mutex mutex_;
    std::vector<Event> events_;
    std::size_t bytes_ = 0;
    /// Index in events_ of the latest event for each slot.
    std::map<Slot, std::size_t> latest_;
};

} // namespace thru
