#include "quic/datagram_limit.h"

namespace thru {

namespace {

/// An outage of a second or two looks like a black hole: soon tried again.
constexpr Timestamp kFirstInterval = 10 * kSecond;
/// PMTU_RAISE_TIMER (RFC 8899 section 5.1.1).
constexpr Timestamp kLongestInterval = 600 * kSecond;

} // namespace

void DatagramLimit::again(Timestamp now) {
    interval_ = std::clamp(2 * interval_, kFirstInterval, kLongestInterval);
    try_at_ = now + interval_;
    verdict_at_ = 0;
}

void DatagramLimit::lower(Timestamp now) {
    if (!lowered_ || verdict_at_ != 0) {
        lowered_ = true;
        again(now);
    }
}

void DatagramLimit::tried(Timestamp now, Timestamp pto, Losses losses) {
    tried_at_ = now;
    verdict_at_ = now + 3 * pto;
    before_ = losses;
}

void DatagramLimit::look(Timestamp now, Timestamp last_acknowledged, Losses losses) {
    if (verdict_at_ == 0 || now < verdict_at_ || last_acknowledged <= tried_at_) {
        return;
    }
    // All others are small, so only the one that was tried raises the mean beyond their size.
    const auto lost = losses.packets - before_.packets;
    if (losses.bytes - before_.bytes > lost * kBaseDatagramBytes) {
        again(now);
        return;
    }
    lowered_ = false;
    verdict_at_ = 0;
}

} // namespace thru
