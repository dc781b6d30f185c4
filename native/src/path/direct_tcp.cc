#include "path/direct_tcp.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "net/on_link.h"
#include "path/address_text.h"

namespace thru {

namespace {

/// Maximum number of announced addresses of this computer; candidates are limited (protocol.md).
constexpr std::size_t kMaxAnnounced = 4;
/// Maximum number of the other side's addresses to connect to.
constexpr std::size_t kMaxCalled = 8;
/// Maximum connections waiting for their check, and in total; any host could open them.
constexpr std::size_t kMaxUnchecked = 16;
constexpr std::size_t kMaxAccepted = 256;
/// The other side calls each announced address, and may start over once.
constexpr std::size_t kMaxProven = 2 * kMaxAnnounced;
constexpr int kMaxAcceptedPerTurn = 16;
/// Priorities of RFC 6544 section 4.2, below all of UDP: type and direction, minus the rank.
constexpr std::uint32_t kTcpTypePreference = 90;
constexpr std::uint32_t kPassivePreference = (4U << 13U) + 8191;
/// Number of fields in a passive TCP candidate line.
constexpr std::size_t kLineFields = 10;
/// The longest round trip between two networks of a site; TCP is bad on long paths.
constexpr Timestamp kMaxSiteRoundTrip = 2 * kMillisecond;

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (words.size() <= kLineFields && !line.empty()) {
        const auto space = std::min(line.find(' '), line.size());
        words.push_back(line.substr(0, space));
        line.remove_prefix(std::min(space + 1, line.size()));
    }
    return words;
}

bool is_near(const DatagramStream &stream) {
    const auto figures = stream.figures();
    return figures && figures->round_trip <= kMaxSiteRoundTrip;
}

/// `address` is not empty.
NiceAddress nice_address_of(const Address &address) {
    NiceAddress converted;
    nice_address_set_from_sockaddr(&converted, address.get());
    return converted;
}

bool is_same_host(const Address &one, const Address &other) {
    if (one.empty() || other.empty()) {
        return false;
    }
    const auto first = nice_address_of(one);
    const auto second = nice_address_of(other);
    return nice_address_equal_no_port(&first, &second) != FALSE;
}

/// UDP datagrams may arrive this much later than subsequent TCP data.
constexpr Timestamp kOvertakes = 300 * kMillisecond;
/// Losses within this time count as one: a few round trips.
constexpr Timestamp kLossPeriod = 5 * kMillisecond;

} // namespace

bool is_of_tcp(std::string_view line) {
    const auto words = words_of(line);
    return words.size() > 2 && (words[2] == "TCP" || words[2] == "tcp");
}

DirectTcp::DirectTcp(EventLoop &loop, CarrierListener &listener, Settings settings)
    : loop_(loop), listener_(listener), settings_(std::move(settings)) {}

DirectTcp::~DirectTcp() {
    close_listeners();
    streams_.clear();
}

void DirectTcp::close_listeners() {
    while (!listeners_.empty()) {
        close_listener(*listeners_.back());
    }
}

void DirectTcp::close_listener(TcpListener &listener) {
    loop_.unwatch(listener.descriptor());
    std::erase_if(listeners_, [&](const auto &each) { return each.get() == &listener; });
}

void DirectTcp::listen(const std::vector<std::string> &addresses) {
    for (const auto &host : addresses) {
        if (announced_ == kMaxAnnounced) {
            return;
        }
        auto opened = TcpListener::open(host);
        if (!opened) {
            continue;
        }
        auto &listener = *listeners_.emplace_back(std::move(opened));
        loop_.watch(listener.descriptor(), [this, &listener] { accept(listener); });
        announce(host, listener.port());
    }
}

void DirectTcp::announce(const std::string &host, std::uint16_t port) {
    const auto rank = static_cast<std::uint32_t>(announced_++);
    const auto priority = (kTcpTypePreference << 24U) + ((kPassivePreference - rank) << 8U) + 255U;
    settings_.announce("candidate:tcp" + std::to_string(rank) + " 1 TCP " +
                       std::to_string(priority) + " " + host + " " + std::to_string(port) +
                       " typ host tcptype passive");
}

void DirectTcp::set_credentials(const CheckCredentials &credentials) {
    credentials_ = credentials;
    for (const auto &place : places_) {
        call(place);
    }
}

void DirectTcp::add_remote_candidate(std::string_view line) {
    const auto words = words_of(line);
    const bool passive = words.size() >= kLineFields && is_of_tcp(line) && words[8] == "tcptype" &&
                         words[9] == "passive";
    std::uint16_t port = 0;
    if (!passive || settled_ || places_.size() == kMaxCalled ||
        std::from_chars(words[5].data(), words[5].data() + words[5].size(), port).ec !=
            std::errc{}) {
        return;
    }
    Place place{.host = std::string(words[4]), .port = port};
    if (std::ranges::find(places_, place) != places_.end() ||
        !settings_.may_be_called(place.host, place.port)) {
        return;
    }
    places_.push_back(place);
    if (credentials_) {
        call(place);
    }
}

DatagramStream &DirectTcp::add_stream(std::unique_ptr<TcpSocket> socket, bool called) {
    DatagramStream::Owner &owner = *this;
    return *streams_.emplace_back(
        std::make_unique<DatagramStream>(loop_, owner, std::move(socket), called, *credentials_));
}

void DirectTcp::call(const Place &place) {
    if (auto socket = TcpSocket::connect(place.host, place.port)) {
        calls_.push_back(&add_stream(std::move(socket), true));
    }
}

void DirectTcp::accept(TcpListener &listener) {
    forget_over();
    for (int turn = 0; turn < kMaxAcceptedPerTurn; ++turn) {
        auto socket = listener.accept();
        if (!socket) {
            if (listener.broken()) {
                close_listener(listener);
            }
            return;
        }
        const auto unchecked = std::ranges::count_if(
            streams_, [](const auto &stream) { return !stream->checked() && !stream->over(); });
        if (credentials_ && std::cmp_less(unchecked, kMaxUnchecked + calls_.size())) {
            add_stream(std::move(socket), false);
            if (++accepted_ == kMaxAccepted) {
                close_listeners();
                return;
            }
        }
    }
}

/// Must not be called from one of the streams' own calls.
void DirectTcp::forget_over() {
    std::erase_if(streams_,
                  [this](const auto &stream) { return stream->over() && stream.get() != chosen_; });
}

bool DirectTcp::has_checked() const {
    return std::ranges::any_of(streams_, [](const auto &stream) { return stream->checked(); });
}

CarrierState DirectTcp::state() const {
    if (chosen_ != nullptr) {
        return CarrierState::Found;
    }
    if (settled_) {
        return CarrierState::Over;
    }
    if (!beside_ && has_checked()) {
        return CarrierState::Found;
    }
    return calls_.empty() ? CarrierState::Idle : CarrierState::Searching;
}

void DirectTcp::choose() {
    const auto found =
        std::ranges::find_if(streams_, [](const auto &stream) { return stream->checked(); });
    chosen_ = found == streams_.end() ? nullptr : found->get();
    last_received_ = loop_.now();
}

void DirectTcp::settle(bool used) {
    settled_ = true;
    if (!used) {
        chosen_ = nullptr;
    }
    close_listeners();
    calls_.clear();
    std::erase_if(streams_, [this](const auto &stream) { return stream.get() != chosen_; });
}

Route DirectTcp::route() const {
    const auto address = chosen_->remote();
    const auto remote = nice_address_of(address);
    return {.kind = is_on_link(*address.get()) ? Route::Kind::Local : Route::Kind::Direct,
            .ipv6 = address.get()->sa_family == AF_INET6,
            .tcp = true,
            .remote = address_text(remote)};
}

void DirectTcp::accompany(const Address &local, const Address &remote) {
    if (settled_ || beside_) {
        return;
    }
    beside_ = Pair{.local = local, .remote = remote};
    choose_beside();
    beside_time_.start(loop_, settings_.companion_time, [this] { settle(true); });
}

/// False for a connection through another interface or another router than the pair's, and for one
/// over a long path: these may be slower than UDP.
bool DirectTcp::is_beside(const DatagramStream &stream) const {
    const auto local = stream.local();
    const auto remote = stream.remote();
    return !local.empty() && !remote.empty() && !beside_->local.empty() &&
           are_on_one_interface(*local.get(), *beside_->local.get()) &&
           (is_on_link(*remote.get()) ||
            (is_same_host(remote, beside_->remote) && is_near(stream)));
}

void DirectTcp::choose_beside() {
    if (settings_.follows || settled_ || chosen_ != nullptr) {
        return;
    }
    const auto found = std::ranges::find_if(
        streams_, [this](const auto &stream) { return stream->checked() && is_beside(*stream); });
    if (found != streams_.end()) {
        chosen_ = found->get();
        last_received_ = loop_.now();
    }
}

void DirectTcp::on_pair_datagrams(Timestamp now) {
    if (beside_ && chosen_ != nullptr && now > last_received_ + kOvertakes) {
        part();
    }
}

bool DirectTcp::is_lossy(Timestamp now) {
    const auto periods = (now - looked_at_) / kLossPeriod;
    if (chosen_ == nullptr || periods == 0) {
        return false;
    }
    looked_at_ = now;
    const auto figures = chosen_->figures();
    return figures && loss_.is_too_much(*figures, periods);
}

void DirectTcp::part() {
    beside_time_.stop();
    settle(false);
    listener_.on_carrier_writable(*this);
}

DatagramPath::Sent DirectTcp::send(ByteView bytes, std::size_t segment_bytes, const PathId &) {
    auto sent = chosen_->send(bytes, segment_bytes);
    sent.in_stream = true;
    return sent;
}

/// The other side never needs more than kMaxProven.
bool DirectTcp::is_new(const StunTransaction &request) {
    return answered_.size() < kMaxProven && answered_.insert(request).second;
}

void DirectTcp::on_checked(DatagramStream &stream) {
    std::erase(calls_, &stream);
    if (beside_) {
        choose_beside();
    } else {
        listener_.on_carrier_changed(*this);
    }
}

void DirectTcp::on_datagram(DatagramStream &stream, ByteView datagram) {
    // No arrival so far is authenticated, so follow the latest one.
    if (settings_.follows && !settled_) {
        chosen_ = &stream;
    }
    if (chosen_ == &stream) {
        last_received_ = loop_.now();
        listener_.on_carrier_datagrams(*this, datagram, datagram.size(), {});
    }
}

void DirectTcp::on_writable(DatagramStream &stream) {
    if (&stream == chosen_) {
        listener_.on_carrier_writable(*this);
    }
}

void DirectTcp::on_over(DatagramStream &stream) {
    const bool called = std::erase(calls_, &stream) > 0;
    if (beside_) {
        if (chosen_ == &stream) {
            chosen_ = nullptr;
            listener_.on_carrier_writable(*this);
            // There is no replacement. Settle later: the stream is in its own call.
            beside_time_.start(loop_, 0, [this] { settle(true); });
        }
        return;
    }
    const bool was_chosen = &stream == chosen_ && !settled_;
    if (was_chosen) {
        choose();
    }
    if (called || was_chosen) {
        listener_.on_carrier_changed(*this);
    }
}

} // namespace thru
