#include "quic/migration.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace thru {

namespace {

/// Time between attempts: longer than a validation, to slow down forged addresses.
constexpr Timestamp kBetweenMoves = kSecond;

/// True if the datagram carries one of this side's connection ids.
bool is_for(ngtcp2_conn *conn, ByteView datagram) {
    constexpr std::uint8_t kLongHeader = 0x80;
    constexpr std::size_t kMaxIds = 32;
    const auto count = ngtcp2_conn_get_scid2(conn, nullptr);
    std::array<ngtcp2_cid, kMaxIds> ids{};
    if (datagram.size() <= 1 || (datagram[0] & kLongHeader) != 0 || count > ids.size()) {
        return false;
    }
    ngtcp2_conn_get_scid2(conn, ids.data());
    return std::ranges::any_of(std::span(ids).first(count), [&](const ngtcp2_cid &id) {
        return id.datalen < datagram.size() &&
               std::ranges::equal(std::span(id.data, id.datalen), datagram.subspan(1, id.datalen));
    });
}

} // namespace

Tuple *Migration::tuple_of(const PathId &from) {
    if (server_) {
        arrived_by_.emplace(from);
        return &*arrived_by_;
    }
    // Newest first: several may use the same way.
    for (auto *each : {&moving_, &current_, &previous_}) {
        if (*each && (*each)->path_id() == from) {
            return &**each;
        }
    }
    return nullptr;
}

/// Only the other side and observers know this connection id; the path is validated before use.
void Migration::consider(ngtcp2_conn *conn, ByteView datagram, const PathId &from, Timestamp now) {
    if (now >= move_from_ && is_for(conn, datagram)) {
        move_to(conn, from, false, now);
    }
}

bool Migration::move_to(ngtcp2_conn *conn, const PathId &path_id, bool at_once, Timestamp now) {
    Tuple next(path_id, static_cast<std::uint16_t>(turn_ + 1));
    const auto path = next.path();
    const auto outcome = at_once ? ngtcp2_conn_initiate_immediate_migration(conn, &path, now)
                                 : ngtcp2_conn_initiate_migration(conn, &path, now);
    if (outcome != 0) {
        return false;
    }
    ++turn_;
    move_from_ = now + kBetweenMoves;
    if (at_once) {
        previous_ = std::exchange(current_, next);
    } else {
        moving_ = next;
    }
    return true;
}

void Migration::on_validated(const ngtcp2_path &path) {
    if (moving_ && moving_->path_id() == path_id_of(path)) {
        previous_ = std::exchange(current_, std::exchange(moving_, std::nullopt));
    }
}

void Migration::on_refused(const ngtcp2_path &path) {
    if (moving_ && moving_->path_id() == path_id_of(path)) {
        moving_.reset();
    }
}

} // namespace thru
