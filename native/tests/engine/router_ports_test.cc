// Events about the ports that a router may map.
#include "link/router_ports.h"

#include <string_view>

#include <gtest/gtest.h>

#include "loop/glib.h"

#include <nice/interfaces.h>

#include "engine/engine_pair.h"

namespace thru {
namespace {

/// True if the internet reaches this computer's IPv4 address only through a router's mapping.
bool is_behind_router() {
    GList *const addresses = nice_interfaces_get_local_ips(FALSE);
    // Without a network the loopback is used, which counts as local.
    bool found = addresses == nullptr;
    for (const GList *each = addresses; each != nullptr; each = each->next) {
        const std::string_view address = static_cast<const char *>(each->data);
        found = found || (address.find(':') == std::string_view::npos && !is_of_internet(address));
    }
    g_list_free_full(addresses, g_free);
    return found;
}

TEST(RouterPorts, AreToldWhenAConnectionHasThemAndWhenItHasThemNoMore) {
    EnginePair pair;
    pair.write_source("a.bin", 1000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    const auto opened = pair.receiver.count<PortOpenedEvent>();
    ASSERT_EQ(opened > 0, is_behind_router());
    if (opened == 0) {
        return;
    }
    EXPECT_EQ(pair.receiver.count<PortOpenedEvent>(of_session<PortOpenedEvent>(pair.kReceive)),
              opened);
    EXPECT_EQ(pair.receiver.count<PortClosedEvent>(), 0U);
    const auto port = pair.receiver.wait_for<PortOpenedEvent>().port;
    // A second answer, and one about an unknown port, are ignored.
    pair.receiver.post(AddMapping{port, UdpPort{"203.0.113.7", 50'000}});
    pair.receiver.post(AddMapping{port, UdpPort{"203.0.113.7", 50'001}});
    pair.receiver.post(AddMapping{{"10.0.0.1", 1}, std::nullopt});
    pair.accept();
    pair.receiver.wait_for<FinishedEvent>();
    EXPECT_TRUE(pair.same_trees(pair.source()));
    pair.receiver.post(EndSession{pair.kReceive});
    pair.receiver.wait_for<PortClosedEvent>(
        [&](const PortClosedEvent &event) { return event.port == port; });
}

} // namespace
} // namespace thru
