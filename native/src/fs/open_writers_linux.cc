#include <cerrno>
#include <csignal>

#include <fcntl.h>

#include "fs/open_writers.h"

namespace thru::fs {

bool has_writers(const FileHandle &file) {
    const auto descriptor = static_cast<int>(file.native());
    // A program that opens the file meanwhile waits for the lease. The default signal would end
    // this process; this one is ignored.
    if (::fcntl(descriptor, F_SETSIG, SIGURG) != 0) {
        return false;
    }
    if (::fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) {
        return errno == EAGAIN;
    }
    static_cast<void>(::fcntl(descriptor, F_SETLEASE, F_UNLCK));
    return false;
}

} // namespace thru::fs
