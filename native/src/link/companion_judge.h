// Ends TCP alongside the pair's UDP where UDP is better.
#pragma once

#include "link/link_binding.h"
#include "path/carrier_set.h"
#include "quic/connection.h"

namespace thru {

class CompanionJudge {
public:
    explicit CompanionJudge(LinkRole role) : role_(role) {}

    /// TCP may carry data from `now` on.
    void begin(Timestamp now) { knows_round_trip_at_ = now + kSecond; }
    /// A network that looks local may hide a long path, where TCP is bad; the receiver decides. On
    /// a lossy one, BBR over UDP is faster; either side decides.
    void judge(CarrierSet &carriers, Connection &connection, Timestamp now) {
        if (knows_round_trip_at_ <= now) {
            knows_round_trip_at_ = kNever;
            if (role_ == LinkRole::Receiver && connection.statistics(now).min_rtt > kMaxRoundTrip) {
                carriers.leave_companion();
            }
        }
        if (carriers.leave_lossy_companion(now)) {
            connection.on_lossy_stream_left(now);
        }
    }

private:
    /// Largest minimum round trip of a local network, Wi-Fi included.
    static constexpr Timestamp kMaxRoundTrip = 5 * kMillisecond;

    LinkRole role_;
    Timestamp knows_round_trip_at_ = kNever;
};

} // namespace thru
