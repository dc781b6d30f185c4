// Execution bits of files that are present already.
#pragma once

#include <cstdint>
#include <string>

#include "target/receive_state.h"

namespace thru {

/// Sets who may execute the entry's file, which has the permissions `mode`, and nothing else. An
/// empty `name` means the entry's own. Does nothing unless the receiver follows, replaces or
/// updates existing files. May move `cursor`.
void adopt_execution(const ReceiveFolder::State &state, FolderCursor &cursor, std::uint64_t index,
                     const std::string &name, std::uint32_t mode);

} // namespace thru
