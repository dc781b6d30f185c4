#pragma once

#include "quic/connection.h"

namespace thru {

/// Opened first, by the receiver: the first client-initiated bidirectional stream (RFC 9000 2.1).
inline constexpr StreamId kControlStream = 0;

} // namespace thru
