// A way in the form of ngtcp2, which knows paths by their addresses: what is real of them stays,
// the rest is made up. Shared by the files of this folder only.
#pragma once

#include <cstdint>

#include <ngtcp2/ngtcp2.h>

#include "net/datagram_path.h"

namespace thru {

class Tuple {
public:
    /// Tuples of different `turns` are different paths, also over the same way: a client can move
    /// to a path only whose own address is another one.
    explicit Tuple(const Way &way, std::uint16_t turn = 0);

    const Way &way() const { return way_; }
    /// Points into this.
    ngtcp2_path path();

private:
    Way way_;
    ngtcp2_sockaddr_in local_{};
    ngtcp2_sockaddr_in expected_{};
};

/// That of a tuple whose path this is, or a copy of it.
Way way_of(const ngtcp2_path &path);

} // namespace thru
