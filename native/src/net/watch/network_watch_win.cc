#include <atomic>
#include <utility>

#include <winsock2.h>
#include <ws2tcpip.h>

#include <iphlpapi.h>

#include "net/local_addresses.h"
#include "net/watch/network_watch.h"

namespace thru {

struct NetworkWatch::State {
    explicit State(EventLoop &owner) : loop(owner) {}

    EventLoop &loop;
    HANDLE told_by = nullptr;
    /// Set on a system thread.
    std::atomic<bool> told = false;
    std::vector<std::string> known = local_addresses();
};

NetworkWatch::NetworkWatch(EventLoop &loop) : state_(std::make_unique<State>(loop)) {
    const auto tell = [](void *user, MIB_UNICASTIPADDRESS_ROW *, MIB_NOTIFICATION_TYPE) {
        auto &state = *static_cast<State *>(user);
        state.told = true;
        state.loop.wake();
    };
    if (NotifyUnicastIpAddressChange(AF_UNSPEC, tell, state_.get(), FALSE, &state_->told_by) !=
        NO_ERROR) {
        state_->told_by = nullptr;
    }
}

NetworkWatch::~NetworkWatch() {
    if (state_->told_by != nullptr) {
        // Waits for a callback in progress.
        CancelMibChangeNotify2(state_->told_by);
    }
}

bool NetworkWatch::take_change() {
    if (!state_->told.exchange(false)) {
        return false;
    }
    const auto before = std::exchange(state_->known, local_addresses());
    return before != state_->known;
}

} // namespace thru
