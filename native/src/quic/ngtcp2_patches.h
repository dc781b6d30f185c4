// Functions that native/patches/ngtcp2 adds to ngtcp2, with replacements for an unpatched one.
#pragma once

#include <cstdint>
#include <optional>

#include <ngtcp2/ngtcp2.h>

#include "base/clock.h"

namespace thru {

#ifdef NGTCP2_PATCHED_BY_THRUFLUX

inline constexpr bool kCongestionControlChanges = true;

inline void set_congestion_control(ngtcp2_conn *conn, ngtcp2_cc_algo algorithm, Timestamp now) {
    ngtcp2_conn_set_cc_algo(conn, algorithm, now);
}

/// Bytes a second; nullopt if the library doesn't report it.
inline std::optional<std::uint64_t> pacing_rate(const ngtcp2_conn *conn) {
    return ngtcp2_conn_get_pacing_rate(conn);
}

/// Packets declared lost and acknowledged later; nullopt if the library doesn't report them.
inline std::optional<std::uint64_t> packets_late(const ngtcp2_conn *conn) {
    return ngtcp2_conn_get_pkt_late(conn);
}

#else

inline constexpr bool kCongestionControlChanges = false;

inline void set_congestion_control(ngtcp2_conn *, ngtcp2_cc_algo, Timestamp) {}

inline std::optional<std::uint64_t> pacing_rate(const ngtcp2_conn *) { return std::nullopt; }

inline std::optional<std::uint64_t> packets_late(const ngtcp2_conn *) { return std::nullopt; }

#endif

} // namespace thru
