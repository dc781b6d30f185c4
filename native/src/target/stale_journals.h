// Journals that other attempts left in a folder that a transfer has just completed.
#pragma once

#include "target/receive_folder.h"

namespace thru {

/// Deletes journals, and their parts, that nobody can resume from: those of the same share, and
/// those all of whose files are complete now. An attempt killed just before it ended its journal
/// leaves one, and so does one whose journal was locked when the next attempt searched. Those of
/// running attempts stay. Called when all entries are committed; disk pool.
void remove_stale_journals(const ReceiveFolder::State &state);

} // namespace thru
