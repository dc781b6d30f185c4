// Extended attributes and execution bits of received files and folders, also of those that are
// present already.
#pragma once

#include <cstdint>
#include <string>

#include "target/receive_state.h"

namespace thru {

/// Sets a complete file's received mark, extended attributes, time and permissions. Attributes that
/// can't be written are noted in LostAttributes. Before the file is synced. Any thread.
void apply_metadata(const WriterAccess &access, const fs::FileHandle &file, std::uint64_t index);

/// Sets who may execute the entry's file, which has the permissions `mode`, and adds its extended
/// attributes, except those that Finder acts on. A file with other names gets none. Changes nothing
/// else. An empty `name` means the entry's own. Does nothing unless the receiver follows, replaces
/// or updates existing files. May move `cursor`.
void adopt_metadata(const ReceiveFolder::State &state, FolderCursor &cursor, std::uint64_t index,
                    const std::string &name, std::uint32_t mode);

/// Adds the extended attributes of a folder, and its creation time if `is_new`. An existing folder
/// gets attributes under the conditions of adopt_metadata, and none that Finder acts on.
void apply_folder_metadata(const WriterAccess &access, const fs::FileHandle &folder,
                           std::uint64_t index, bool is_new);

} // namespace thru
