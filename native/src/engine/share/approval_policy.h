// Whether a share's person approves each receiver, and about whom that person is asked: receivers
// can't flood it with questions. Network thread only.
#pragma once

#include <algorithm>
#include <deque>

#include "base/clock.h"
#include "base/error.h"
#include "wire/control.h"

namespace thru {

/// Receivers of a share that wait for approval, with those that are about to: as many as a person
/// looks through.
inline constexpr std::ptrdiff_t kMaxHeld = 10;
/// How long a question may stay without an answer.
inline constexpr Timestamp kApprovalTimeout = 600 * kSecond;
/// Questions of a share at once, and how long each takes to be free again.
inline constexpr Timestamp kQuestionsAtOnce = 20;
inline constexpr Timestamp kTimeForQuestion = 15 * kSecond;
/// Refused receives of a share; of more the oldest may be asked about again.
inline constexpr std::size_t kMaxRefused = 1000;

class ApprovalPolicy {
public:
    explicit ApprovalPolicy(bool asks) : asks_(asks) {}

    /// A person approves each receiver.
    bool asks() const { return asks_; }
    void set_asks(bool asks) { asks_ = asks; }

    /// Counts one question about this receive. Refused when it was refused before, RateLimited
    /// after too many questions: nobody is asked.
    Result<> ask(const WireId &receive, Timestamp now) {
        if (std::ranges::find(refused_, receive) != refused_.end()) {
            return fail(ErrorCode::Refused, 0, "refused before");
        }
        const auto until = std::max(busy_until_, now) + kTimeForQuestion;
        if (until > now + kQuestionsAtOnce * kTimeForQuestion) {
            return fail(ErrorCode::RateLimited, 0, "too many questions to the sender");
        }
        busy_until_ = until;
        return {};
    }
    void refuse(const WireId &receive) {
        refused_.push_back(receive);
        if (refused_.size() > kMaxRefused) {
            refused_.pop_front();
        }
    }

private:
    bool asks_;
    /// Until when the questions so far keep new ones away, at the rate that is allowed.
    Timestamp busy_until_ = 0;
    /// Oldest first.
    std::deque<WireId> refused_;
};

} // namespace thru
