#include "engine/share/share_admission.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

/// Each request with a resume or contact key hashes a hint with every known key. 20,000 a second
/// take a few hundredths of a core; a server allows fewer, with ten receivers.
constexpr Timestamp kTimeForKey = kSecond / 20'000;
constexpr Timestamp kMaxAhead = kSecond;

} // namespace

bool same_key(const SecretKey &a, const SecretKey &b) {
    return std::ranges::equal(a.view(), b.view());
}

void ShareAdmission::restore(AdmissionRecord record) {
    budget_.restore(record.wrong, record.wrong_of_share);
    resume_keys_.assign(record.receivers.begin(), record.receivers.end());
}

AdmissionRecord ShareAdmission::record() const {
    return {.share = {},
            .wrong = budget_.wrong(),
            .wrong_of_share = budget_.wrong_of_share(),
            .receivers = {resume_keys_.begin(), resume_keys_.end()}};
}

void ShareAdmission::revoke_code() {
    // Keeps revisions unique.
    revision_ += budget_.wrong() + 1;
    code_.reset();
    budget_.renew();
}

bool ShareAdmission::may_look_up(std::size_t keys, Timestamp now) {
    const auto until = std::max(lookups_until_, now) + static_cast<Timestamp>(keys) * kTimeForKey;
    if (until > now + kMaxAhead) {
        return false;
    }
    lookups_until_ = until;
    return true;
}

std::size_t ShareAdmission::key_count() const {
    const auto next =
        std::ranges::count_if(resume_keys_, [](const ResumeKeys &keys) { return !!keys.next; });
    return resume_keys_.size() + static_cast<std::size_t>(next);
}

bool ResumeKeys::is_either(const SecretKey &one) const {
    return same_key(key, one) || (next && same_key(*next, one));
}

std::pair<const SecretKey *, const ResumeKeys *>
ShareAdmission::find(const PairingRequested &request) const {
    const auto is_meant = [&](const SecretKey &key) {
        return PairingSecret::key(PairingSecret::Kind::Resume, key).hint(request.run) ==
               request.hint;
    };
    for (const auto &keys : resume_keys_) {
        if (is_meant(keys.key)) {
            return {&keys.key, &keys};
        }
        if (keys.next && is_meant(*keys.next)) {
            return {&*keys.next, &keys};
        }
    }
    return {};
}

Result<ShareAdmission::Admitted> ShareAdmission::admit(const PairingRequested &request,
                                                       Timestamp now) {
    if (!runs_.insert(request.run).second) {
        return fail(ErrorCode::RateLimited, 0, "replayed run");
    }
    run_order_.push_back(request.run);
    if (run_order_.size() > kMaxRunsKept) {
        runs_.erase(run_order_.front());
        run_order_.pop_front();
    }
    using Kind = PairingSecret::Kind;
    if (request.kind == Kind::Words) {
        if (locked() || !code_) {
            return fail(ErrorCode::CodeLocked, 0, "too many wrong words");
        }
        return Admitted{.credentials = {PairingSecret::words(code_->words), std::nullopt},
                        .contact = {},
                        .resume = std::nullopt,
                        .run = budget_.begin(now)};
    }
    const bool resumes = request.kind == Kind::Resume;
    if (!may_look_up(resumes ? key_count() : contacts_.contacts.size(), now)) {
        return fail(ErrorCode::RateLimited, 0, "too many requests by resume keys and contacts");
    }
    if (resumes) {
        const auto [key, keys] = find(request);
        if (key == nullptr) {
            return fail(ErrorCode::CodeMismatch, 0, "unknown resume key");
        }
        return Admitted{.credentials = {PairingSecret::key(Kind::Resume, *key), std::nullopt},
                        .contact = {},
                        .resume = *key,
                        .has_place = keys->has_place,
                        .run = std::nullopt};
    }
    const Contact *contact = contacts_.find(request);
    auto proof = contact != nullptr ? contacts_.proof(*contact) : std::nullopt;
    if (!proof) {
        return fail(ErrorCode::ContactUnknown, 0, "unknown contact");
    }
    return Admitted{
        .credentials = {PairingSecret::key(Kind::Contact, contact->shared), std::move(proof)},
        .contact = contact->id,
        .resume = std::nullopt,
        .run = std::nullopt};
}

bool ShareAdmission::add_next(const SecretKey &key, const SecretKey &earlier) {
    for (auto &keys : resume_keys_) {
        if (keys.is_either(earlier)) {
            keys = {.key = earlier, .next = key};
            ++revision_;
            return true;
        }
    }
    return false;
}

bool ShareAdmission::remember(const SecretKey &key, const std::optional<SecretKey> &earlier) {
    if (earlier && std::erase_if(resume_keys_, [&](const ResumeKeys &known) {
                       return same_key(known.key, *earlier);
                   }) == 0) {
        return false;
    }
    ++revision_;
    resume_keys_.push_back({.key = key, .next = std::nullopt});
    if (resume_keys_.size() > kMaxResumeKeys) {
        resume_keys_.pop_front();
    }
    return true;
}

void ShareAdmission::give_up_place(const SecretKey &key) {
    const auto found = std::ranges::find_if(
        resume_keys_, [&](const ResumeKeys &known) { return known.is_either(key); });
    if (found != resume_keys_.end()) {
        found->has_place = false;
        ++revision_;
    }
}

void ShareAdmission::forget(const SecretKey &key) {
    revision_ +=
        std::erase_if(resume_keys_, [&](const ResumeKeys &known) { return known.is_either(key); });
}

} // namespace thru
