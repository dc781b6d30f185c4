#include "fs/open_writers.h"

namespace thru::fs {

bool has_writers(const FileHandle & /*file*/) { return false; }

} // namespace thru::fs
