// How fast data arrives by one path, in bytes a second, told by windows of time in which the
// receiver waited for the network and for nothing else. Counts in, rates out; knows no clock.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/clock.h"

namespace thru {

/// What a receiver has counted by one moment.
struct Arrivals {
    Timestamp now = 0;
    /// Bytes that came by the path, since it is there.
    std::uint64_t bytes = 0;
    /// For how long the receiver has waited for data and for nothing else, since the connection
    /// began.
    Timestamp waited = 0;
    /// Smoothed, of the path; 0 when unknown.
    Timestamp round_trip = 0;
};

class ArrivalRate {
public:
    ArrivalRate() = default;
    /// Forgets everything: another path is measured from now on, or the same one anew.
    void begin(const Arrivals &at) { *this = ArrivalRate(at); }
    /// To be called as often as something arrives.
    void update(const Arrivals &at) {
        const auto elapsed = at.now - begun_.now;
        if (elapsed < window()) {
            return;
        }
        // Both only grow, but for a path that takes the place of another one.
        const auto bytes = at.bytes - std::min(at.bytes, begun_.bytes);
        const auto waited = at.waited - std::min(at.waited, begun_.waited);
        const auto rate = static_cast<double>(bytes) * static_cast<double>(kSecond) /
                          static_cast<double>(elapsed);
        begun_ = at;
        if (waited >= elapsed / 10 * 9 && rate >= kTrickle) {
            std::ranges::rotate(rates_, rates_.begin() + 1);
            rates_.back() = rate;
            ++counted_;
            counted_at_ = at.now;
        } else if (at.now >= counted_at_ + kForgotten) {
            counted_ = 0;
        }
    }

    /// The mean of the last windows; nullopt while there were too few.
    std::optional<double> recent() const {
        return counted_ < kFew ? std::nullopt : std::optional(mean(kFew));
    }
    /// It grows no more, or has had the time for it.
    bool levelled() const {
        return counted_ >= kMany || (counted_ >= 2 * kFew && mean(kFew) < kGrowth * mean(0));
    }
    /// Data came lately.
    bool flows() const { return counted_ > 0; }

private:
    /// So many windows make a rate.
    static constexpr std::size_t kFew = 3;
    /// Congestion control has begun by then, whatever the path: ten seconds at least.
    static constexpr std::size_t kMany = 20;
    /// From one rate to the next; while it begins, congestion control grows more than twofold in a
    /// round trip.
    static constexpr double kGrowth = 1.25;
    /// Twice a round trip within these bounds, so that bursts of one make no difference.
    static constexpr Timestamp kMinWindow = kSecond / 2;
    static constexpr Timestamp kMaxWindow = 3 * kSecond / 2;
    /// Bytes a second that acknowledgements and keep-alives take, at most.
    static constexpr double kTrickle = 4'000;
    /// What was before so long a pause says nothing any more.
    static constexpr Timestamp kForgotten = 5 * kSecond;

    explicit ArrivalRate(const Arrivals &at) : begun_(at), counted_at_(at.now) {}

    Timestamp window() const { return std::clamp(2 * begun_.round_trip, kMinWindow, kMaxWindow); }
    /// That of kFew windows from this place on.
    double mean(std::size_t from) const {
        double sum = 0;
        for (std::size_t place = from; place < from + kFew; ++place) {
            sum += rates_.at(place);
        }
        return sum / kFew;
    }

    Arrivals begun_;
    std::array<double, 2 * kFew> rates_{};
    std::size_t counted_ = 0;
    Timestamp counted_at_ = 0;
};

} // namespace thru
