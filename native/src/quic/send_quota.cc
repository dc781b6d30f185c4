#include "quic/send_quota.h"

namespace thru {

void SendQuota::set_limiters(RateLimiter *shared, RateLimiter *own) {
    own_ = own;
    share_ = shared != nullptr ? std::make_unique<RateShare>(*shared) : nullptr;
}

void SendQuota::begin(bool wanted, Timestamp now) {
    refused_ = false;
    spent_ = 0;
    left_ = paused_ ? 0 : room_;
    if (own_ != nullptr) {
        left_ = std::min(left_, own_->allowed(now));
    }
    if (share_ && wanted && !paused_) {
        left_ = std::min(left_, share_->allowed(now));
    } else if (share_) {
        share_->leave();
    }
    // A smaller quota would send one datagram per acknowledgement.
    if (wanted && worth_asking(now) > now) {
        left_ = 0;
    }
}

void SendQuota::end(Timestamp now) {
    next_ = kNever;
    if (own_ != nullptr) {
        own_->spend(spent_, now);
    }
    if (share_) {
        share_->spend(spent_, now);
    }
    if (!refused_ || paused_ || yields()) {
        return;
    }
    next_ = worth_asking(now);
}

Timestamp SendQuota::worth_asking(Timestamp now) {
    const auto own = own_ != nullptr ? own_->next(now) : now;
    return share_ ? std::max(own, share_->next(now)) : own;
}

void SendQuota::leave() {
    next_ = kNever;
    if (share_) {
        share_->leave();
    }
}

} // namespace thru
