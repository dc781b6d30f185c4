// How much stream data one flush may send as far as the user is concerned: rate limits and a pause.
// What the network and the other side allow is the QUIC library's business.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/rate_limiter.h"

namespace thru {

class SendQuota {
public:
    /// While paused nothing may be sent.
    void set_paused(bool paused) { paused_ = paused; }
    /// Either may be null. Both outlive this object or are taken away before.
    void set_limiters(RateLimiter *shared, RateLimiter *own);

    /// Bytes that leave room for others in the network; kUnlimited where nobody asked for that.
    void set_room(std::uint64_t bytes) { room_ = bytes; }

    /// A flush begins. `wanted`: there is data to send.
    void begin(bool wanted, Timestamp now);
    /// Asked before data goes into a packet; a refusal is remembered.
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
    /// Nothing more will be sent: others need not leave a share to this one.
    void leave();

    /// Data was refused in the last flush, by a limit or the pause.
    bool refused() const { return refused_; }
    bool paused() const { return paused_; }
    /// What refused it is room for others: acknowledgements make new one.
    bool yields() const { return refused_ && spent_ >= room_; }
    /// The limits refused data in the last flush.
    bool limited() const { return next_ != kNever; }
    /// When a limited one should flush again, kNever for others.
    Timestamp next() const { return next_; }

private:
    /// When both limits allow what a visit to the network should carry; not after `now` if they do.
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
