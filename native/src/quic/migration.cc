// Which path a datagram came by, and the client's move to another one (RFC 9000 section 9).
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "quic/connection_state.h"

namespace thru {

namespace {

/// From one attempt to the next: a validation takes less, and who makes up addresses gets no more.
constexpr Timestamp kBetweenMoves = kSecond;

} // namespace

Tuple *ConnectionState::tuple_of(const Way &from) {
    if (server) {
        arrived_by.emplace(from);
        return &*arrived_by;
    }
    // The newest first: several may go over the same way.
    for (auto *each : {&moving, &current, &previous}) {
        if (*each && (*each)->way() == from) {
            return &**each;
        }
    }
    return nullptr;
}

bool ConnectionState::is_for_this(ByteView datagram) const {
    constexpr std::uint8_t kLongHeader = 0x80;
    constexpr std::size_t kMaxIds = 32;
    const auto count = ngtcp2_conn_get_scid2(conn.get(), nullptr);
    std::array<ngtcp2_cid, kMaxIds> ids{};
    if (datagram.size() <= 1 || (datagram[0] & kLongHeader) != 0 || count > ids.size()) {
        return false;
    }
    ngtcp2_conn_get_scid2(conn.get(), ids.data());
    return std::ranges::any_of(std::span(ids).first(count), [&](const ngtcp2_cid &id) {
        return id.datalen < datagram.size() &&
               std::ranges::equal(std::span(id.data, id.datalen), datagram.subspan(1, id.datalen));
    });
}

/// The other side has another address: nobody else knows the id that the datagram is for, but who
/// reads along, and the new path has to answer before it is used.
void ConnectionState::consider_move(ByteView datagram, const Way &from, Timestamp now) {
    if (established && now >= move_from && is_for_this(datagram)) {
        move_to(from, now);
    }
}

bool ConnectionState::move_to(const Way &way, Timestamp now) {
    Tuple next(way, static_cast<std::uint16_t>(turn + 1));
    const auto path = next.path();
    if (ngtcp2_conn_initiate_migration(conn.get(), &path, now) != 0) {
        return false;
    }
    ++turn;
    move_from = now + kBetweenMoves;
    moving.emplace(next);
    return true;
}

bool ConnectionState::jump_to(const Way &way, Timestamp now) {
    Tuple next(way, static_cast<std::uint16_t>(turn + 1));
    const auto path = next.path();
    if (ngtcp2_conn_initiate_immediate_migration(conn.get(), &path, now) != 0) {
        return false;
    }
    ++turn;
    move_from = now + kBetweenMoves;
    previous = std::exchange(current, next);
    return true;
}

void ConnectionState::on_path_validated(const ngtcp2_path &path) {
    const auto way = way_of(path);
    if (moving && moving->way() == way) {
        previous = std::exchange(current, std::exchange(moving, std::nullopt));
    }
    // What was found out about another path says nothing of this one.
    limit = DatagramLimit(settings.datagram_bytes);
}

void ConnectionState::on_path_refused(const ngtcp2_path &path) {
    if (moving && moving->way() == way_of(path)) {
        moving.reset();
    }
}

Way Connection::way() const {
    return state_->conn ? way_of(*ngtcp2_conn_get_path2(state_->conn.get())) : Way{};
}

bool Connection::move_to(std::uint16_t local, Timestamp now) {
    auto &state = *state_;
    if (!state.established || state.closed || state.moving || now < state.move_from) {
        return false;
    }
    return silent() ? state.jump_to(Way{.local = local}, now)
                    : state.move_to(Way{.local = local}, now);
}

} // namespace thru
