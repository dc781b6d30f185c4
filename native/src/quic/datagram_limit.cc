#include "quic/datagram_limit.h"

namespace thru {

namespace {

/// An outage of a second or two looks like a black hole, so the first probe comes soon.
constexpr Timestamp kFirstInterval = 10 * kSecond;
/// PMTU_RAISE_TIMER (RFC 8899 section 5.1.1).
constexpr Timestamp kLongestInterval = 600 * kSecond;

} // namespace

void DatagramLimit::schedule_probe(Timestamp now) {
    interval_ = std::clamp(2 * interval_, kFirstInterval, kLongestInterval);
    probe_at_ = now + interval_;
    verdict_at_ = 0;
}

void DatagramLimit::lower(Timestamp now) {
    if (!lowered_ || verdict_at_ != 0) {
        lowered_ = true;
        schedule_probe(now);
    }
}

void DatagramLimit::probed(Timestamp now, Timestamp pto, Losses losses) {
    probed_at_ = now;
    verdict_at_ = now + 3 * pto;
    before_ = losses;
}

void DatagramLimit::evaluate_probe(Timestamp now, Timestamp last_acknowledged, Losses losses) {
    if (verdict_at_ == 0 || now < verdict_at_ || last_acknowledged <= probed_at_) {
        return;
    }
    // All others are small, so only the probe raises the mean beyond their size.
    const auto lost = losses.packets - before_.packets;
    if (losses.bytes - before_.bytes > lost * kBaseDatagramBytes) {
        schedule_probe(now);
        return;
    }
    lowered_ = false;
    verdict_at_ = 0;
}

} // namespace thru
