#include "loop/polled_sockets.h"
#include "loop/socket_set.h"

namespace thru {

struct SocketSet::State {
    PolledSockets polled;
};

SocketSet::SocketSet() : state_(std::make_unique<State>()) {}
SocketSet::~SocketSet() = default;

void SocketSet::set(int socket, bool reads, bool writes) {
    state_->polled.set(socket, reads, writes);
}

void SocketSet::before_wait(std::vector<GPollFD> &polled) const {
    state_->polled.before_wait(polled);
}

void SocketSet::after_wait(std::span<const GPollFD> waited, std::vector<int> &ready) const {
    PolledSockets::after_wait(waited, ready);
}

} // namespace thru
