// Destination of a connection's qlog (draft-ietf-quic-qlog, JSON text sequences).
#pragma once

#include "base/bytes.h"

namespace thru {

/// Called on the connection's thread; outlives the connection.
class QlogSink {
public:
    virtual ~QlogSink() = default;
    /// A connection begins; both ends identify it by the client's first destination connection id.
    /// Earlier records belong to no connection.
    virtual void begin(ByteView original_id, bool server) = 0;
    /// Writes one record, separator included.
    virtual void write(ByteView record) = 0;
};

} // namespace thru
