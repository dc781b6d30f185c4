// Who may come into a share, and when: the code's words with their budget of guesses, keys of
// receivers that come back, contacts. Network thread only.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
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

bool same_key(const SecretKey &a, const SecretKey &b);

class ShareAdmission {
public:
    explicit ShareAdmission(const ContactBook &contacts) : contacts_(contacts) {}

    /// The code from now on. A number or words that came about by the server's doing make no guess
    /// undone: what was counted stays counted.
    void set_code(JoinCode code) { code_ = std::move(code); }
    /// A person wants another code: nobody comes in by the present one any more, and the next one
    /// bears wrong guesses of its own.
    void give_up_code();
    bool has_code() const { return code_.has_value(); }
    /// Only with a code.
    const std::string &nameplate() const { return code_->nameplate; }

    /// What a request is let in with; the contact's id with a contact.
    struct Admitted {
        PeerLink::Credentials credentials;
        std::string contact;
        /// Of the receiver that comes back.
        std::optional<SecretKey> resume;
        /// It comes back to what it has not got yet, so its place is its own.
        bool has_place = false;
        /// By words. Must not outlive the admission.
        std::optional<GuessBudget::Run> run;
    };
    /// By words: not before `next_run`, and begins a run of the budget. CodeLocked, CodeMismatch
    /// for a resume key that is not known (any more), ContactUnknown, RateLimited for a run that
    /// came before or when too many keys were looked up lately: `code` only.
    Result<Admitted> admit(const PairingRequested &request, Timestamp now);
    /// When the next request by words may be admitted.
    Timestamp next_run(Timestamp now) const { return budget_.next_run(now); }

    const GuessBudget &budget() const { return budget_; }
    bool locked() const { return budget_.locked(); }

    /// A receiver that came by `earlier` is bound: by `key` it comes back, too. Which of the two it
    /// has is known when it comes by one of them, or with `remember`; a key that was added before
    /// by the same `earlier` it has not. False as below.
    [[nodiscard]] bool add_next(const SecretKey &key, const SecretKey &earlier);
    /// A receiver is in: by `key` it comes back, and by `earlier` no more. False when it came by an
    /// `earlier` that somebody else came by meanwhile: one key opens one place.
    [[nodiscard]] bool remember(const SecretKey &key, const std::optional<SecretKey> &earlier);
    /// The receiver that comes back by this key has everything: its place is for anybody.
    void give_up_place(const SecretKey &key);
    /// Nobody comes back by this key, nor by the other one of its place.
    void forget(const SecretKey &key);

private:
    /// By what one receiver comes back.
    struct ResumeKeys {
        SecretKey key;
        /// Of its latest connection, until it has shown that it knows of it.
        std::optional<SecretKey> next;
        bool has_place = true;

        bool is_either(const SecretKey &one) const;
    };

    bool may_look_up(std::size_t keys, Timestamp now);
    std::size_t key_count() const;
    /// The key that is meant, and whose it is; nullptr when nobody's.
    std::pair<const SecretKey *, const ResumeKeys *> find(const PairingRequested &request) const;

    const ContactBook &contacts_;
    std::optional<JoinCode> code_;
    GuessBudget budget_;
    std::deque<ResumeKeys> resume_keys_;
    /// Until when what was looked up takes, at the rate that is allowed.
    Timestamp lookups_until_ = 0;
    std::set<PairingRun> runs_;
    /// Oldest first.
    std::deque<PairingRun> run_order_;
};

} // namespace thru
