// Addresses at which other computers can reach this one.
#include "net/local_addresses.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "net/gio.h"
#include "path/agent_sockets.h"

namespace thru {
namespace {

TEST(LocalAddresses, OfTheLoopbackAreNotCalledHoweverTheyAreWritten) {
    for (const auto *host : {"127.0.0.1",
                             "127.1.2.3",
                             "::1",
                             "0::1",
                             "0:0:0:0:0:0:0:1",
                             "::ffff:127.0.0.1",
                             "::FFFF:127.8.8.8",
                             "::ffff:7f00:1",
                             "0:0:0:0:0:ffff:7f00:1",
                             "0.0.0.0",
                             "::",
                             "0::0",
                             "::ffff:0.0.0.0",
                             "::ffff:0:0",
                             "fe80::1",
                             "FE80::1",
                             "fe90::1",
                             "febf::1",
                             "",
                             "localhost"}) {
        EXPECT_FALSE(is_known_elsewhere(host)) << host;
        EXPECT_FALSE(may_be_called(host, 5000)) << host;
    }
}

TEST(LocalAddresses, AreNotCalled) {
    const auto own = local_addresses();
    ASSERT_FALSE(own.empty());
    for (const auto &key : own) {
        const auto family = key.front() == '4' ? G_SOCKET_FAMILY_IPV4 : G_SOCKET_FAMILY_IPV6;
        const std::unique_ptr<GInetAddress, ObjectDeleter> address(g_inet_address_new_from_bytes(
            reinterpret_cast<const guint8 *>(key.data()) + 1, family));
        const std::unique_ptr<gchar, decltype(&g_free)> text(
            g_inet_address_to_string(address.get()), g_free);
        EXPECT_FALSE(may_be_called(text.get(), 5000)) << text.get();
        if (family == G_SOCKET_FAMILY_IPV4) {
            EXPECT_FALSE(may_be_called(std::string("::ffff:") + text.get(), 5000)) << text.get();
        }
    }
}

TEST(LocalAddresses, AreNotThoseThatAreCalledAtPortsAboveThoseOfServices) {
    for (const auto *host : {"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"}) {
        EXPECT_TRUE(may_be_called(host, 1024)) << host;
        EXPECT_FALSE(may_be_called(host, 1023)) << host;
        EXPECT_FALSE(may_be_called(host, 0)) << host;
    }
    for (const auto *host : {"10.1.2.3", "169.254.1.1", "fd00::1"}) {
        EXPECT_TRUE(is_known_elsewhere(host)) << host;
    }
}

} // namespace
} // namespace thru
