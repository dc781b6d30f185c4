// Programs that have a file open.
#pragma once

#include "fs/file_system.h"

namespace thru::fs {

/// True if a program may write to the file, which is open for reading. False if the system can't
/// tell. On Windows it can't, but refuses to replace a file that such a program doesn't share.
bool has_writers(const FileHandle &file);

} // namespace thru::fs
