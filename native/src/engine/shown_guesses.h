// Guesses that a sender rejected. A receive that tries the same words elsewhere names its guess
// there, so that a sender at both places counts it once. Network thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "engine/commands.h"
#include "pairing/pairing_secret.h"

namespace thru {

class ShownGuesses {
public:
    void add(SessionNumber session, const GuessId &guess) {
        shown_.emplace_front(session, guess);
        if (shown_.size() > kMost) {
            shown_.pop_back();
        }
    }
    /// The guess of a session; nullopt if its words were right or never shown.
    std::optional<GuessId> of(SessionNumber session) const {
        const auto found = std::ranges::find(shown_, session, &Shown::first);
        return found == shown_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    using Shown = std::pair<SessionNumber, GuessId>;
    /// The second attempt follows immediately, and people enter few codes at the same time.
    static constexpr std::size_t kMost = 16;

    std::deque<Shown> shown_;
};

} // namespace thru
