// Addresses that are reached without a router.
#include "net/on_link.h"

#include <deque>
#include <string>

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
    void add(const char *address, const char *mask, unsigned flags, const char *other_end = nullptr,
             const char *name = "eth0") {
        auto &each = entries_.emplace_back();
        each.name = name;
        each.entry.ifa_name = each.name.data();
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

    bool share(const char *one, const char *other) const {
        const auto first = v4(one);
        const auto second = v4(other);
        return are_on_one_interface(reinterpret_cast<const sockaddr &>(first),
                                    reinterpret_cast<const sockaddr &>(second),
                                    &entries_.front().entry);
    }

private:
    struct Entry {
        ifaddrs entry{};
        std::string name;
        sockaddr_in address{};
        sockaddr_in mask{};
        sockaddr_in other_end{};
    };
    std::deque<Entry> entries_;
};

TEST(OnLink, AddressesOfOneInterfaceBelongTogether) {
    Interfaces interfaces;
    interfaces.add("192.168.7.20", "255.255.255.0", IFF_BROADCAST);
    interfaces.add("10.0.0.20", "255.255.255.0", IFF_BROADCAST);
    interfaces.add("192.168.7.21", "255.255.255.0", IFF_BROADCAST, nullptr, "wlan0");
    EXPECT_TRUE(interfaces.share("192.168.7.20", "192.168.7.20"));
    EXPECT_TRUE(interfaces.share("192.168.7.20", "10.0.0.20"));
    EXPECT_TRUE(interfaces.share("10.0.0.20", "192.168.7.20"));
    EXPECT_FALSE(interfaces.share("192.168.7.20", "192.168.7.21"));
    EXPECT_FALSE(interfaces.share("192.168.7.20", "192.168.7.99"));
    EXPECT_FALSE(interfaces.share("192.168.7.99", "192.168.7.99"));
}

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
