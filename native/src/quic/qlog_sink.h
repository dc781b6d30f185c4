// Where a connection's qlog goes (draft-ietf-quic-qlog, JSON text sequences).
#pragma once

#include "base/bytes.h"

namespace thru {

/// Called on the connection's thread; outlives the connection.
class QlogSink {
public:
    virtual ~QlogSink() = default;
    /// A connection begins, known to both ends by the client's first destination connection id.
    /// What was written before belonged to nothing.
    virtual void begin(ByteView original_id, bool server) = 0;
    /// One record, with what separates it from others.
    virtual void write(ByteView record) = 0;
};

} // namespace thru
