// Links of sessions that are over: they answer the other side's packets with the reason until the
// closing period ends, in case that the first telling was lost (RFC 9000 section 10.2). Network
// thread only.
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

    /// Keeps a closed link as long as it has something to answer, which was closed at most a loop's
    /// turn ago. With too many the oldest goes.
    void add(std::unique_ptr<PeerLink> link);
    void clear();
    /// Whether one of them was closed for a reason that its other side may not know yet. In good
    /// order both sides knew before that nothing would follow.
    bool owes_reason() const;

private:
    Timestamp turn(Timestamp now);

    Scheduler::Task task_;
    std::deque<std::unique_ptr<PeerLink>> links_;
};

} // namespace thru
