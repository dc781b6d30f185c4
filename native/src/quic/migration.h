// The path of each datagram, and the client's migrations (RFC 9000 section 9). Private to quic/.
#pragma once

#include <cstdint>
#include <optional>

#include <ngtcp2/ngtcp2.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "quic/tuple.h"

namespace thru {

class Migration {
public:
    explicit Migration(bool server) : server_(server) {}

    /// The initial path; points into this object.
    ngtcp2_path first_path() { return current_->path(); }
    /// nullptr for a path that the client does not know. Valid until the next call.
    Tuple *tuple_of(const PathId &from);

    /// A datagram arrived over an unknown path: migrates there if the other side sent it.
    void consider(ngtcp2_conn *conn, ByteView datagram, const PathId &from, Timestamp now);
    /// True if the last migration has ended and was long enough ago.
    bool may_move(Timestamp now) const { return !moving_ && now >= move_from_; }
    /// Migrates to `path_id`; false if the client can't now. Waits for validation unless `at_once`:
    /// a server whose congestion window is full of packets on a broken path can't answer a
    /// challenge. It does follow a non-probing packet, with a new window.
    bool move_to(ngtcp2_conn *conn, const PathId &path_id, bool at_once, Timestamp now);
    void on_validated(const ngtcp2_path &path);
    void on_refused(const ngtcp2_path &path);

private:
    bool server_;
    /// Client: the current path, the next one, and the previous one.
    std::optional<Tuple> current_{PathId{}};
    std::optional<Tuple> moving_;
    std::optional<Tuple> previous_;
    /// Number of the client's migrations, and the earliest time of the next one.
    std::uint16_t turn_ = 0;
    Timestamp move_from_ = 0;
    /// Server: the path of the datagram being read.
    std::optional<Tuple> arrived_by_;
};

} // namespace thru
