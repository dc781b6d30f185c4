#include "link/link_paths.h"

#include <algorithm>
#include <array>

#include "crypto/hkdf.h"
#include "crypto/length_prefix.h"

namespace thru {

namespace {

/// How long the path before stays after a move: a path that breaks at once has somebody to go back
/// to. Longer than it takes to hear that the other side is silent.
constexpr Timestamp kKeepBefore = 10 * kSecond;
/// From one jump between two paths that are both silent to the next one, twice as long each time:
/// each takes a connection id, of which the other side gives no more meanwhile.
constexpr Timestamp kBetweenJumps = 2 * kSecond;
/// What the sender is asked for with each move of a trial: a look, and the move after it.
constexpr std::uint16_t kCompareSeconds = 90;
static_assert(kCompareSeconds <= kMaxCompareSeconds);
static_assert(kCompareSeconds * kSecond >=
              PathTrial::kMaxLook + PathTrial::kMaxMove + 10 * kSecond);

/// Those of a search, which both sides derive.
IceCredentials search_credentials(const SecretKey &key, std::string_view side,
                                  std::uint16_t number) {
    const std::array<std::uint8_t, 2> search{static_cast<std::uint8_t>(number >> 8),
                                             static_cast<std::uint8_t>(number & 0xff)};
    return ice_credentials(hkdf_sha256(key.view(), {}, lv_cat({as_bytes(side), search})).view());
}

} // namespace

/// Hears the agent of one path.
class LinkPaths::Found final : public IceListener {
public:
    Found(LinkPaths &owner, std::uint16_t number) : owner_(owner), number_(number) {}

    bool failed() const { return failed_; }
    /// When its path was found.
    Timestamp ready_at() const { return ready_at_; }
    /// That came by it.
    std::uint64_t bytes() const { return bytes_; }

private:
    void on_local_candidate(std::string_view line) override {
        if (owner_.search_.under_way() == number_) {
            owner_.search_.announce(line);
            owner_.listener_.on_path_event();
        }
    }
    void on_local_candidates_done() override {}
    void on_ice_ready() override {
        ready_at_ = owner_.loop_.now();
        owner_.listener_.on_path_event();
    }
    void on_ice_failed() override {
        failed_ = true;
        owner_.listener_.on_path_event();
    }
    void on_datagrams(ByteView bytes, std::size_t segment_bytes, const Address &from) override {
        bytes_ += bytes.size();
        owner_.listener_.on_path_datagrams(bytes, segment_bytes,
                                           Way{.local = number_, .remote = from});
    }
    void on_writable() override { owner_.listener_.on_path_event(); }

    LinkPaths &owner_;
    std::uint16_t number_;
    bool failed_ = false;
    Timestamp ready_at_ = 0;
    std::uint64_t bytes_ = 0;
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
    key_.emplace(std::move(key));
    relayed_ = current().carriers().route().kind == Route::Kind::Relay;
    search_.set_relayed(relayed_, now);
    if (relayed_) {
        trial_.on_move(PathTrial::Path::Relay, {.now = now, .bytes = first_bytes_});
    }
}

Result<> LinkPaths::on_find_path(const FindPath &message, const Connection &connection,
                                 Timestamp now) {
    if (!key_) {
        return {};
    }
    // Since the last turn it may have moved to the path of a search that this message ends.
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

/// The agent is that of the search under way, if there is one.
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

void LinkPaths::on_compare_paths(const ComparePaths &message, Timestamp now) {
    compares_until_ = now + message.seconds * kSecond;
    decided_ = message.seconds == 0;
}

std::vector<ControlMessage> LinkPaths::take_messages() {
    for (auto &find : search_.take_messages()) {
        messages_.emplace_back(std::move(find));
    }
    return std::exchange(messages_, {});
}

/// The connection goes by another path: that of the receiver when its path has answered, that of
/// the sender when the receiver has come by it.
bool LinkPaths::follow(const Connection &connection, Timestamp now) {
    const auto number = connection.way().local;
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
    relayed_ = current().carriers().route().kind == Route::Kind::Relay;
    relay_won_ = false;
    if (settings_.role == LinkRole::Receiver) {
        const bool compared = trial_.under_way();
        trial_.on_move(relayed_ ? PathTrial::Path::Relay : PathTrial::Path::Direct,
                       arrivals(connection, now));
        if (trial_.under_way()) {
            messages_.emplace_back(ComparePaths{kCompareSeconds});
        } else if (compared) {
            messages_.emplace_back(ComparePaths{});
        }
    }
    search_.set_relayed(relayed_ && !trial_.under_way(), now);
    if (!found && !trial_.under_way()) {
        search_.put_off(now);
    }
    return true;
}

Arrivals LinkPaths::arrivals(const Connection &connection, Timestamp now) const {
    const auto statistics = connection.statistics(now);
    return {.now = now,
            .bytes = used_->listener ? used_->listener->bytes() : first_bytes_,
            .waited = statistics.limited_for.at(static_cast<std::size_t>(Bottleneck::Peer)),
            .round_trip = statistics.smoothed_rtt};
}

/// Receiver: which of the two paths is the better one.
void LinkPaths::compare(const Connection &connection, Timestamp now) {
    const bool compared = trial_.under_way();
    if (settings_.role == LinkRole::Sender || (!compared && !relayed_)) {
        return;
    }
    trial_.update(arrivals(connection, now), awaited_);
    if (!compared || trial_.under_way()) {
        return;
    }
    decided_ = trial_.relay_won();
    if (decided_ || !relayed_) {
        messages_.emplace_back(ComparePaths{});
    }
    if (relayed_) {
        search_.set_relayed(true, now);
        search_.put_off(now);
    }
}

/// The receiver moves, and the sender follows.
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
    } else if (before_ && trial_.wanted()) {
        connection.move_to(before_->number, now);
    } else if (sought_ && sought_->ice->ready() && tries_ < kMaxSearchTries) {
        if (!trial_.may_begin(sought_->listener->ready_at(), now)) {
            search_.hold(now);
        } else if (connection.move_to(sought_->number, now)) {
            ++tries_;
            search_.hold(now);
        }
    }
}

void LinkPaths::jump(Connection &connection, Timestamp now) {
    if (now < jump_at_) {
        return;
    }
    if (connection.move_to(before_->number, now)) {
        trial_.abandon();
        jump_pause_ *= 2;
    }
    jump_at_ = now + jump_pause_;
}

Timestamp LinkPaths::keeps_before_until() const {
    return std::max({moved_at_ + kKeepBefore, compares_until_,
                     trial_.under_way() ? trial_.ends_at() : Timestamp{0}});
}

void LinkPaths::leave_before(Connection &connection, Timestamp now) {
    if (before_ && keeps_before_until() <= now && !connection.silent()) {
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
        // Once both have a pair: that of the other side may be some moments late.
        current().carriers().settle(false);
    }
    compare(connection, now);
    if (sought_ && sought_->listener->failed()) {
        search_.end(now);
    }
    search_.on_deadline(now);
    open(search_.under_way(), now);
    move(connection, now);
    // A sender hears of it perhaps before it has followed, and more than once from a hostile one.
    const bool decided = std::exchange(decided_, false) && relayed_ && before_ && !relay_won_;
    relay_won_ = relay_won_ || decided;
    leave_before(connection, now);
    return moved || decided;
}

Timestamp LinkPaths::deadline(bool silent) const {
    if (!key_) {
        return kNever;
    }
    const auto keep = silent ? jump_at_ : keeps_before_until();
    return std::min(search_.deadline(), before_ ? keep : kNever);
}

IcePath *LinkPaths::path_of(const Way &way) {
    for (auto *path : {&used_, &sought_, &before_}) {
        if (*path && (*path)->number == way.local) {
            return (*path)->ice.get();
        }
    }
    return nullptr;
}

DatagramPath::Sent LinkPaths::send(ByteView bytes, std::size_t segment_bytes, const Way &way) {
    auto *path = path_of(way);
    return path != nullptr ? path->carriers().send(bytes, segment_bytes, way)
                           : Sent{.bytes = bytes.size()};
}

DatagramPath::Sent LinkPaths::send_last(ByteView datagram, const Way &way) {
    auto *path = path_of(way);
    return path != nullptr ? path->carriers().send_last(datagram, way)
                           : Sent{.bytes = datagram.size()};
}

} // namespace thru
