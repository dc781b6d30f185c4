#include "quic/datagram_limit.h"

namespace thru {

namespace {

/// An outage of a second or two looks like a black hole, so the first probe is sent soon.
constexpr Timestamp kFirstInterval = 10 * kSecond;
/// PMTU_RAISE_TIMER (RFC 8899 section 5.1.1).
constexpr Timestamp kMaxInterval = 600 * kSecond;

} // namespace

DatagramLimit::DatagramLimit(std::span<const std::uint16_t> sizes)
    : sizes_(sizes.begin(), sizes.end()) {
    std::ranges::sort(sizes_);
}

void DatagramLimit::schedule_probe(Timestamp now) {
    interval_ = std::clamp(2 * interval_, kFirstInterval, kMaxInterval);
    probe_at_ = now + interval_;
    verdict_at_ = 0;
}

void DatagramLimit::lower(Timestamp now) {
    if (!lowered_ || taken_ > kBaseDatagramBytes || verdict_at_ != 0) {
        lowered_ = true;
        taken_ = kBaseDatagramBytes;
        schedule_probe(now);
    }
}

void DatagramLimit::refused(std::size_t bytes, Timestamp now) {
    if (!lowered_ || bytes <= taken_) {
        lower(now);
    } else if (verdict_at_ != 0) {
        schedule_probe(now);
    }
}

std::size_t DatagramLimit::probe_bytes(std::size_t discovered) const {
    const auto next = std::ranges::upper_bound(sizes_, taken_);
    return next == sizes_.end() ? discovered : std::min(*next, discovered);
}

void DatagramLimit::probed(std::size_t bytes, Timestamp now, Timestamp pto, Losses losses) {
    probe_bytes_ = bytes;
    probed_at_ = now;
    verdict_at_ = now + 3 * pto;
    before_ = losses;
}

void DatagramLimit::evaluate_probe(std::size_t discovered, Timestamp now,
                                   Timestamp last_acknowledged, Losses losses) {
    if (verdict_at_ == 0) {
        return;
    }
    // All other packets are smaller, so only the probe raises the mean above their size. Short
    // packets lost at the same time may hide it; an ambiguous case counts as a lost probe.
    const auto packets = losses.packets - before_.packets;
    const auto bytes = losses.bytes - before_.bytes;
    before_ = losses;
    const bool hidden = packets > 1 && bytes >= probe_bytes_ && bytes != packets * taken_;
    if (bytes > packets * taken_ || hidden) {
        schedule_probe(now);
        return;
    }
    if (now < verdict_at_ || last_acknowledged <= probed_at_) {
        return;
    }
    taken_ = probe_bytes_;
    lowered_ = taken_ < discovered;
    verdict_at_ = 0;
    probe_at_ = now;
}

} // namespace thru
