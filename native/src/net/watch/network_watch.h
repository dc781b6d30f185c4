// Notices that this computer has gained or lost an address, or reaches the internet differently:
// another network, a cable, a VPN. Other changes are ignored. One file per platform.
#pragma once

#include <memory>

#include "loop/event_loop.h"

namespace thru {

/// Wakes the loop, which must outlive it, when something may have changed. Network thread only.
class NetworkWatch {
public:
    /// On systems without notifications, changes are not noticed.
    explicit NetworkWatch(EventLoop &loop);
    ~NetworkWatch();
    NetworkWatch(const NetworkWatch &) = delete;
    NetworkWatch &operator=(const NetworkWatch &) = delete;

    /// True if the addresses, or the one that reaches the internet, have changed since the last
    /// call or since the beginning. Queries the system only after a notification.
    bool take_change();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
