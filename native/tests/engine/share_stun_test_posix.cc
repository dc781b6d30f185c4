// Which STUN server a share asks while it lasts.
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "path/glib.h"

#include <nice/interfaces.h>

#include "engine/hostile_share.h"
#include "engine/stranger.h"

namespace thru {
namespace {

/// An IPv4 address of this computer: from its interfaces nothing is sent to the loopback, which
/// counts where there is no network.
std::string own_address() {
    GList *const addresses = nice_interfaces_get_local_ips(FALSE);
    std::string found = "127.0.0.1";
    for (const GList *each = addresses; each != nullptr; each = each->next) {
        const std::string_view address = static_cast<const char *>(each->data);
        if (address.find(':') == std::string_view::npos) {
            found = address;
            break;
        }
    }
    g_list_free_full(addresses, g_free);
    return found;
}

/// A STUN server that hears and answers nothing.
class DeafServer {
public:
    DeafServer() : descriptor_(::socket(AF_INET, SOCK_DGRAM, 0)), place_{own_address(), 0} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        inet_pton(AF_INET, place_.host.c_str(), &address.sin_addr);
        auto *const raw = reinterpret_cast<sockaddr *>(&address);
        EXPECT_EQ(bind(descriptor_, raw, sizeof address), 0);
        socklen_t size = sizeof address;
        getsockname(descriptor_, raw, &size);
        place_.port = ntohs(address.sin_port);
    }
    ~DeafServer() { ::close(descriptor_); }
    DeafServer(const DeafServer &) = delete;
    DeafServer &operator=(const DeafServer &) = delete;

    const StunServer &place() const { return place_; }
    /// A binding request (RFC 8489, section 5) is there, or comes within five seconds.
    bool is_asked() const {
        constexpr int kMostMs = 5000;
        pollfd polled{descriptor_, POLLIN, 0};
        std::array<std::uint8_t, 2> type{};
        return poll(&polled, 1, kMostMs) == 1 &&
               recv(descriptor_, type.data(), type.size(), 0) == 2 && type[0] == 0 && type[1] == 1;
    }

private:
    int descriptor_;
    StunServer place_;
};

class ShareStun : public HostileShare {
public:
    /// A receiver that proves itself, and says nothing more: only servers are asked.
    std::unique_ptr<Stranger> proven(const std::string &peer) {
        pair().sender.advance(2 * kSecond);
        auto knowing = std::make_unique<Stranger>(pair(), peer, right_words());
        knowing->knock();
        EXPECT_TRUE(knowing->hear()) << "the sender's share";
        knowing->speak();
        EXPECT_TRUE(knowing->hear()) << "the sender's proof";
        return knowing;
    }
};

TEST_F(ShareStun, IsTheOneThatItWasToldLast) {
    pair().write_source("a.bin", kFileBytes);
    const DeafServer before;
    const DeafServer after;
    pair().sender.post(OpenShare{.session = EnginePair::kShare,
                                 .items = {{.path = pair().source().string()}},
                                 .name = "Mina",
                                 .ice = {.stun = {before.place()}}});
    pair().sender.post(SetCode{EnginePair::kShare,
                               std::string(EnginePair::kNameplate) + "-" + EnginePair::kWords});
    const auto first = proven("first");
    EXPECT_TRUE(before.is_asked());

    pair().sender.post(SetStun{EnginePair::kShare, {after.place(), before.place()}});
    const auto second = proven("second");
    EXPECT_TRUE(after.is_asked());
}

} // namespace
} // namespace thru
