// Links of sessions that are over: they answer the other side's packets with the reason until the
// closing period ends, in case that the first telling was lost (RFC 9000 section 10.2). Network
// thread only.
#pragma once

#include <deque>
#include <memory>

#include "base/clock.h"

namespace thru {

class PeerLink;

class LingeringLinks {
public:
    LingeringLinks();
    ~LingeringLinks();
    LingeringLinks(const LingeringLinks &) = delete;
    LingeringLinks &operator=(const LingeringLinks &) = delete;

    /// Keeps a closed link as long as it has something to answer, which was closed at most a loop's
    /// turn ago. With too many the oldest goes.
    void add(std::unique_ptr<PeerLink> link);
    void service(Timestamp now);
    Timestamp deadline() const;
    void clear();
    bool empty() const { return links_.empty(); }

private:
    std::deque<std::unique_ptr<PeerLink>> links_;
};

} // namespace thru
