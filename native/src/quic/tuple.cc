#include "quic/tuple.h"

namespace thru {

namespace {

/// Address of the first path; later paths use the next ones. Loopback with port 0 is never real.
constexpr std::uint32_t kLoopback = 0x7f000001;

} // namespace

Tuple::Tuple(const Way &way, std::uint16_t turn) : way_(way) {
    local_.sin_family = AF_INET;
    local_.sin_addr.s_addr = htonl(kLoopback + way.local);
    local_.sin_port = htons(turn);
    expected_.sin_family = AF_INET;
    expected_.sin_addr.s_addr = htonl(kLoopback);
}

ngtcp2_path Tuple::path() {
    ngtcp2_path path{{reinterpret_cast<ngtcp2_sockaddr *>(&local_), sizeof local_},
                     {reinterpret_cast<ngtcp2_sockaddr *>(&expected_), sizeof expected_},
                     nullptr};
    if (!way_.remote.empty()) {
        // ngtcp2 copies addresses and doesn't change them; its type lacks const.
        path.remote = {const_cast<ngtcp2_sockaddr *>(way_.remote.get()),
                       static_cast<ngtcp2_socklen>(way_.remote.size())};
    }
    return path;
}

Way way_of(const ngtcp2_path &path) {
    const auto &local = reinterpret_cast<const ngtcp2_sockaddr_in &>(*path.local.addr);
    Way way{.local = static_cast<std::uint16_t>(ntohl(local.sin_addr.s_addr) - kLoopback)};
    const auto &remote = reinterpret_cast<const ngtcp2_sockaddr_in &>(*path.remote.addr);
    if (remote.sin_family != AF_INET || remote.sin_port != 0) {
        way.remote = Address(*path.remote.addr);
    }
    return way;
}

} // namespace thru
