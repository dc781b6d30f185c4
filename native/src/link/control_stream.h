#pragma once

#include "quic/connection.h"

namespace thru {

/// The receiver opens it first, so it is the first client-initiated bidirectional stream (RFC 9000
/// section 2.1).
inline constexpr StreamId kControlStream = 0;

} // namespace thru
