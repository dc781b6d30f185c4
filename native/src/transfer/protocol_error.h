#pragma once

#include <expected>

#include "base/error.h"

namespace thru {

/// A PeerProtocol error; `what` names the violation in protocol terms.
inline std::unexpected<Error> protocol_error(const char *what) {
    return fail(ErrorCode::PeerProtocol, 0, what);
}

} // namespace thru
