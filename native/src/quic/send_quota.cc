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
    if (!share_) {
        return;
    }
    if (wanted && !paused_) {
        left_ = std::min(left_, share_->allowed(now));
    } else {
        share_->leave();
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
    next_ = now;
    if (own_ != nullptr) {
        next_ = std::max(next_, own_->next(now));
    }
    if (share_) {
        next_ = std::max(next_, share_->next(now));
    }
}

void SendQuota::leave() {
    next_ = kNever;
    if (share_) {
        share_->leave();
    }
}

} // namespace thru
