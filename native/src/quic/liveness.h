// Whether the other side still answers, judged long before QUIC's idle timeout gives it up: who has
// said nothing for a while is asked, and a line without an answer is silent until one comes. Knows
// no packets and no clock.
#pragma once

#include <algorithm>

#include "base/clock.h"

namespace thru {

class Liveness {
public:
    /// Something of the other side's was read; `busy` while data travels in either direction.
    void heard(bool busy, Timestamp now) {
        if (now < stale_until_) {
            return;
        }
        silent_ = false;
        suspected_ = false;
        answer_by_ = kNever;
        ask_at_ = now + (busy ? kBusySilence : kIdleSilence);
    }
    /// What was heard before counts no more, nor does what is read until `from`: then it is asked.
    void doubt(Timestamp from) {
        stale_until_ = from;
        ask_at_ = from;
        answer_by_ = kNever;
    }
    /// Somebody says that the other side is gone: it is asked, and has little time to answer.
    void suspect(Timestamp now) {
        doubt(now);
        suspected_ = true;
    }
    /// Questions so far went by a way that is left now: the line is asked at once by another one,
    /// and is not silent before that.
    void ask_anew(Timestamp now) {
        silent_ = false;
        suspect(now);
    }
    /// What is sent gets nowhere: nobody has to be asked before that is known.
    void give_up() {
        silent_ = true;
        answer_by_ = kNever;
    }
    /// True when the other side has to be asked for a sign of life, which takes it `round_trip`.
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
    /// The other side was asked and has not answered in time.
    bool silent() const { return silent_; }

private:
    /// For so long a busy line may be quiet.
    static constexpr Timestamp kBusySilence = kSecond;
    /// And any other: routers that translate addresses forget it later.
    static constexpr Timestamp kIdleSilence = 6 * kSecond;
    /// From one question to the next, as long as there is no answer.
    static constexpr Timestamp kAskEvery = kSecond;
    /// For an answer, beside the round trips: one question may get lost.
    static constexpr Timestamp kAnswerTime = kSecond;
    /// The same for one that is suspected: it costs little to be wrong.
    static constexpr Timestamp kSuspectsTime = 300 * kMillisecond;

    Timestamp stale_until_ = 0;
    Timestamp ask_at_ = kNever;
    Timestamp answer_by_ = kNever;
    bool suspected_ = false;
    bool silent_ = false;
};

} // namespace thru
