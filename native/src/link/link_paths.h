// The paths of one link: that which it began with and, where that one goes by a relay, a direct one
// that an agent of its own has found beside it. The connection moves over, and the path before goes
// only when the new one has carried it for a while. Network thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "crypto/secret_key.h"
#include "link/path_search.h"
#include "path/ice_path.h"
#include "quic/connection.h"

namespace thru {

/// TLS exporter label of `LinkPaths::look`'s key (RFC 8446 section 7.5).
inline constexpr std::string_view kPathLabel = "EXPORTER-thru1-path";

class LinkPathsListener {
public:
    virtual ~LinkPathsListener() = default;
    /// As IceListener's, but of one of the paths that were found later.
    virtual void on_path_datagrams(ByteView bytes, std::size_t segment_bytes, const Way &from) = 0;
    /// `service` has something to do, or a path may take datagrams again.
    virtual void on_path_event() = 0;
    /// The path that the link began with is over, and its sockets are closed.
    virtual void on_first_path_over() = 0;
};

class LinkPaths final : public DatagramPath {
public:
    struct Settings {
        LinkRole role = LinkRole::Sender;
        /// Of those only STUN is used.
        IceServers servers;
        int socket_buffers = kSocketBufferBytes;
    };
    LinkPaths(EventLoop &loop, Settings settings, LinkPathsListener &listener);
    ~LinkPaths() override;

    /// Once, before everything else. Its listener is the owner.
    void begin_with(std::unique_ptr<IcePath> first);
    /// By which the connection goes.
    IcePath &current() { return *used_->ice; }
    const IcePath &current() const { return *used_->ice; }

    /// A direct path is looked for from now on, whenever there is none, and people allow both
    /// kinds. `key`: what the connection has exported for kPathLabel.
    void look(SecretKey key, Timestamp now);
    /// Before `look` it does nothing. PeerProtocol when it breaks the rules.
    Result<> on_find_path(const FindPath &message, const Connection &connection, Timestamp now);
    std::vector<FindPath> take_messages() { return search_.take_messages(); }
    void on_network_change(Timestamp now) { search_.on_network_change(now); }
    /// Once in each turn after `look`. True: the connection goes by another path now.
    bool service(Connection &connection, Timestamp now);
    /// `silent`: the connection is, and the path before stays for as long.
    Timestamp deadline(bool silent) const;

    Sent send(ByteView bytes, std::size_t segment_bytes, const Way &way) override;
    Sent send_last(ByteView datagram, const Way &way) override;

private:
    class Found;
    /// What an agent found, and by which number the connection knows it.
    struct Path {
        std::uint16_t number = 0;
        /// Outlives the agent; not of the first path.
        std::unique_ptr<Found> listener;
        std::unique_ptr<IcePath> ice;
    };

    /// Null: it was given up.
    IcePath *path_of(const Way &way);
    void open(std::uint16_t number, Timestamp now);
    bool follow(const Connection &connection, Timestamp now);
    void move(Connection &connection, Timestamp now);
    void jump(Connection &connection, Timestamp now);
    void leave_before(Connection &connection, Timestamp now);
    void end_before();

    EventLoop &loop_;
    Settings settings_;
    LinkPathsListener &listener_;
    PathSearch search_;
    std::optional<SecretKey> key_;
    std::optional<Path> used_;
    /// That from before the last move.
    std::optional<Path> before_;
    /// That of the search under way.
    std::optional<Path> sought_;
    /// The connection has followed to another one, of which nobody was told yet.
    bool followed_ = false;
    /// How often the connection was to move to it.
    int tries_ = 0;
    /// When the last move was.
    Timestamp moved_at_ = 0;
    /// Receiver: when a silent connection goes back to the path before, and how long it waits then.
    Timestamp jump_at_ = kNever;
    Timestamp jump_pause_ = 0;
};

} // namespace thru
