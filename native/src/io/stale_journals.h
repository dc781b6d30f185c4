// What other attempts left in a folder that a transfer has just completed. Private to io/.
#pragma once

#include "io/receive_folder.h"

namespace thru {

/// Deletes journals, and their parts, that nobody can go on from any more: those of the same share,
/// and those all of whose files came now. An attempt killed just before it ended its journal leaves
/// such a one, and so does one whose journal was locked when the next attempt looked. Those of
/// attempts that run now stay. When all entries are settled; disk pool.
void remove_stale_journals(const ReceiveFolder::State &state);

} // namespace thru
