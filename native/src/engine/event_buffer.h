// Events on their way from the network thread to JavaScript. Lifecycle events keep their order; of
// what only has a latest value (counters, flow, an offer) no more than that waits, so a stalled
// window costs bounded memory.
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
    /// While more than this waits, transfers take no more control messages of their peers: some
    /// large offers, or what a window shows in a second.
    static constexpr std::size_t kMaxWaitingBytes = 8 << 20;

    /// `on_waiting` is called on the pushing thread when the first event begins to wait; `on_room`
    /// on the taking one when the buffer was full().
    explicit EventBuffer(std::function<void()> on_waiting, std::function<void()> on_room = [] {});

    void push(Event event);
    /// More waits than kMaxWaitingBytes. Any thread.
    bool full() const;

    /// All that waits, oldest first. Any thread.
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
    /// Where the latest value of each kind stands in events_.
    std::map<Slot, std::size_t> latest_;
};

} // namespace thru
