// Bytes of stream data that the user's settings (rate limits, pause) allow one flush to send.
// Limits of the network and the other side are left to the QUIC library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/rate_limiter.h"

namespace thru {

class SendQuota {
public:
    void set_paused(bool paused) { paused_ = paused; }
    /// Either may be null. Both must outlive this object or be removed first.
    void set_limiters(RateLimiter *shared, RateLimiter *own);

    bool has_limit() const {
        return (own_ != nullptr && own_->rate() > 0) || (share_ && share_->rate() > 0);
    }

    /// Bytes that leave room for other traffic; kUnlimited if that is off.
    void set_room(std::uint64_t bytes) { room_ = bytes; }

    /// A flush begins. `wanted`: there is data to send.
    void begin(bool wanted, Timestamp now);
    /// Checks whether data may go into a packet, and records a refusal.
    bool grant() {
        refused_ = left_ == 0;
        return !refused_;
    }
    /// `bytes` went into a packet.
    void spend(std::uint64_t bytes) {
        left_ -= std::min(left_, bytes);
        spent_ += bytes;
    }
    /// The flush is over.
    void end(Timestamp now);
    /// Nothing more will be sent: other connections get this one's share.
    void leave();

    /// Data was refused in the last flush, by a limit or the pause.
    bool refused() const { return refused_; }
    bool paused() const { return paused_; }
    /// True if leaving room refused the data; acknowledgements make new room.
    bool yields() const { return refused_ && spent_ >= room_; }
    /// True if rate limits refused data in the last flush.
    bool limited() const { return next_ != kNever; }
    /// Time of the next flush if limited, else kNever.
    Timestamp next() const { return next_; }

private:
    /// Time at which both limits allow a worthwhile flush; may be in the past.
    Timestamp worth_asking(Timestamp now);

    RateLimiter *own_ = nullptr;
    std::unique_ptr<RateShare> share_;
    bool paused_ = false;
    bool refused_ = false;
    std::uint64_t room_ = kUnlimited;
    std::uint64_t left_ = kUnlimited;
    std::uint64_t spent_ = 0;
    Timestamp next_ = kNever;
};

} // namespace thru
