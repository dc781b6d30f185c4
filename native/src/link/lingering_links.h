// Links of ended sessions. They answer the other side's packets with the reason until the closing
// period ends, in case the first message was lost (RFC 9000 section 10.2). Network thread only.
#pragma once

#include <deque>
#include <memory>

#include "base/clock.h"
#include "link/scheduler.h"

namespace thru {

class PeerLink;

class LingeringLinks {
public:
    explicit LingeringLinks(Scheduler &scheduler);
    ~LingeringLinks();
    LingeringLinks(const LingeringLinks &) = delete;
    LingeringLinks &operator=(const LingeringLinks &) = delete;

    /// Keeps a link, closed at most one turn of the loop ago, while it has something to answer. If
    /// there are too many, the oldest is dropped.
    void add(std::unique_ptr<PeerLink> link);
    void clear();
    /// True if the other side may not know a link's reason yet; it does after a normal end.
    bool owes_reason() const;

private:
    Timestamp turn(Timestamp now);

    Scheduler::Task task_;
    std::deque<std::unique_ptr<PeerLink>> links_;
};

} // namespace thru
