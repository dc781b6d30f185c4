// Which addresses are reached without a router.
#include "path/on_link.h"

#include <deque>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

namespace thru {
namespace {

sockaddr_in v4(const char *text) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    EXPECT_EQ(inet_pton(AF_INET, text, &address.sin_addr), 1) << text;
    return address;
}

/// The interfaces of a computer.
class Interfaces {
public:
    void add(const char *address, const char *mask, unsigned flags,
             const char *other_end = nullptr) {
        auto &each = entries_.emplace_back();
        each.address = v4(address);
        each.mask = v4(mask);
        each.entry.ifa_addr = reinterpret_cast<sockaddr *>(&each.address);
        each.entry.ifa_netmask = reinterpret_cast<sockaddr *>(&each.mask);
        each.entry.ifa_flags = flags;
        if (other_end != nullptr) {
            each.other_end = v4(other_end);
            each.entry.ifa_dstaddr = reinterpret_cast<sockaddr *>(&each.other_end);
        }
        if (entries_.size() > 1) {
            entries_[entries_.size() - 2].entry.ifa_next = &each.entry;
        }
    }
    bool reach(const char *text) const {
        const auto address = v4(text);
        return is_on_link(reinterpret_cast<const sockaddr &>(address), &entries_.front().entry);
    }

private:
    struct Entry {
        ifaddrs entry{};
        sockaddr_in address{};
        sockaddr_in mask{};
        sockaddr_in other_end{};
    };
    std::deque<Entry> entries_;
};

TEST(OnLink, ANetworkIsReachedWithoutARouter) {
    Interfaces interfaces;
    interfaces.add("127.0.0.1", "255.0.0.0", IFF_LOOPBACK);
    interfaces.add("192.168.7.20", "255.255.255.0", IFF_BROADCAST);
    EXPECT_TRUE(interfaces.reach("192.168.7.99"));
    EXPECT_TRUE(interfaces.reach("192.168.7.20")) << "this computer";
    EXPECT_FALSE(interfaces.reach("192.168.8.1"));
}

TEST(OnLink, ANetworkBehindATunnelIsNoLocalOne) {
    Interfaces interfaces;
    interfaces.add("192.168.7.20", "255.255.255.0", IFF_BROADCAST);
    interfaces.add("10.8.0.2", "255.255.255.0", IFF_POINTOPOINT | IFF_NOARP, "10.8.0.1");
    EXPECT_FALSE(interfaces.reach("10.8.0.77"));
    EXPECT_FALSE(interfaces.reach("10.8.0.1")) << "its other end";
    EXPECT_TRUE(interfaces.reach("10.8.0.2")) << "this computer";
    EXPECT_TRUE(interfaces.reach("192.168.7.99"));
}

TEST(OnLink, ASingleAddressOverALinkOfManyIsReached) {
    Interfaces interfaces;
    interfaces.add("172.16.0.5", "255.255.255.255", IFF_BROADCAST, "172.16.0.1");
    EXPECT_TRUE(interfaces.reach("172.16.0.1"));
    EXPECT_FALSE(interfaces.reach("172.16.0.2"));
}

} // namespace
} // namespace thru
