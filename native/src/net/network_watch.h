// Notices that this computer has got or lost an address, or another way to the internet: another
// network, a cable, a VPN. Systems tell much that changes nothing of this; that is left out. One
// file per platform.
#pragma once

#include <memory>

#include "loop/event_loop.h"

namespace thru {

/// Wakes the loop, which outlives it, when something may have changed. Network thread only.
class NetworkWatch {
public:
    /// Where the system tells nothing, nothing is noticed.
    explicit NetworkWatch(EventLoop &loop);
    ~NetworkWatch();
    NetworkWatch(const NetworkWatch &) = delete;
    NetworkWatch &operator=(const NetworkWatch &) = delete;

    /// Whether the addresses, or that from which the internet is reached, are others than when this
    /// was asked before, or at the beginning. Asks the system only after it has told something.
    bool take_change();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
