#include "link/path_trial.h"

#include <utility>

namespace thru {

namespace {

/// A direct path needs only this part of the relay's rate: it costs nobody's relay, and rates vary.
constexpr double kEnough = 0.8;
/// A relay that was never measured is looked at when the transfer would go on for so long, in
/// seconds: a look takes two moves and some seconds at what may be the lower rate.
constexpr double kWorthALook = 60;

} // namespace

bool PathTrial::may_begin(Timestamp found_at, Timestamp now) const {
    return !rate_.flows() || rate_.levelled() || now >= found_at + kMaxHold;
}

void PathTrial::on_move(Path path, const Arrivals &at) {
    const auto wanted = std::exchange(wanted_, std::nullopt);
    const auto left = rate_.recent();
    used_ = path;
    rate_.begin(at);
    ends_at_ = at.now + kMaxLook;
    if (path == Path::Relay) {
        stage_ = wanted == path ? Stage::LooksAtRelay : Stage::Over;
    } else if (stage_ == Stage::LooksAtRelay) {
        stage_ = Stage::Over;
    } else {
        stage_ = Stage::LooksAtDirect;
        relay_ = left;
        direct_.reset();
        relay_won_ = false;
    }
}

void PathTrial::update(const Arrivals &at, std::uint64_t awaited) {
    rate_.update(at);
    now_ = at.now;
    if (stage_ == Stage::Over || (wanted_ && at.now < ends_at_)) {
        return;
    }
    if (wanted_) {
        abandon();
    } else if (at.now >= ends_at_) {
        expire();
    } else if (stage_ == Stage::LooksAtDirect) {
        look_at_direct(awaited);
    } else {
        look_at_relay();
    }
}

/// What seems slower than the relay was may only be what comes more slowly now, by either path. So
/// the relay is looked at again before it wins.
void PathTrial::look_at_direct(std::uint64_t awaited) {
    const auto rate = rate_.recent();
    if (relay_ && rate && *rate >= kEnough * *relay_) {
        end(Path::Direct);
    } else if (rate_.levelled() &&
               (relay_ || static_cast<double>(awaited) >= kWorthALook * *rate)) {
        direct_ = rate;
        want(Path::Relay);
    }
}

void PathTrial::look_at_relay() {
    const auto rate = rate_.recent();
    if (rate && *direct_ < kEnough * *rate) {
        end(Path::Relay);
    } else if (rate_.levelled()) {
        want(Path::Direct);
    }
}

/// Little comes any more: what is known has to do.
void PathTrial::expire() {
    if (stage_ == Stage::LooksAtDirect || relay_) {
        end(used_);
    } else {
        want(Path::Direct);
    }
}

void PathTrial::want(Path path) {
    wanted_ = path;
    ends_at_ = now_ + kMaxMove;
}

void PathTrial::abandon() {
    wanted_.reset();
    stage_ = Stage::Over;
}

void PathTrial::end(Path better) {
    abandon();
    relay_won_ = better == Path::Relay;
}

} // namespace thru
