// The paths of one link: that which it began with and, where that one goes by a relay, a direct one
// that an agent of its own has found beside it. The connection moves over, and the path before goes
// only when the new one has carried it for a while, and at the receiver carries no less
// (PathTrial). Network thread only.
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
#include "link/path_trial.h"
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

    /// A direct path is looked for from now on, whenever there is none. `key`: what the connection
    /// has exported for kPathLabel.
    void look(SecretKey key, Timestamp now);
    /// Before `look` it does nothing. PeerProtocol when it breaks the rules.
    Result<> on_find_path(const FindPath &message, const Connection &connection, Timestamp now);
    /// Sender: the receiver compares two paths, or has done so.
    void on_compare_paths(const ComparePaths &message, Timestamp now);
    std::vector<ControlMessage> take_messages();
    void on_network_change(Timestamp now) { search_.on_network_change(now); }
    /// Datagrams came by the first path, of so many bytes.
    void on_first_path_bytes(std::size_t bytes) { first_bytes_ += bytes; }
    /// Receiver: bytes that are still to come.
    void set_awaited(std::uint64_t bytes) { awaited_ = bytes; }
    /// Once in each turn after `look`. True: the connection goes by another path now, or why it
    /// goes by this one has changed.
    bool service(Connection &connection, Timestamp now);
    /// The connection goes by a relay because that carried more than a direct path.
    bool relay_won() const { return relay_won_; }
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
    void compare(const Connection &connection, Timestamp now);
    void leave_before(Connection &connection, Timestamp now);
    void end_before();
    Timestamp keeps_before_until() const;
    Arrivals arrivals(const Connection &connection, Timestamp now) const;

    EventLoop &loop_;
    Settings settings_;
    LinkPathsListener &listener_;
    PathSearch search_;
    /// The receiver's.
    PathTrial trial_;
    std::optional<SecretKey> key_;
    std::optional<Path> used_;
    /// It goes by a relay.
    bool relayed_ = false;
    /// That from before the last move.
    std::optional<Path> before_;
    /// That of the search under way.
    std::optional<Path> sought_;
    /// The connection has followed to another one, of which nobody was told yet.
    bool followed_ = false;
    /// How often the connection was to move to it.
    int tries_ = 0;
    std::uint64_t first_bytes_ = 0;
    std::uint64_t awaited_ = 0;
    bool relay_won_ = false;
    /// A trial has ended, of which nobody was told yet.
    bool decided_ = false;
    /// Sender: for so long the receiver compares.
    Timestamp compares_until_ = 0;
    std::vector<ControlMessage> messages_;
    /// When the last move was.
    Timestamp moved_at_ = 0;
    /// Receiver: when a silent connection goes back to the path before, and how long it waits then.
    Timestamp jump_at_ = kNever;
    Timestamp jump_pause_ = 0;
};

} // namespace thru
