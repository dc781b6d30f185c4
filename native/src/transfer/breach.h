#pragma once

#include <expected>

#include "base/error.h"

namespace thru {

/// A PeerProtocol error; `what` names the breach in protocol terms.
inline std::unexpected<Error> breach(const char *what) {
    return fail(ErrorCode::PeerProtocol, 0, what);
}

} // namespace thru
