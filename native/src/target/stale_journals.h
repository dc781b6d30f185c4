#pragma once

#include "target/receive_folder.h"

namespace thru {

/// Deletes journals that can't be resumed, with their parts: those of the same share, and those
/// whose files are all complete now. They remain when an attempt was killed just before ending its
/// journal, or when the journal was locked during the search. Journals of running attempts stay.
/// Call it when all entries are committed. Disk pool.
void remove_stale_journals(const ReceiveFolder::State &state);

} // namespace thru
