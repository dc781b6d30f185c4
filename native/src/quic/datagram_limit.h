// Detects when the path stops carrying datagrams of the discovered size: black hole detection (RFC
// 8899 section 4.3, RFC 9000 section 14.4). ngtcp2's size only grows, so this lowers datagrams to
// the minimum of QUIC and later probes larger sizes, smallest first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.h"

namespace thru {

/// Bytes of UDP payload that a path must take to carry QUIC at all (RFC 9000 section 14).
inline constexpr std::size_t kBaseDatagramBytes = 1200;

class DatagramLimit {
public:
    /// Counted since the connection began.
    struct Losses {
        std::uint64_t packets = 0;
        std::uint64_t bytes = 0;
    };

    /// `sizes`: the sizes that discovery tries, in bytes.
    explicit DatagramLimit(std::span<const std::uint16_t> sizes);

    bool lowered() const { return lowered_; }
    /// The largest datagram to write, in bytes, if ngtcp2 `discovered` this size.
    std::size_t bytes(std::size_t discovered) const {
        return lowered_ ? std::min(discovered, taken_) : discovered;
    }
    /// Lowers the limit: larger datagrams are being lost.
    void lower(Timestamp now);
    /// Sets the time of the first probe. Larger datagrams of before must be acknowledged or lost by
    /// then, because their losses would count as the probe's.
    void probe_from(Timestamp at) { probe_at_ = at; }
    /// The system refused a datagram of `bytes`.
    void refused(std::size_t bytes, Timestamp now);

    /// One larger datagram may be sent as a probe.
    bool may_probe(Timestamp now) const { return lowered_ && verdict_at_ == 0 && now >= probe_at_; }
    std::size_t probe_bytes(std::size_t discovered) const;
    /// A probe was sent; `losses` counts earlier losses. Its own loss shows within three `pto`.
    void probed(std::size_t bytes, Timestamp now, Timestamp pto, Losses losses);
    /// Raises or lifts the limit if the probe arrived, or schedules the next one. Called whenever
    /// `losses` may have changed. `last_acknowledged`: time at which data last got through.
    void evaluate_probe(std::size_t discovered, Timestamp now, Timestamp last_acknowledged,
                        Losses losses);

private:
    void schedule_probe(Timestamp now);

    /// Ascending.
    std::vector<std::size_t> sizes_;
    bool lowered_ = false;
    /// The largest datagram that arrived since the limit was lowered, in bytes.
    std::size_t taken_ = kBaseDatagramBytes;
    std::size_t probe_bytes_ = 0;
    Timestamp probed_at_ = 0;
    /// 0 unless a probe is in flight.
    Timestamp verdict_at_ = 0;
    Losses before_;
    Timestamp probe_at_ = 0;
    Timestamp interval_ = 0;
};

} // namespace thru
