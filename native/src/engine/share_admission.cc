#include "engine/share_admission.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

bool same_key(const SecretKey &a, const SecretKey &b) {
    return std::ranges::equal(a.view(), b.view());
}

} // namespace

void ShareAdmission::set_code(JoinCode code) {
    code_ = std::move(code);
    budget_ = {};
}

Result<ShareAdmission::Admitted> ShareAdmission::admit(const PairingRequested &request,
                                                       Timestamp now) {
    if (!runs_.insert(request.run).second) {
        return fail(ErrorCode::RateLimited, 0, "this run came before");
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
        budget_.begin(now);
        return Admitted{.credentials = {PairingSecret::words(code_->words), std::nullopt},
                        .contact = {},
                        .resume = std::nullopt};
    }
    if (request.kind == Kind::Resume) {
        for (const auto &key : resume_keys_) {
            auto secret = PairingSecret::key(Kind::Resume, key);
            if (secret.hint(request.run) == request.hint) {
                return Admitted{
                    .credentials = {std::move(secret), std::nullopt}, .contact = {}, .resume = key};
            }
        }
        return fail(ErrorCode::CodeMismatch, 0, "a key of nobody who was here");
    }
    const Contact *contact = contacts_.find(request);
    auto proof = contact != nullptr ? contacts_.proof(*contact) : std::nullopt;
    if (!proof) {
        return fail(ErrorCode::ContactUnknown, 0, "no contact of this side");
    }
    return Admitted{
        .credentials = {PairingSecret::key(Kind::Contact, contact->shared), std::move(proof)},
        .contact = contact->id,
        .resume = std::nullopt};
}

void ShareAdmission::remember(const SecretKey &key, const std::optional<SecretKey> &earlier) {
    if (earlier) {
        std::erase_if(resume_keys_, [&](const auto &known) { return same_key(known, *earlier); });
    }
    resume_keys_.push_back(key);
    if (resume_keys_.size() > kMaxResumeKeys) {
        resume_keys_.pop_front();
    }
}

} // namespace thru
