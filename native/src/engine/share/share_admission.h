// Admission to a share: the code's words and guess budget, resume keys, contacts. Network thread.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "engine/admission_record.h"
#include "engine/contact_book.h"
#include "link/peer_link.h"
#include "pairing/guess_budget.h"
#include "pairing/join_code.h"

namespace thru {

/// Recent pairing runs of a share, kept to detect replays.
inline constexpr std::size_t kMaxRunsKept = 10'000;

bool same_key(const SecretKey &a, const SecretKey &b);

class ShareAdmission {
public:
    explicit ShareAdmission(const ContactBook &contacts) : contacts_(contacts) {}
    /// Continues with the record of an earlier program of the same share.
    void restore(AdmissionRecord record);
    /// The record to store, without the share's id.
    AdmissionRecord record() const;
    /// Changes whenever the record changes.
    std::size_t revision() const { return revision_ + budget_.wrong() + budget_.wrong_of_share(); }

    /// Sets the code. If the server forces a new number or words, counted guesses stay counted.
    void set_code(JoinCode code) { code_ = std::move(code); }
    /// The user wants another code: the current one admits no one, and counting starts over.
    void revoke_code();
    bool has_code() const { return code_.has_value(); }
    /// Requires has_code().
    const std::string &nameplate() const { return code_->nameplate; }

    /// Result of an admitted request; `contact` is the contact's id, if any.
    struct Admitted {
        PeerLink::Credentials credentials;
        std::string contact;
        /// The resume key used.
        std::optional<SecretKey> resume;
        /// It resumes an unfinished transfer, so its place is reserved.
        bool has_place = false;
        /// Set for admission with words. Must not outlive the admission.
        std::optional<GuessBudget::Run> run;
    };
    /// Begins a guess run if by words; not before `next_run`. CodeLocked, CodeMismatch for an
    /// unknown resume key, ContactUnknown, or RateLimited for a replay or too many recent lookups.
    Result<Admitted> admit(const PairingRequested &request, Timestamp now);
    /// Earliest time at which another request with words may be admitted.
    Timestamp next_run(Timestamp now) const { return budget_.next_run(now); }

    const GuessBudget &budget() const { return budget_; }
    bool locked() const { return budget_.locked(); }

    /// A receiver that used `earlier` is bound: `key` opens its place as well. Using either key or
    /// `remember` settles which one it has. Replaces a key added before. False as for `remember`.
    [[nodiscard]] bool add_next(const SecretKey &key, const SecretKey &earlier);
    /// A receiver is admitted: it resumes by `key`, and no longer by `earlier`. False if another
    /// receiver has used `earlier` meanwhile: one key opens one place.
    [[nodiscard]] bool remember(const SecretKey &key, const std::optional<SecretKey> &earlier);
    /// The receiver with this resume key has everything: frees its place.
    void give_up_place(const SecretKey &key);
    /// Forgets this key and the other key of its place.
    void forget(const SecretKey &key);

private:
    bool may_look_up(std::size_t keys, Timestamp now);
    std::size_t key_count() const;
    /// The requested key and its receiver, if there is one; nullptr if unknown.
    std::pair<const SecretKey *, const ResumeKeys *> find(const PairingRequested &request) const;

    const ContactBook &contacts_;
    std::optional<JoinCode> code_;
    GuessBudget budget_;
    std::deque<ResumeKeys> resume_keys_;
    std::size_t revision_ = 0;
    /// Time at which all lookups so far are paid for, at the allowed rate.
    Timestamp lookups_until_ = 0;
    std::set<PairingRun> runs_;
    /// Oldest first.
    std::deque<PairingRun> run_order_;
};

} // namespace thru
