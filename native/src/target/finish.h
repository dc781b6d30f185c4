// The end of a transfer: links, folder times and the journal.
#pragma once

#include <vector>

#include "target/receive_state.h"

namespace thru {

/// See ReceiveFolder::finish.
Result<Finished> finish(ReceiveFolder::State &state, bool whole);

} // namespace thru
