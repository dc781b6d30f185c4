#include "link/link_paths.h"

#include <algorithm>
#include <array>

#include "crypto/hkdf.h"
#include "crypto/length_prefix.h"

namespace thru {

namespace {

/// Time to keep the old path after a move, so that the connection can return if the new one soon
/// breaks. Longer than it takes to notice that the other side is silent.
constexpr Timestamp kKeepBefore = 10 * kSecond;
/// Pause between jumps of a connection whose two paths are both silent, doubled each time. Each
/// jump uses up a connection ID, and the other side issues no more meanwhile.
constexpr Timestamp kBetweenJumps = 2 * kSecond;

/// Credentials of a search, which both sides derive.
IceCredentials search_credentials(const SecretKey &key, std::string_view side,
                                  std::uint16_t number) {
    const std::array<std::uint8_t, 2> search{static_cast<std::uint8_t>(number >> 8),
                                             static_cast<std::uint8_t>(number & 0xff)};
    return ice_credentials(hkdf_sha256(key.view(), {}, lv_cat({as_bytes(side), search})).view());
}

} // namespace

/// Receives the reports of one path's agent.
class LinkPaths::Found final : public IceListener {
public:
    Found(LinkPaths &owner, std::uint16_t number) : owner_(owner), number_(number) {}

    bool failed() const { return failed_; }

private:
    void on_local_candidate(std::string_view line) override {
        if (owner_.search_.under_way() == number_) {
            owner_.search_.announce(line);
            owner_.listener_.on_path_event();
        }
    }
    void on_local_candidates_done() override {}
    void on_ice_ready() override { owner_.listener_.on_path_event(); }
    void on_ice_failed() override {
        failed_ = true;
        owner_.listener_.on_path_event();
    }
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override {
        owner_.listener_.on_path_datagrams(bytes, segment_bytes,
                                           PathId{.local = number_, .remote = from});
    }
    void on_writable() override { owner_.listener_.on_path_event(); }

    LinkPaths &owner_;
    std::uint16_t number_;
    bool failed_ = false;
};

LinkPaths::LinkPaths(EventLoop &loop, Settings settings, LinkPathsListener &listener)
    : loop_(loop), settings_(std::move(settings)), listener_(listener), search_(settings_.role) {
    settings_.servers.turn.clear();
}

LinkPaths::~LinkPaths() = default;

void LinkPaths::begin_with(std::unique_ptr<IcePath> first) {
    used_.emplace(Path{.number = 0, .listener = nullptr, .ice = std::move(first)});
}

void LinkPaths::look(SecretKey key, Timestamp now) {
    if (settings_.servers.relay_use != RelayUse::Automatic) {
        return;
    }
    key_.emplace(std::move(key));
    on_route_changed(now);
}

void LinkPaths::on_route_changed(Timestamp now) {
    if (key_) {
        search_.set_relayed(current().carriers().route().kind == Route::Kind::Relay, now);
    }
}

Result<> LinkPaths::on_find_path(const FindPath &message, const Connection &connection,
                                 Timestamp now) {
    if (!key_) {
        return {};
    }
    // Since the last turn it may have moved to the path whose search this message ends.
    followed_ = follow(connection, now) || followed_;
    listener_.on_path_event();
    const auto lines = search_.on_message(message, now);
    if (!lines) {
        return std::unexpected(lines.error());
    }
    open(search_.under_way(), now);
    for (const auto &line : *lines) {
        if (sought_) {
            sought_->ice->add_remote_candidate(line);
        }
    }
    return {};
}

/// Makes `sought_` the path of search `number`, or none for 0.
void LinkPaths::open(std::uint16_t number, Timestamp now) {
    if (sought_ && sought_->number != number) {
        sought_.reset();
    }
    if (number == 0 || sought_) {
        return;
    }
    const bool sends = settings_.role == LinkRole::Sender;
    auto listener = std::make_unique<Found>(*this, number);
    auto ice =
        IcePath::create(loop_, settings_.servers, sends, *listener, settings_.socket_buffers);
    const auto own = search_credentials(*key_, sends ? "ice s" : "ice r", number);
    const auto peer = search_credentials(*key_, sends ? "ice r" : "ice s", number);
    if (!ice || !(*ice)->set_credentials(own, peer) || !(*ice)->gather()) {
        search_.end(now);
        return;
    }
    tries_ = 0;
    sought_.emplace(
        Path{.number = number, .listener = std::move(listener), .ice = std::move(*ice)});
}

/// Notices a change of path: at the receiver once it has answered, at the sender once it is used.
bool LinkPaths::follow(const Connection &connection, Timestamp now) {
    const auto number = connection.path_id().local;
    if (number == used_->number) {
        return false;
    }
    const bool found = sought_ && sought_->number == number;
    if (found) {
        end_before();
        std::swap(before_, used_);
        std::swap(used_, sought_);
        search_.end(now);
    } else if (before_ && before_->number == number) {
        std::swap(used_, before_);
    } else {
        return false;
    }
    moved_at_ = now;
    on_route_changed(now);
    if (!found) {
        search_.put_off(now);
    }
    return true;
}

/// Only the receiver moves; the sender follows.
void LinkPaths::move(Connection &connection, Timestamp now) {
    if (settings_.role != LinkRole::Receiver) {
        return;
    }
    if (!connection.silent()) {
        jump_at_ = now;
        jump_pause_ = kBetweenJumps;
    }
    if (before_ && connection.silent()) {
        jump(connection, now);
    } else if (sought_ && sought_->ice->ready() && tries_ < kMaxSearchTries &&
               connection.move_to(sought_->number, now)) {
        ++tries_;
        search_.hold(now);
    }
}

void LinkPaths::jump(Connection &connection, Timestamp now) {
    if (now < jump_at_) {
        return;
    }
    if (connection.move_to(before_->number, now)) {
        jump_pause_ *= 2;
    }
    jump_at_ = now + jump_pause_;
}

void LinkPaths::leave_before(Connection &connection, Timestamp now) {
    if (before_ && moved_at_ + kKeepBefore <= now && !connection.silent()) {
        end_before();
    }
}

void LinkPaths::end_before() {
    const bool was_first = before_ && before_->number == 0;
    before_.reset();
    if (was_first) {
        listener_.on_first_path_over();
    }
}

bool LinkPaths::service(Connection &connection, Timestamp now) {
    if (!key_) {
        return false;
    }
    const bool moved = follow(connection, now) || followed_;
    followed_ = false;
    if (used_->number != 0) {
        // Both sides have a pair by now; the other side's may be slightly late.
        current().carriers().settle(false);
    }
    if (sought_ && sought_->listener->failed()) {
        search_.end(now);
    }
    search_.on_deadline(now);
    open(search_.under_way(), now);
    move(connection, now);
    leave_before(connection, now);
    return moved;
}

Timestamp LinkPaths::deadline(bool silent) const {
    if (!key_) {
        return kNever;
    }
    const auto keep = silent ? jump_at_ : moved_at_ + kKeepBefore;
    return std::min(search_.deadline(), before_ ? keep : kNever);
}

IcePath *LinkPaths::path_of(const PathId &path_id) {
    for (auto *path : {&used_, &sought_, &before_}) {
        if (*path && (*path)->number == path_id.local) {
            return (*path)->ice.get();
        }
    }
    return nullptr;
}

DatagramPath::Sent LinkPaths::send(ByteView bytes, std::size_t segment_bytes,
                                   const PathId &path_id) {
    auto *path = path_of(path_id);
    return path != nullptr ? path->carriers().send(bytes, segment_bytes, path_id)
                           : Sent{.bytes = bytes.size()};
}

DatagramPath::Sent LinkPaths::send_last(ByteView datagram, const PathId &path_id) {
    auto *path = path_of(path_id);
    return path != nullptr ? path->carriers().send_last(datagram, path_id)
                           : Sent{.bytes = datagram.size()};
}

} // namespace thru
