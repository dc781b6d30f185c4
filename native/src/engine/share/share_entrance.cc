// ShareSession: admission of receivers. Anyone who knows the nameplate can knock, and the server
// can invent peers. Strangers have few places, which leaves room for receivers that resume.
#include <algorithm>

#include "engine/share/share_session.h"

namespace thru {

namespace {

/// Time after which a waiting request is refused; the receiver waits slightly longer.
constexpr Timestamp kMaxWaiting = 40 * kSecond;
/// Links that have not sent a request. A receiver's first message arrives with its introduction, so
/// only strangers are silent; the newest may still send one.
constexpr std::ptrdiff_t kMaxSilent = 100;
/// Links without a proof, including those that have just ended.
constexpr std::ptrdiff_t kMaxUnproven = 300;
/// Unproven runs of one contact: more than a person starts at the same time.
constexpr std::ptrdiff_t kMaxContactRuns = 3;

bool used_key(const SharePeer &receiver, const SecretKey &key) {
    return receiver.used_key() && same_key(*receiver.used_key(), key);
}

} // namespace

void ShareSession::set_max_receivers(std::size_t count) {
    max_receivers_ = count;
    turn_away();
}

void ShareSession::set_code(JoinCode code, Timestamp now) {
    end_unproven(now);
    admission_.set_code(std::move(code));
}

void ShareSession::revoke_code(Timestamp now) {
    end_unproven(now);
    admission_.revoke_code();
    report_guesses();
}

/// Ends links that pair with an outdated code: the next one may come from another server.
void ShareSession::end_unproven(Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        if (!receiver->paired()) {
            receiver->close(Error{ErrorCode::PeerGone, 0, "the share has another code"}, now);
        }
    }
    waiting_.clear();
}

bool ShareSession::is_full() const {
    const auto taken = std::ranges::count_if(
        receivers_, [](const auto &each) { return each.second->occupies_place(); });
    return static_cast<std::size_t>(taken) >= max_receivers_;
}

std::ptrdiff_t ShareSession::unproven() const {
    return std::ranges::count_if(receivers_,
                                 [](const auto &each) { return !each.second->paired(); });
}

/// Makes room for one more silent link; false if that is impossible.
bool ShareSession::make_room(Timestamp now) {
    if (unproven() >= kMaxUnproven) {
        clear_over(now);
    }
    std::ptrdiff_t silent = 0;
    SharePeer *oldest = nullptr;
    for (const auto &[peer, receiver] : receivers_) {
        if (!receiver->asked() && !receiver->over()) {
            ++silent;
            oldest =
                oldest == nullptr || receiver->since() < oldest->since() ? receiver.get() : oldest;
        }
    }
    if (silent >= kMaxSilent) {
        oldest->close(Error{ErrorCode::RateLimited, 0, "too many receivers without a request"},
                      now);
    }
    return unproven() < kMaxUnproven;
}

/// When all places are taken, no other receiver may prove itself or wait for approval: of two
/// concurrent runs the first gets the last place. When the maximum number wait for approval, no
/// further receiver that needs approval may prove itself.
void ShareSession::turn_away() {
    const bool full = is_full();
    const bool crowded = held() >= kMaxHeld;
    if (!full && !crowded) {
        return;
    }
    for (const auto &[peer, receiver] : receivers_) {
        if (receiver->over() || !receiver->asked()) {
            continue;
        }
        if (receiver->paired() && receiver->held() && full) {
            receiver->close(Error{ErrorCode::TooManyReceivers, 0, "the last place is taken"},
                            context_.loop.now());
        } else if (!receiver->paired() && !receiver->has_place() && full) {
            receiver->refuse(ErrorCode::TooManyReceivers);
        } else if (!receiver->paired() && receiver->held()) {
            receiver->refuse(ErrorCode::RateLimited);
        }
    }
    if (full) {
        waiting_.clear();
    }
}

void ShareSession::on_signal(const std::string &peer, std::string_view payload, Timestamp now) {
    auto *target = receiver(peer);
    if (target == nullptr) {
        return;
    }
    const bool was_paired = target->paired();
    target->on_signal(payload);
    report_guesses();
    handle_request(peer, *target, now);
    if (!was_paired && target->paired()) {
        on_proven(*target, now);
        report_admission();
    }
}

void ShareSession::handle_request(const std::string &peer, SharePeer &receiver, Timestamp now) {
    const auto request = receiver.take_request();
    if (!request || receiver.over()) {
        return;
    }
    const bool by_words = request->kind == PairingSecret::Kind::Words;
    const bool resumes = request->kind == PairingSecret::Kind::Resume;
    const bool too_early =
        by_words && (!waiting_.empty() || admission_.next_run(now) > now) && !admission_.locked();
    if (!resumes && is_full()) {
        receiver.refuse(ErrorCode::TooManyReceivers);
    } else if (by_words && request->earlier && admission_.budget().has_counted(*request->earlier)) {
        // The same words at another place: no run, and no additional guess.
        receiver.refuse(ErrorCode::CodeMismatch);
    } else if (too_early && waiting_.size() >= kMaxWaitingRuns) {
        receiver.refuse(ErrorCode::RateLimited);
    } else if (too_early) {
        waiting_.push_back({.peer = peer, .request = *request, .since = now});
    } else {
        let_in(receiver, *request, now);
    }
}

void ShareSession::let_in(SharePeer &receiver, const PairingRequested &request, Timestamp now) {
    auto admitted = admission_.admit(request, now);
    if (!admitted) {
        receiver.refuse(admitted.error().code);
        return;
    }
    if (!admitted->contact.empty()) {
        const auto runs = std::ranges::count_if(receivers_, [&](const auto &each) {
            const auto &other = *each.second;
            return other.contact() == admitted->contact && !other.paired() && !other.over();
        });
        if (runs >= kMaxContactRuns) {
            receiver.refuse(ErrorCode::RateLimited);
            return;
        }
    }
    if (admitted->resume && !admitted->has_place && is_full()) {
        receiver.refuse(ErrorCode::TooManyReceivers);
        return;
    }
    // Keys are stored only for receivers that were approved.
    const bool waits = approval_.asks() && !admitted->resume;
    if (waits && held() >= kMaxHeld) {
        receiver.refuse(ErrorCode::RateLimited);
        return;
    }
    if (admitted->resume) {
        // A new run with the same key means that the previous run was abandoned.
        for (const auto &[peer, other] : receivers_) {
            if (used_key(*other, *admitted->resume) && !other->paired()) {
                other->close(Error{ErrorCode::PeerGone, 0,
                                   "replaced by another run with the same resume key"},
                             now);
            }
        }
    }
    receiver.admit(*std::move(admitted), waits, now);
}

void ShareSession::let_in_waiting(Timestamp now) {
    while (!waiting_.empty()) {
        const auto &[peer, request, since] = waiting_.front();
        auto *next = receiver(peer);
        const bool is_present = next != nullptr && !next->over();
        const bool too_late = since + kMaxWaiting <= now;
        if (is_present && !too_late && !admission_.locked() && admission_.next_run(now) > now &&
            !end_silent(now)) {
            return;
        }
        if (is_present && too_late) {
            next->refuse(ErrorCode::RateLimited);
        } else if (is_present) {
            let_in(*next, request, now);
        }
        waiting_.pop_front();
    }
}

/// Ends answered runs that stay silent while others wait. True if the next run may be answered now.
bool ShareSession::end_silent(Timestamp now) {
    for (const auto &[peer, receiver] : receivers_) {
        if (const auto since = receiver->answered(); since && *since + kAwaitedRunTimeout <= now) {
            receiver->refuse(ErrorCode::RateLimited);
        }
    }
    return admission_.next_run(now) <= now;
}

Timestamp ShareSession::next_let_in() const {
    if (waiting_.empty()) {
        return kNever;
    }
    auto earliest =
        std::min(admission_.next_run(context_.loop.now()), waiting_.front().since + kMaxWaiting);
    for (const auto &[peer, receiver] : receivers_) {
        if (const auto since = receiver->answered()) {
            earliest = std::min(earliest, *since + kAwaitedRunTimeout);
        }
    }
    return earliest;
}

void ShareSession::on_proven(SharePeer &receiver, Timestamp now) {
    if (receiver.used_key()) {
        end_others_by_key(receiver, now);
    } else if (one_receiver_ && !receiver.held()) {
        max_receivers_ = 0;
    }
    if (!receiver.held()) {
        add_key(receiver, now);
    }
    turn_away();
}

/// The receiver can resume with its new key once it is connected, and still with the old one: this
/// side's BIND may never arrive. A receiver that waits for approval has nothing to resume.
void ShareSession::add_key(SharePeer &receiver, Timestamp now) {
    const auto &earlier = receiver.used_key();
    if (!(earlier ? admission_.add_next(receiver.key(), *earlier)
                  : admission_.remember(receiver.key(), earlier))) {
        close_superseded(receiver, now);
    } else if (stores_admission_) {
        receiver.await_stored(admission_.revision());
    }
}

void ShareSession::confirm_admission(std::uint64_t revision) {
    for (const auto &[peer, receiver] : receivers_) {
        receiver->on_stored(revision);
    }
}

/// The receiver noticed the end of its old connection before this side. Its name is known before
/// the old connection ends.
void ShareSession::on_greeted(SharePeer &receiver, Timestamp now) {
    if (receiver.held() && !receiver.over()) {
        ask_about(receiver, now);
        return;
    }
    if (!receiver.used_key() || receiver.over()) {
        return;
    }
    end_others_by_key(receiver, now);
    for (const auto &[peer, other] : receivers_) {
        if (other.get() != &receiver && other->connected() &&
            same_key(other->key(), *receiver.used_key())) {
            other->close(
                Error{ErrorCode::PeerGone, 0, "replaced by a new connection of this receiver"},
                now);
        }
    }
}

/// Its REQUEST answers this side's messages, so the receiver has the new key.
void ShareSession::on_accepted(SharePeer &receiver, Timestamp now) {
    if (receiver.used_key() && !receiver.over() &&
        !admission_.remember(receiver.key(), receiver.used_key())) {
        close_superseded(receiver, now);
    }
}

void ShareSession::close_superseded(SharePeer &receiver, Timestamp now) {
    receiver.close(Error{ErrorCode::PeerGone, 0, "its resume key was used by another run"}, now);
}

/// One key opens one place: ends other links that used it, even those unknown to the receiver.
void ShareSession::end_others_by_key(const SharePeer &receiver, Timestamp now) {
    for (const auto &[peer, other] : receivers_) {
        if (other.get() == &receiver || !used_key(*other, *receiver.used_key()) ||
            other->accepted() || other->over()) {
            continue;
        }
        if (other->paired()) {
            other->close(
                Error{ErrorCode::PeerGone, 0, "replaced by another run with the same resume key"},
                now);
        } else {
            other->refuse(ErrorCode::CodeMismatch);
        }
    }
}

void ShareSession::forget_waiting(const std::string &peer) {
    std::erase_if(waiting_, [&](const Waiting &waiting) { return waiting.peer == peer; });
}

void ShareSession::report_guesses() {
    const auto &budget = admission_.budget();
    const GuessesEvent guesses{session_, budget.wrong(), budget.locked(), budget.spent()};
    if (guesses != last_guesses_) {
        last_guesses_ = guesses;
        context_.events.push(guesses);
    }
    report_admission();
}

/// Reports the state that would be lost with this process, for the program to store.
void ShareSession::report_admission() {
    const auto revision = admission_.revision();
    if (revision == reported_revision_) {
        return;
    }
    reported_revision_ = revision;
    auto record = admission_.record();
    record.share = id_;
    context_.events.push(AdmissionEvent{session_, std::move(record), revision});
}

} // namespace thru
