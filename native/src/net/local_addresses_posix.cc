#include <algorithm>
#include <memory>

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>

#include "net/local_addresses.h"

namespace thru {

std::vector<std::string> local_addresses() {
    ifaddrs *list = nullptr;
    if (getifaddrs(&list) != 0) {
        return {};
    }
    const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(list, freeifaddrs);
    constexpr auto kConnected = unsigned{IFF_UP} | unsigned{IFF_RUNNING};
    std::vector<std::string> addresses;
    for (const auto *each = list; each != nullptr; each = each->ifa_next) {
        const bool usable = (each->ifa_flags & kConnected) == kConnected;
        auto key = usable && each->ifa_addr != nullptr ? address_key(*each->ifa_addr) : "";
        if (!key.empty()) {
            addresses.push_back(std::move(key));
        }
    }
    std::ranges::sort(addresses);
    return addresses;
}

} // namespace thru
