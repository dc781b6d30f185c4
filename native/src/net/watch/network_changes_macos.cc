#include <fcntl.h>
#include <sys/socket.h>

#include "net/watch/network_changes.h"

namespace thru {

int open_network_changes() {
    const int opened = ::socket(PF_ROUTE, SOCK_RAW, AF_UNSPEC);
    if (opened >= 0) {
        ::fcntl(opened, F_SETFD, FD_CLOEXEC);
        ::fcntl(opened, F_SETFL, O_NONBLOCK);
    }
    return opened;
}

} // namespace thru
