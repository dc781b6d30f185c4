#include "link/web_transport.h"

#include <algorithm>
#include <utility>

#include "crypto/base64url.h"
#include "crypto/random.h"
#include "net/on_link.h"
#include "path/demux.h"

namespace thru {

namespace {

/// Maximum number of announced addresses; candidates are limited (protocol.md).
constexpr std::size_t kMaxPlaces = 4;
/// Maximum connections without the token, and in total; any host could open them.
constexpr std::size_t kMaxGuests = 8;
constexpr std::size_t kMaxGuestsInAll = 64;
/// Time for a browser to show the token.
constexpr Timestamp kProofTime = 10 * kSecond;
/// Maximum datagrams of a guest that begin nothing: each costs a new connection's state. A
/// browser's first message takes two, which may be repeated.
constexpr std::size_t kMaxVainDatagrams = 8;
/// The least size of a client's first datagram (RFC 9000, section 14.1), and its form.
constexpr std::size_t kInitialBytes = 1200;
constexpr std::uint8_t kLongHeader = 0xc0;
/// Reads before the loop turns to other work.
constexpr int kGuestReadsPerTurn = 64;
/// A browser sends datagrams one by one. Each would cost a turn of the loop, so those within this
/// time are read together.
constexpr Timestamp kGuestReadDelay = kMillisecond / 2;
/// Interval for retrying a busy socket.
constexpr Timestamp kBusySocketRetry = kMillisecond;

bool begins_guest(ByteView datagrams, std::size_t segment) {
    return std::min(datagrams.size(), segment) >= kInitialBytes &&
           (datagrams.front() & kLongHeader) == kLongHeader;
}

} // namespace

/// One connection: the address that it began from, and its session.
struct WebTransport::Guest final : DatagramPath {
    Guest(UdpSocket &own, const Address &other, SslCtxPtr context,
          const ConnectionSettings &settings, WebTransport &owner, Timestamp now)
        : socket(own), from(other), session(std::move(context), settings, owner.token_, owner),
          give_up(now + kProofTime) {}

    Sent send(ByteView bytes, std::size_t segment_bytes, const PathId &path_id) override {
        return socket.send(path_id.remote.empty() ? from : path_id.remote, bytes, segment_bytes);
    }
    bool over(Timestamp now) const {
        return session.over() || (!session.proven() && give_up <= now) ||
               vain_datagrams >= kMaxVainDatagrams;
    }

    UdpSocket &socket;
    Address from;
    WebTransportSession session;
    Timestamp give_up;
    std::size_t vain_datagrams = 0;
    /// Datagrams have arrived since it was served.
    bool has_news = false;
    Timeout timer;
};

Result<std::unique_ptr<WebTransport>> WebTransport::open(EventLoop &loop, CarrierListener &listener,
                                                         const std::vector<std::string> &hosts,
                                                         int socket_buffers) {
    auto identity = Identity::create_for_browsers();
    if (!identity) {
        return std::unexpected(identity.error());
    }
    std::unique_ptr<WebTransport> opened(new WebTransport(loop, listener, *std::move(identity)));
    for (const auto &host : hosts) {
        if (opened->places_.size() == kMaxPlaces) {
            break;
        }
        if (auto socket = UdpSocket::open(host, socket_buffers)) {
            auto &own = *socket;
            opened->places_.push_back({.host = host, .socket = std::move(socket)});
            loop.watch(own.descriptor(), [web = opened.get(), &own] { web->read(own); });
        }
    }
    if (opened->places_.empty()) {
        return fail(ErrorCode::NoRoute, 0, "no address can be used for WebTransport");
    }
    return opened;
}

WebTransport::WebTransport(EventLoop &loop, CarrierListener &listener, Identity identity)
    : loop_(loop), listener_(listener), identity_(std::move(identity)),
      buffer_(kReceiveBatchBytes) {
    random_bytes(token_);
}

WebTransport::~WebTransport() {
    for (const auto &guest : guests_) {
        guest->session.close(*guest, loop_.now());
    }
    guests_.clear();
    close_sockets();
}

void WebTransport::close_sockets() {
    for (const auto &place : places_) {
        loop_.unwatch(place.socket->descriptor());
    }
    places_.clear();
}

std::vector<std::string> WebTransport::candidates() const {
    std::vector<std::string> lines;
    for (const auto &[host, socket] : places_) {
        lines.push_back("candidate:web" + std::to_string(lines.size()) + " 1 UDP " +
                        std::to_string(kMaxPlaces - lines.size()) + " " + host + " " +
                        std::to_string(socket->port()) + " typ host webtransport " +
                        to_base64url(identity_.fingerprint()) + " token " + to_base64url(token_));
    }
    return lines;
}

CarrierState WebTransport::state() const {
    if (over_) {
        return CarrierState::Over;
    }
    return chosen_ != nullptr ? CarrierState::Found : CarrierState::Idle;
}

void WebTransport::read(UdpSocket &socket) {
    const auto take = [this, &socket](ByteView bytes, std::size_t segment, const sockaddr &from) {
        receive(socket, bytes, segment, Address(from));
    };
    int batches = 0;
    while (batches < kGuestReadsPerTurn && receive_batch(socket.descriptor(), buffer_, take)) {
        ++batches;
    }
    const auto now = loop_.now();
    const bool busy = now - std::exchange(read_at_, now) < 2 * kGuestReadDelay;
    if (batches < kGuestReadsPerTurn && busy && chosen_ != nullptr) {
        loop_.delay_reads(socket.descriptor(), now + kGuestReadDelay);
    }
    for (std::size_t at = 0; at < guests_.size();) {
        auto &guest = *guests_[at];
        if (std::exchange(guest.has_news, false)) {
            serve(guest);
        }
        // A guest that is over leaves its place to the next one.
        at += forget_if_over(guest) ? 0 : 1;
    }
}

WebTransport::Guest *WebTransport::guest_at(UdpSocket &socket, const Address &from) {
    const auto found = std::ranges::find_if(guests_, [&](const auto &guest) {
        return &guest->socket == &socket && guest->from == from;
    });
    return found == guests_.end() ? nullptr : found->get();
}

void WebTransport::receive(UdpSocket &socket, ByteView bytes, std::size_t segment,
                           const Address &from) {
    const auto now = loop_.now();
    auto *guest = guest_at(socket, from);
    PathId path{};
    if (guest == nullptr && chosen_ != nullptr && &chosen_->socket == &socket) {
        // The browser may have a new address.
        guest = chosen_;
        path.remote = from;
    } else if (guest == nullptr && chosen_ == nullptr && !over_ && guests_.size() < kMaxGuests &&
               accepted_ < kMaxGuestsInAll && begins_guest(bytes, segment) && !from.empty()) {
        auto context = identity_.browser_context();
        if (!context) {
            return;
        }
        ++accepted_;
        guest =
            guests_
                .emplace_back(std::make_unique<Guest>(
                    socket, from, *std::move(context),
                    ConnectionSettings{.cubic_up_to = is_on_link(*from.get()) ? kLocalRoundTrip : 0,
                                       .for_browser = true},
                    *this, now))
                .get();
    }
    if (guest != nullptr && !guest->over(now)) {
        guest->session.on_datagrams(bytes, segment, path, now);
        if (!guest->session.begun()) {
            // The segment of an empty datagram has no bytes.
            guest->vain_datagrams += bytes.size() / std::max<std::size_t>(segment, 1);
        }
        guest->has_news = true;
    }
}

/// Ends all other connections: the browser called several addresses, and chose one.
void WebTransport::on_proven(WebTransportSession &session) {
    std::erase_if(guests_, [&](const auto &guest) {
        if (&guest->session == &session) {
            chosen_ = guest.get();
            return false;
        }
        guest->session.close(*guest, loop_.now());
        return true;
    });
    const auto &from = chosen_->from;
    auto remote = text_of(from);
    route_ = {.kind = is_on_link(*from.get()) ? Route::Kind::Local : Route::Kind::Direct,
              .ipv6 = remote.starts_with('['),
              .remote = std::move(remote)};
    local_ = chosen_->socket.local();
    listener_.on_carrier_changed(*this);
}

void WebTransport::on_stream_bytes(ByteView bytes) {
    const bool understood = frames_.receive(bytes, [this](ByteView datagram) {
        if (!datagram.empty() && is_quic(datagram)) {
            listener_.on_carrier_datagrams(*this, datagram, datagram.size(), {});
        }
        return !over_;
    });
    static_cast<void>(understood);
}

void WebTransport::serve(Guest &guest) {
    const auto now = loop_.now();
    const auto outcome = guest.session.service(guest, now);
    auto next = outcome == FlushOutcome::More       ? now
                : outcome == FlushOutcome::PathBusy ? now + kBusySocketRetry
                                                    : guest.session.deadline();
    if (!guest.session.proven()) {
        next = std::min(next, guest.give_up);
    }
    serve_later(guest, guest.over(now) ? now : next);
    if (&guest == chosen_ && was_full_ && !guest.session.full()) {
        was_full_ = false;
        listener_.on_carrier_writable(*this);
    }
}

void WebTransport::serve_later(Guest &guest, Timestamp at) {
    if (at == kNever) {
        guest.timer.stop();
        return;
    }
    const auto wait = std::max<Timestamp>(at - loop_.now(), 0);
    guest.timer.start(loop_, static_cast<guint>((wait + kMillisecond - 1) / kMillisecond),
                      [this, &guest] {
                          serve(guest);
                          forget_if_over(guest);
                      });
}

bool WebTransport::forget_if_over(Guest &guest) {
    if (!guest.over(loop_.now())) {
        return false;
    }
    guest.session.close(guest, loop_.now());
    const bool was_chosen = &guest == chosen_;
    if (was_chosen) {
        chosen_ = nullptr;
        over_ = true;
        closing_.start(loop_, 0, [this] { close_sockets(); });
    }
    std::erase_if(guests_, [&](const auto &each) { return each.get() == &guest; });
    if (was_chosen) {
        listener_.on_carrier_changed(*this);
    }
    return true;
}

DatagramPath::Sent WebTransport::send(ByteView bytes, std::size_t segment_bytes, const PathId &) {
    const DatagramPath::Sent all{.bytes = bytes.size(), .in_stream = true};
    if (chosen_ == nullptr || chosen_->session.over()) {
        // Dropped, as on a dead path.
        return all;
    }
    if (chosen_->session.full()) {
        was_full_ = true;
        return {.in_stream = true};
    }
    Bytes framed;
    framed.reserve(bytes.size() + (bytes.size() / segment_bytes + 1) * kFrameLengthBytes);
    append_length_frames(framed, bytes, segment_bytes);
    chosen_->session.write(framed);
    serve(*chosen_);
    return all;
}

} // namespace thru
