// Judges by a TCP connection's repeated segments whether the path loses too much for TCP, which
// lowers its rate after each loss. Has no clock.
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/tcp_figures.h"

namespace thru {

class SegmentLoss {
public:
    /// Takes the connection's counts, `periods` of a few milliseconds after the previous ones. All
    /// losses of a period are one, because a queue that overflows loses many at once. So are those
    /// of a pause of the path: a look counts at most one loss beyond the share.
    bool is_too_much(const TcpFigures &total, std::uint64_t periods) {
        const auto sent = total.sent - last_.sent;
        const auto losses =
            std::min({total.repeated - last_.repeated, periods, 1 + sent / kSegmentsPerLoss});
        excess_ += losses * kSegmentsPerLoss;
        excess_ -= std::min(excess_, sent);
        last_ = total;
        return excess_ >= kMaxExcess * kSegmentsPerLoss;
    }

private:
    /// A quarter percent, with which TCP gets about 280 Mbit/s at a round trip of 1 ms.
    static constexpr std::uint64_t kSegmentsPerLoss = 400;
    /// Losses beyond that share.
    static constexpr std::uint64_t kMaxExcess = 4;

    TcpFigures last_;
    /// The number of further segments with which the losses would be that share.
    std::uint64_t excess_ = 0;
};

} // namespace thru
