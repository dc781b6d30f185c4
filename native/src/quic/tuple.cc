#include "quic/tuple.h"

namespace thru {

namespace {

/// Address of the first path; later paths use the next ones. Loopback with port 0 is never real.
constexpr std::uint32_t kLoopback = 0x7f000001;

} // namespace

Tuple::Tuple(const PathId &path_id, std::uint16_t turn) : path_id_(path_id) {
    local_.sin_family = AF_INET;
    local_.sin_addr.s_addr = htonl(kLoopback + path_id.local);
    local_.sin_port = htons(turn);
    expected_.sin_family = AF_INET;
    expected_.sin_addr.s_addr = htonl(kLoopback);
}

ngtcp2_path Tuple::path() {
    ngtcp2_path path{{reinterpret_cast<ngtcp2_sockaddr *>(&local_), sizeof local_},
                     {reinterpret_cast<ngtcp2_sockaddr *>(&expected_), sizeof expected_},
                     nullptr};
    if (!path_id_.remote.empty()) {
        // ngtcp2 copies addresses and doesn't change them; its type lacks const.
        path.remote = {const_cast<ngtcp2_sockaddr *>(path_id_.remote.get()),
                       static_cast<ngtcp2_socklen>(path_id_.remote.size())};
    }
    return path;
}

PathId path_id_of(const ngtcp2_path &path) {
    const auto &local = reinterpret_cast<const ngtcp2_sockaddr_in &>(*path.local.addr);
    PathId path_id{.local = static_cast<std::uint16_t>(ntohl(local.sin_addr.s_addr) - kLoopback)};
    const auto &remote = reinterpret_cast<const ngtcp2_sockaddr_in &>(*path.remote.addr);
    if (remote.sin_family != AF_INET || remote.sin_port != 0) {
        path_id.remote = Address(*path.remote.addr);
    }
    return path_id;
}

} // namespace thru
