// The journal of a receive: that of a previous attempt, or a new one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "target/receive_state.h"

namespace thru {

/// Reported need when not even folders or the journal can be made, in bytes.
inline constexpr std::int64_t kRoomForFolders = 1 << 20;

/// Looks for a journal that a previous attempt at the first `end` entries left,
/// and continues it. Part files get their names then. DiskFull, with the need
/// in Error::cause; TargetNotWritable, TargetGone.
Result<> resume_journal(ReceiveFolder::State &state, std::size_t end);

/// Makes a journal, durable before the first part file: no part may outlast a
/// power loss without one. The errors of resume_journal.
Result<> create_journal(ReceiveFolder::State &state);

} // namespace thru
