// Judges whether the other side still answers, long before QUIC's idle timeout. A quiet side is
// probed; without an answer the connection is silent until one arrives. Has no clock.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace thru {

class Liveness {
public:
    /// A packet of the other side arrived; `busy` while data travels in either direction.
    void on_received(bool busy, Timestamp now) {
        if (now < stale_until_) {
            return;
        }
        silent_ = false;
        suspected_ = false;
        answer_by_ = kNever;
        ask_at_ = now + (busy ? kBusySilence : kIdleSilence);
    }
    /// Disregards everything heard so far and until `from`; probes at that time.
    void mark_stale(Timestamp from) {
        stale_until_ = from;
        ask_at_ = from;
        answer_by_ = kNever;
    }
    /// An outside source reports that the other side is gone: probes it with little time to answer.
    void suspect(Timestamp now) {
        mark_stale(now);
        suspected_ = true;
    }
    /// Earlier probes used an abandoned path: probes the new one immediately.
    void ask_anew(Timestamp now) {
        silent_ = false;
        suspect(now);
    }
    /// Sent packets get nowhere: silent immediately, without a probe.
    void give_up() {
        silent_ = true;
        answer_by_ = kNever;
    }
    /// True when a probe must be sent. `round_trip` extends the time for its answer.
    bool asks(Timestamp now, Timestamp round_trip) {
        if (answer_by_ <= now) {
            silent_ = true;
            answer_by_ = kNever;
        }
        if (now < ask_at_) {
            return false;
        }
        ask_at_ = now + kAskEvery;
        if (!silent_ && answer_by_ == kNever) {
            answer_by_ = now + (suspected_ ? kSuspectsTime : kAnswerTime) +
                         2 * std::min(round_trip, kSecond);
        }
        return true;
    }
    /// When to call `asks` next.
    Timestamp deadline() const { return std::min(ask_at_, answer_by_); }
    /// True if the other side has not answered a probe in time.
    bool silent() const { return silent_; }

private:
    /// Longest quiet time of a busy connection.
    static constexpr Timestamp kBusySilence = kSecond;
    /// Longest quiet time of an idle connection; NATs keep idle mappings longer.
    static constexpr Timestamp kIdleSilence = 6 * kSecond;
    /// Time between probes while there is no answer.
    static constexpr Timestamp kAskEvery = kSecond;
    /// Time for an answer in addition to the round trips; one probe may be lost.
    static constexpr Timestamp kAnswerTime = kSecond;
    /// Time for an answer of a suspected side: a wrong verdict costs little.
    static constexpr Timestamp kSuspectsTime = 300 * kMillisecond;

    Timestamp stale_until_ = 0;
    Timestamp ask_at_ = kNever;
    Timestamp answer_by_ = kNever;
    bool suspected_ = false;
    bool silent_ = false;
};

} // namespace thru
