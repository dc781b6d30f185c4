// Functions that native/patches/ngtcp2 adds to ngtcp2, with replacements for an unpatched one.
#pragma once

#include <cstdint>
#include <optional>

#include <ngtcp2/ngtcp2.h>

#include "base/clock.h"
#include "quic/connection.h"

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

/// Tries larger datagrams again, because the path may carry them now.
inline void restart_mtu_discovery(ngtcp2_conn *conn) { ngtcp2_conn_restart_pmtud(conn); }

inline void set_saved_path(ngtcp2_conn *conn, std::uint64_t window, Timestamp round_trip) {
    ngtcp2_conn_set_saved_path(conn, window, round_trip);
}

/// False if the path is unknown or not worth saving.
inline bool saved_path(const ngtcp2_conn *conn, std::uint64_t &window, Timestamp &round_trip) {
    return ngtcp2_conn_get_saved_path(conn, &window, &round_trip) != 0;
}

inline CarefulResume careful_resume(const ngtcp2_conn *conn) {
    switch (ngtcp2_conn_get_resume(conn)) {
    case NGTCP2_RESUME_RECONNAISSANCE:
        return CarefulResume::Pending;
    case NGTCP2_RESUME_UNVALIDATED:
    case NGTCP2_RESUME_VALIDATING:
    case NGTCP2_RESUME_VALIDATED:
        return CarefulResume::Jumped;
    case NGTCP2_RESUME_SAFE_RETREAT:
    case NGTCP2_RESUME_RETREATED:
        return CarefulResume::Retreated;
    default:
        return CarefulResume::None;
    }
}

#else

inline constexpr bool kCongestionControlChanges = false;

inline void set_congestion_control(ngtcp2_conn *, ngtcp2_cc_algo, Timestamp) {}

inline std::optional<std::uint64_t> pacing_rate(const ngtcp2_conn *) { return std::nullopt; }

inline std::optional<std::uint64_t> packets_late(const ngtcp2_conn *) { return std::nullopt; }

inline void restart_mtu_discovery(ngtcp2_conn *) {}

inline void set_saved_path(ngtcp2_conn *, std::uint64_t, Timestamp) {}

inline bool saved_path(const ngtcp2_conn *, std::uint64_t &, Timestamp &) { return false; }

inline CarefulResume careful_resume(const ngtcp2_conn *) { return CarefulResume::None; }

#endif

} // namespace thru
