// The path that a datagram came by, and the client's moves to another one (RFC 9000 section 9).
// Shared by the files of this folder only.
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

    /// On which the connection begins; points into this.
    ngtcp2_path first_path() { return current_->path(); }
    /// nullptr for a way on which the client knows nobody. Holds until the next call.
    Tuple *tuple_of(const Way &from);

    /// A datagram came by a way on which nobody is known: the client moves there if the other side
    /// has sent it.
    void consider(ngtcp2_conn *conn, ByteView datagram, const Way &from, Timestamp now);
    /// The last move is over, and was not just now.
    bool may_move(Timestamp now) const { return !moving_ && now >= move_from_; }
    /// False when the client can't now. It waits for an answer, unless it moves `at_once`: a server
    /// whose congestion window is full of what went by a path that broke answers no challenge. It
    /// follows what is no probe, with a new one.
    bool move_to(ngtcp2_conn *conn, const Way &way, bool at_once, Timestamp now);
    void on_validated(const ngtcp2_path &path);
    void on_refused(const ngtcp2_path &path);

private:
    bool server_;
    /// The client's: the path that is used, the one that it wants to move to, and the one before,
    /// on which datagrams may still come.
    std::optional<Tuple> current_{Way{}};
    std::optional<Tuple> moving_;
    std::optional<Tuple> previous_;
    /// Counts the client's moves, and says when it may move again.
    std::uint16_t turn_ = 0;
    Timestamp move_from_ = 0;
    /// The server's: that of the datagram that is read.
    std::optional<Tuple> arrived_by_;
};

} // namespace thru
