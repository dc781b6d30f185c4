// Admission to a share: the code's words with their budget of guesses, resume keys, contacts.
// Network thread only.
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
#include "engine/admission_record.h"
#include "engine/contact_book.h"
#include "link/peer_link.h"
#include "pairing/guess_budget.h"
#include "pairing/join_code.h"

namespace thru {

/// Latest runs of a share, remembered to refuse replays.
inline constexpr std::size_t kMaxRunsKept = 10'000;

bool same_key(const SecretKey &a, const SecretKey &b);

class ShareAdmission {
public:
    explicit ShareAdmission(const ContactBook &contacts) : contacts_(contacts) {}
    /// Goes on with what an earlier program of the same share remembered.
    void restore(AdmissionRecord record);
    /// What is to be remembered now, but for the share's id.
    AdmissionRecord record() const;
    /// Another number whenever the record has changed.
    std::size_t revision() const { return revision_ + budget_.wrong() + budget_.wrong_of_share(); }

    /// Sets the code. A new number or words caused by the server do not reset the guesses: what was
    /// counted stays counted.
    void set_code(JoinCode code) { code_ = std::move(code); }
    /// A person wants another code: the present one no longer admits anyone, and wrong guesses at
    /// the next one count anew.
    void give_up_code();
    bool has_code() const { return code_.has_value(); }
    /// Only with a code.
    const std::string &nameplate() const { return code_->nameplate; }

    /// What a request is admitted with; the contact's id for a contact.
    struct Admitted {
        PeerLink::Credentials credentials;
        std::string contact;
        /// The resume key that was used.
        std::optional<SecretKey> resume;
        /// It resumes an unfinished transfer, so its place is reserved.
        bool has_place = false;
        /// By words. Must not outlive the admission.
        std::optional<GuessBudget::Run> run;
    };
    /// By words: not before `next_run`, and begins a run of the budget. CodeLocked, CodeMismatch
    /// for an unknown resume key, ContactUnknown, RateLimited for a replayed run or when too many
    /// keys were looked up lately: `code` only.
    Result<Admitted> admit(const PairingRequested &request, Timestamp now);
    /// When the next request by words may be admitted.
    Timestamp next_run(Timestamp now) const { return budget_.next_run(now); }

    const GuessBudget &budget() const { return budget_; }
    bool locked() const { return budget_.locked(); }

    /// A receiver that used `earlier` is bound: `key` opens its place, too. Which of the two it has
    /// is known when it uses one of them, or with `remember`; a key that was added before for the
    /// same `earlier` is replaced. False as below.
    [[nodiscard]] bool add_next(const SecretKey &key, const SecretKey &earlier);
    /// A receiver is admitted: it resumes by `key`, and no longer by `earlier`. False when another
    /// receiver used `earlier` meanwhile: one key opens one place.
    [[nodiscard]] bool remember(const SecretKey &key, const std::optional<SecretKey> &earlier);
    /// The receiver with this resume key has everything: its place is free.
    void give_up_place(const SecretKey &key);
    /// Forgets this key, and the other one of the same place.
    void forget(const SecretKey &key);

private:
    bool may_look_up(std::size_t keys, Timestamp now);
    std::size_t key_count() const;
    /// The key that is meant, and whose it is; nullptr when nobody's.
    std::pair<const SecretKey *, const ResumeKeys *> find(const PairingRequested &request) const;

    const ContactBook &contacts_;
    std::optional<JoinCode> code_;
    GuessBudget budget_;
    std::deque<ResumeKeys> resume_keys_;
    std::size_t revision_ = 0;
    /// Until when what was looked up takes, at the rate that is allowed.
    Timestamp lookups_until_ = 0;
    std::set<PairingRun> runs_;
    /// Oldest first.
    std::deque<PairingRun> run_order_;
};

} // namespace thru
