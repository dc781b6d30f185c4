#include <array>
#include <string>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/local_addresses.h"
#include "net/watch/network_changes.h"
#include "net/watch/network_watch.h"

namespace thru {

namespace {

/// The local address that would be used to send there; empty without a route.
std::string source_to(const sockaddr &destination, socklen_t size) {
    const int asked = ::socket(destination.sa_family, SOCK_DGRAM, 0);
    if (asked < 0) {
        return {};
    }
    sockaddr_storage source{};
    socklen_t source_size = sizeof source;
    // This sends nothing: connecting a UDP socket only looks up the route.
    const bool found =
        ::connect(asked, &destination, size) == 0 &&
        ::getsockname(asked, reinterpret_cast<sockaddr *>(&source), &source_size) == 0;
    ::close(asked);
    return found ? address_key(reinterpret_cast<const sockaddr &>(source)) : std::string();
}

/// The addresses of this computer, and those it uses toward the internet. An address often appears
/// a moment before the route that makes it useful.
std::vector<std::string> whereabouts() {
    // Documentation addresses (RFC 5737, RFC 3849), which only a default route covers.
    constexpr in_addr_t kSomewhere = 0xC0000201;
    constexpr in6_addr kSomewhere6{{{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}};
    sockaddr_in internet{};
    internet.sin_family = AF_INET;
    internet.sin_port = htons(9);
    internet.sin_addr.s_addr = htonl(kSomewhere);
    sockaddr_in6 internet6{};
    internet6.sin6_family = AF_INET6;
    internet6.sin6_port = htons(9);
    internet6.sin6_addr = kSomewhere6;
    auto found = local_addresses();
    found.push_back(source_to(reinterpret_cast<const sockaddr &>(internet), sizeof internet));
    found.push_back(source_to(reinterpret_cast<const sockaddr &>(internet6), sizeof internet6));
    return found;
}

} // namespace

struct NetworkWatch::State {
    explicit State(EventLoop &owner) : loop(owner) {}

    EventLoop &loop;
    int changes = open_network_changes();
    bool told = false;
    std::vector<std::string> known = whereabouts();
};

NetworkWatch::NetworkWatch(EventLoop &loop) : state_(std::make_unique<State>(loop)) {
    if (state_->changes < 0) {
        return;
    }
    loop.watch(state_->changes, [&state = *state_] {
        std::array<char, 8192> told;
        while (::recv(state.changes, told.data(), told.size(), 0) > 0) {
        }
        state.told = true;
    });
}

NetworkWatch::~NetworkWatch() {
    if (state_->changes >= 0) {
        state_->loop.unwatch(state_->changes);
        ::close(state_->changes);
    }
}

bool NetworkWatch::take_change() {
    if (!std::exchange(state_->told, false)) {
        return false;
    }
    const auto before = std::exchange(state_->known, whereabouts());
    return before != state_->known;
}

} // namespace thru
