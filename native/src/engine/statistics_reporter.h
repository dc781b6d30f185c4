// Reports a connection's figures: with its progress, at most once a second, and when a stall or an
// end needs explaining. Sets no timer: a waiting transfer costs nothing. Network thread only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/clock.h"
#include "engine/context.h"
#include "engine/events.h"
#include "link/peer_link.h"

namespace thru {

class StatisticsReporter {
public:
    static constexpr Timestamp kInterval = kSecond;

    StatisticsReporter(EngineContext &context, SessionNumber session, std::string peer)
        : context_(context), session_(session), peer_(std::move(peer)) {}

    /// Reports with progress, unless the last report is too recent. `saved`: bytes that compression
    /// has kept off the network.
    void on_progress(PeerLink &link, std::uint64_t saved, Timestamp now) {
        if (now >= next_) {
            report(link, saved, now);
        }
    }
    /// Reports immediately: the transfer stalled or is ending.
    void report(PeerLink &link, std::uint64_t saved, Timestamp now) {
        next_ = now + kInterval;
        const auto statistics = link.connection().statistics(now);
        const auto passed = passed_bytes(statistics);
        // A rate over a very short interval means nothing.
        if (now >= measured_at_ + kInterval / 4) {
            const auto more = passed - std::min(passed, passed_);
            rate_ = measured_at_ == 0
                        ? 0
                        : static_cast<std::uint64_t>(static_cast<double>(more) *
                                                     static_cast<double>(kSecond) /
                                                     static_cast<double>(now - measured_at_));
            measured_at_ = now;
            passed_ = passed;
        }
        context_.events.push(
            StatisticsEvent{session_, peer_, statistics, rate_, saved, link.qlog()});
    }

private:
    /// Bytes of delivered packets. The smaller direction is mostly acknowledgements.
    static std::uint64_t passed_bytes(const Connection::Statistics &statistics) {
        const auto gone = statistics.bytes_lost + statistics.bytes_in_flight;
        return std::max(statistics.bytes_sent - std::min(statistics.bytes_sent, gone),
                        statistics.bytes_received);
    }

    EngineContext &context_;
    const SessionNumber session_;
    const std::string peer_;
    Timestamp next_ = 0;
    Timestamp measured_at_ = 0;
    std::uint64_t passed_ = 0;
    std::uint64_t rate_ = 0;
};

} // namespace thru
