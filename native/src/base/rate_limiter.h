// A limit in bytes per second, without a clock. A limiter and its shares are used on one thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/clock.h"

namespace thru {

/// The bytes that an unlimited limiter allows.
inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

class RateShare;

/// A token bucket. It fills at the rate, up to a burst of 20 ms or two datagrams (per share that
/// wants to send), whichever is more. It doesn't round, so the rate is exact over time for any
/// pattern of calls. A caller later than the burst loses only the excess over the bucket.
class RateLimiter {
public:
    /// The least that one visit to the network should carry, in bytes.
    static constexpr std::uint64_t kDatagramBytes = 1452;

    RateLimiter() = default;
    RateLimiter(const RateLimiter &) = delete;
    RateLimiter &operator=(const RateLimiter &) = delete;

    /// Takes effect immediately; saved tokens are kept up to the new burst. `bytes_per_second`: 0
    /// means no limit, and rates above 100 GB/s are treated as 100 GB/s.
    void set_rate(std::uint64_t bytes_per_second);
    std::uint64_t rate() const { return rate_; }

    /// Bytes that may be sent now, kUnlimited without a limit. The last datagram may exceed it;
    /// that debt is paid back before anything else is sent.
    std::uint64_t allowed(Timestamp now);
    void spend(std::uint64_t bytes, Timestamp now);
    /// The time at which asking again is worthwhile: the larger of a datagram and 1 ms of the rate
    /// is then allowed. Not later than `now` if it already is.
    Timestamp next(Timestamp now);

private:
    friend class RateShare;

    /// Billionths of a byte, a rate times nanoseconds: a whole number at every rate.
    using Credit = std::int64_t;

    void refill(Timestamp now);
    /// Hands the saved tokens to the shares evenly, each up to its part of the burst.
    void distribute();
    Credit burst() const;
    /// The most that a share may save. Half of the burst stays free for tokens that other shares
    /// don't use, so idle savers can't fill it.
    Credit part() const { return burst() / 2 / static_cast<Credit>(shares_.size()); }
    /// The tokens of one visit.
    Credit quantum() const;
    /// The time at which `missing` has been saved, at the rate divided by `among`.
    Timestamp after(Timestamp now, Credit missing, std::uint64_t among) const;

    std::uint64_t rate_ = 0;
    Credit credit_ = 0;
    /// The part of credit_ that belongs to shares; the rest is open to any of them.
    Credit shared_ = 0;
    /// The time of the last update of credit_; empty before the first call under a rate.
    std::optional<Timestamp> updated_;
    /// The shares that want to send.
    std::vector<RateShare *> shares_;
};

/// One of several users of a limiter. Those that want to send get equal parts of its rate; a part
/// not used within 10 ms goes to the others (max-min fairness). Must not outlive the limiter.
class RateShare {
public:
    explicit RateShare(RateLimiter &limiter) : limiter_(limiter) {}
    ~RateShare() { leave(); }
    RateShare(const RateShare &) = delete;
    RateShare &operator=(const RateShare &) = delete;

    /// The limiter's rate in bytes per second; 0 without a limit.
    std::uint64_t rate() const { return limiter_.rate(); }
    /// Bytes that this share may send now. The call claims a part until `leave`.
    std::uint64_t allowed(Timestamp now);
    void spend(std::uint64_t bytes, Timestamp now);
    Timestamp next(Timestamp now);
    /// Gives up the share's part: it has nothing to send for now.
    void leave();

private:
    friend class RateLimiter;

    bool joined() const;

    RateLimiter &limiter_;
    /// Saved tokens, or debt when negative.
    RateLimiter::Credit credit_ = 0;
};

} // namespace thru
