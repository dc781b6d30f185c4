#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/watch/network_changes.h"

namespace thru {

int open_network_changes() {
    const int opened = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    sockaddr_nl groups{};
    groups.nl_family = AF_NETLINK;
    groups.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE |
                       RTMGRP_IPV6_ROUTE;
    if (opened >= 0 && ::bind(opened, reinterpret_cast<sockaddr *>(&groups), sizeof groups) != 0) {
        ::close(opened);
        return -1;
    }
    return opened;
}

} // namespace thru
