// Who may come into a share, and when: the code's words with their budget of guesses, keys of
// receivers that come back, contacts. Network thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/contact_book.h"
#include "engine/peer_link.h"
#include "pairing/guess_budget.h"
#include "pairing/join_code.h"

namespace thru {

/// Receivers that can come back to a share without its words; the oldest are forgotten first.
inline constexpr std::size_t kMaxResumeKeys = 2000;
/// Latest runs of a share, of which none may come twice.
inline constexpr std::size_t kMaxRunsKept = 10'000;

class ShareAdmission {
public:
    explicit ShareAdmission(const ContactBook &contacts) : contacts_(contacts) {}

    /// A new code starts with a new budget.
    void set_code(JoinCode code);
    bool has_code() const { return code_.has_value(); }
    const std::string &nameplate() const { return code_->nameplate; }

    /// What a request is let in with; the contact's id with a contact.
    struct Admitted {
        PeerLink::Credentials credentials;
        std::string contact;
        /// Of the receiver that comes back.
        std::optional<SecretKey> resume;
    };
    /// By words: not before `next_run`, and begins a run of the budget. CodeLocked, CodeMismatch
    /// for a resume key that is not known (any more), ContactUnknown, RateLimited for a run that
    /// came before: `code` only.
    Result<Admitted> admit(const PairingRequested &request, Timestamp now);
    /// When the next request by words may be admitted.
    Timestamp next_run(Timestamp now) const { return budget_.next_run(now); }

    // The end of a run by words.
    void on_proven() { budget_.on_proven(); }
    void on_wrong() { budget_.on_wrong(); }
    void on_abandoned() { budget_.on_abandoned(); }
    std::size_t wrong() const { return budget_.wrong(); }
    bool locked() const { return budget_.locked(); }

    /// A receiver is in: by `key` it comes back, and by `earlier` no more.
    void remember(const SecretKey &key, const std::optional<SecretKey> &earlier);

private:
    const ContactBook &contacts_;
    std::optional<JoinCode> code_;
    GuessBudget budget_;
    std::deque<SecretKey> resume_keys_;
    std::set<PairingRun> runs_;
    /// Oldest first.
    std::deque<PairingRun> run_order_;
};

} // namespace thru
