#include "engine/event_buffer.h"

#include <optional>
#include <utility>

namespace thru {

namespace {

/// A scan and a transfer of the same session never share a slot: a scan has no peer.
std::optional<std::pair<SessionNumber, std::string>> counter_key(const Event &event) {
    if (const auto *scan = std::get_if<ScanEvent>(&event)) {
        return std::pair{scan->session, std::string{}};
    }
    if (const auto *progress = std::get_if<ProgressEvent>(&event)) {
        return std::pair{progress->session, progress->peer};
    }
    return std::nullopt;
}

} // namespace

EventBuffer::EventBuffer(std::function<void()> on_waiting) : on_waiting_(std::move(on_waiting)) {}

void EventBuffer::push(Event event) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = events_.empty();
        const auto key = counter_key(event);
        if (key) {
            if (const auto slot = counters_.find(*key); slot != counters_.end()) {
                events_[slot->second] = std::move(event);
                return;
            }
            counters_.emplace(*key, events_.size());
        }
        events_.push_back(std::move(event));
    }
    if (first) {
        on_waiting_();
    }
}

std::vector<Event> EventBuffer::take() {
    const std::lock_guard lock(mutex_);
    counters_.clear();
    return std::exchange(events_, {});
}

} // namespace thru
