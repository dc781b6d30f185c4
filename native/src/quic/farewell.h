// This side's CONNECTION_CLOSE, and the closing period in which it answers arriving packets (RFC
// 9000 section 10.2.1). Shared by the files of this folder only.
#pragma once

#include <cstdint>

#include <ngtcp2/ngtcp2.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "net/datagram_path.h"

namespace thru {

class Farewell {
public:
    /// Writes the packet and begins the closing period.
    void write(ngtcp2_conn *conn, const ngtcp2_ccerr &reason, Timestamp now);
    /// Sends the packet if that is due.
    void send(DatagramPath &out);
    /// Counts packets that arrive in the closing period; answers become rarer.
    void on_received();
    Timestamp closing_until() const { return closing_until_; }

private:
    Bytes datagram_;
    PathId path_id_;
    bool due_ = false;
    Timestamp closing_until_ = 0;
    std::uint64_t received_ = 0;
};

} // namespace thru
