// A path ID as an ngtcp2 path. ngtcp2 tells paths apart by address, so known addresses are kept and
// the rest is invented. Shared by the files of this folder only.
#pragma once

#include <cstdint>

#include <ngtcp2/ngtcp2.h>

#include "net/datagram_path.h"

namespace thru {

class Tuple {
public:
    /// Tuples of different `turns` are different paths, even over the same way: a client can
    /// migrate only to a path with another local address.
    explicit Tuple(const PathId &path_id, std::uint16_t turn = 0);

    const PathId &path_id() const { return path_id_; }
    /// Points into this object.
    ngtcp2_path path();

private:
    PathId path_id_;
    ngtcp2_sockaddr_in local_{};
    ngtcp2_sockaddr_in expected_{};
};

/// The ID of a Tuple's path, or of a copy of that path.
PathId path_id_of(const ngtcp2_path &path);

} // namespace thru
