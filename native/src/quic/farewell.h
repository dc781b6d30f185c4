// This side's CONNECTION_CLOSE, and the closing period in which it answers what still arrives (RFC
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
    /// Writes it and begins the closing period.
    void write(ngtcp2_conn *conn, const ngtcp2_ccerr &reason, Timestamp now);
    /// Sends it if that is due.
    void send(DatagramPath &out);
    /// Counts what the other side sends in the closing period; the answers become rarer.
    void on_heard();
    /// See Connection::closing_until.
    Timestamp closing_until() const { return closing_until_; }

private:
    Bytes datagram_;
    Way way_;
    bool due_ = false;
    Timestamp closing_until_ = 0;
    std::uint64_t heard_ = 0;
};

} // namespace thru
