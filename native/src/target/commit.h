// One commit: sync data, log it, publish complete files, sync folders, log that.
#pragma once

#include "target/receive_state.h"

namespace thru {

/// See ReceiveFolder::commit.
CommitResult commit(ReceiveFolder::State &state, bool last_try);

} // namespace thru
