// The paths of one link: the first one and, if relayed, a direct one found later. The old path is
// closed once the connection has used the new one for a while. Network thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
    /// Like IceListener's, for a path that was found later.
    virtual void on_path_datagrams(ByteView bytes, std::size_t segment_bytes,
                                   const PathId &from) = 0;
    /// `service` has work, or a path may accept datagrams again.
    virtual void on_path_event() = 0;
    /// The first path has ended, and its sockets are closed.
    virtual void on_first_path_over() = 0;
};

class LinkPaths final : public DatagramPath {
public:
    struct Settings {
        LinkRole role = LinkRole::Sender;
        /// Only their STUN servers are used.
        IceServers servers;
        int socket_buffers = kSocketBufferBytes;
    };
    LinkPaths(EventLoop &loop, Settings settings, LinkPathsListener &listener);
    ~LinkPaths() override;

    /// Call this once, before all other functions. The owner is its listener.
    void begin_with(std::unique_ptr<IcePath> first);
    /// The path that the connection uses.
    IcePath &current() { return *used_->ice; }
    const IcePath &current() const { return *used_->ice; }

    /// Searches for a direct path from here on while there is none, if people allow both kinds.
    /// `key` is the connection's exporter value for kPathLabel.
    void look(SecretKey key, Timestamp now);
    /// The current path has another route, because a browser has moved.
    void on_route_changed(Timestamp now);
    /// Has no effect before `look`. PeerProtocol if the message breaks the rules.
    Result<> on_find_path(const FindPath &message, const Connection &connection, Timestamp now);
    std::vector<FindPath> take_messages() { return search_.take_messages(); }
    void on_network_change(Timestamp now) { search_.on_network_change(now); }
    /// Call this in each turn after `look`. Returns true if the connection has changed paths.
    bool service(Connection &connection, Timestamp now);
    /// `silent` is the connection's; the old path is kept while it is true.
    Timestamp deadline(bool silent) const;

    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) override;
    Sent send_last(ByteView datagram, const PathId &path_id) override;

private:
    class Found;
    /// An agent's path, and its number in the connection.
    struct Path {
        std::uint16_t number = 0;
        /// Outlives the agent; null for the first path.
        std::unique_ptr<Found> listener;
        std::unique_ptr<IcePath> ice;
    };

    /// Null if the path was given up.
    IcePath *path_of(const PathId &path_id);
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
    /// The path before the last move.
    std::optional<Path> before_;
    /// The path of the search in progress.
    std::optional<Path> sought_;
    /// True if the connection changed paths and that was not reported yet.
    bool followed_ = false;
    int tries_ = 0;
    Timestamp moved_at_ = 0;
    /// Receiver: when a silent connection returns to the old path, and the pause after that.
    Timestamp jump_at_ = kNever;
    Timestamp jump_pause_ = 0;
};

} // namespace thru
