// Decides if a share's user must approve a receiver, and limits the questions. Network thread only.
#pragma once

#include <algorithm>
#include <deque>

#include "base/clock.h"
#include "base/error.h"
#include "wire/control.h"

namespace thru {

/// Receivers of a share that wait for approval or soon will: as many as a person can review.
inline constexpr std::ptrdiff_t kMaxHeld = 10;
inline constexpr Timestamp kApprovalTimeout = 600 * kSecond;
/// Number of questions that a share allows in a burst, and the time until another is allowed.
inline constexpr Timestamp kQuestionsAtOnce = 20;
inline constexpr Timestamp kTimeForQuestion = 15 * kSecond;
/// Refused receives remembered per share; beyond that the oldest may cause a question again.
inline constexpr std::size_t kMaxRefused = 1000;

class ApprovalPolicy {
public:
    explicit ApprovalPolicy(bool asks) : asks_(asks) {}

    bool asks() const { return asks_; }
    void set_asks(bool asks) { asks_ = asks; }

    /// Counts a question about this receive. Refused if it was refused before, RateLimited after
    /// too many questions; the user must not be asked then.
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
    /// Time at which all questions so far are paid for, at the allowed rate.
    Timestamp busy_until_ = 0;
    /// Oldest first.
    std::deque<WireId> refused_;
};

} // namespace thru
