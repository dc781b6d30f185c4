#include "link/path_search.h"

#include <algorithm>
#include <array>

#include "pairing/ice_candidate.h"
#include "transfer/protocol_error.h"

namespace thru {

namespace {

/// Time from the beginning of a connection to its first search: the transfer has priority.
constexpr Timestamp kFirstPause = 2 * kSecond;
/// Pauses after searches without a result; the last one repeats.
constexpr std::array<Timestamp, 4> kPauses{5 * kSecond, 15 * kSecond, 60 * kSecond, 300 * kSecond};
/// A check takes two seconds, and the other side's candidates arrive through the relay.
constexpr Timestamp kMaxSearch = 6 * kSecond;
/// Longer than a working path takes to answer.
constexpr Timestamp kMaxTry = 2 * kSecond;
/// The sender's search lasts longer than the receiver's, so that the sender doesn't abort it.
constexpr Timestamp kMaxPart = kMaxSearch + kMaxSearchTries * kMaxTry;
/// Minimum interval between the starts of two searches, whatever the sender requests.
constexpr Timestamp kBetweenSearches = 5 * kSecond;
/// The same at the sender, where delays vary between messages.
constexpr Timestamp kBetweenParts = 2 * kSecond;
/// Enough for a day on a network that changes every three minutes.
constexpr std::uint32_t kMaxSearches = 500;
/// Doublings of the pause, one per consecutive failed path, up to 80 minutes.
constexpr std::uint32_t kMaxDoublings = 4;
/// This many searches without an answer mean that the sender doesn't support them.
constexpr std::uint32_t kMaxUnanswered = 2;

/// Relays are already known.
bool is_of_a_relay(std::string_view line) { return line.contains(" typ relay"); }

} // namespace

bool PathSearch::may_begin() const {
    return relayed_ && unanswered_ < kMaxUnanswered && begun_ < kMaxSearches;
}

void PathSearch::set_relayed(bool relayed, Timestamp now) {
    if (relayed_ == relayed) {
        return;
    }
    relayed_ = relayed;
    failures_ = 0;
    next_at_ = may_begin() && role_ == LinkRole::Receiver ? now + kFirstPause : kNever;
}

void PathSearch::begin(std::uint16_t number, Timestamp now) {
    number_ = number;
    under_way_ = true;
    answered_ = false;
    announced_ = 0;
    taken_ = 0;
    ++begun_;
    next_at_ = kNever;
    const bool own = role_ == LinkRole::Receiver;
    earliest_ = now + (own ? kBetweenSearches : kBetweenParts);
    ends_at_ = now + (own ? kMaxSearch : kMaxPart);
    messages_.push_back(FindPath{.search = number});
}

/// After a network change, a search in progress may be useless.
void PathSearch::begin_soon(Timestamp now) {
    if (may_begin()) {
        under_way_ = false;
        failures_ = 0;
        put_offs_ = 0;
        next_at_ = std::max(now, earliest_);
    }
}

void PathSearch::on_network_change(Timestamp now) {
    if (role_ == LinkRole::Receiver) {
        begin_soon(now);
    } else if (relayed_ && now >= ask_from_) {
        ask_from_ = now + kBetweenSearches;
        messages_.push_back(FindPath{.search = 0});
    }
}

Result<std::vector<std::string>> PathSearch::on_message(const FindPath &message, Timestamp now) {
    const bool receives = role_ == LinkRole::Receiver;
    if (receives ? message.search > number_ : message.search == 0) {
        return protocol_error("FIND_PATH of a search that there is not");
    }
    if (message.search == 0) {
        begin_soon(now);
        return {};
    }
    if (message.search > number_) {
        if (now < earliest_ || begun_ == kMaxSearches) {
            return {};
        }
        begin(message.search, now);
    }
    if (message.search != under_way()) {
        return {};
    }
    answered_ = true;
    unanswered_ = 0;
    std::vector<std::string> lines;
    for (const auto &line : message.candidates) {
        const auto check = check_candidate(line);
        if (check == CandidateCheck::Malformed) {
            return protocol_error("malformed candidate in FIND_PATH");
        }
        if (check == CandidateCheck::Usable && !is_of_a_relay(line) &&
            taken_ < kMaxPathCandidates) {
            ++taken_;
            lines.push_back(line);
        }
    }
    return lines;
}

void PathSearch::announce(std::string_view line) {
    if (!under_way_ || announced_ == kMaxPathCandidates || line.size() > kMaxPathCandidateBytes ||
        check_candidate(line) != CandidateCheck::Usable || is_of_a_relay(line)) {
        return;
    }
    ++announced_;
    // Candidates found together are sent together.
    if (messages_.empty() || messages_.back().search != number_) {
        messages_.push_back(FindPath{.search = number_});
    }
    messages_.back().candidates.emplace_back(line);
}

void PathSearch::on_deadline(Timestamp now) {
    if (under_way_ && ends_at_ <= now) {
        end(now);
    }
    if (!under_way_ && next_at_ <= now) {
        begin(static_cast<std::uint16_t>(number_ + 1), now);
    }
}

Timestamp PathSearch::deadline() const { return under_way_ ? ends_at_ : next_at_; }

void PathSearch::hold(Timestamp now) {
    if (under_way_) {
        ends_at_ = std::max(ends_at_, now + kMaxTry);
    }
}

void PathSearch::end(Timestamp now) {
    if (!std::exchange(under_way_, false) || role_ == LinkRole::Sender) {
        return;
    }
    unanswered_ += answered_ ? 0 : 1;
    const auto pause = kPauses.at(std::min(failures_++, kPauses.size() - 1));
    next_at_ = may_begin() ? now + pause : kNever;
}

void PathSearch::put_off(Timestamp now) {
    failures_ = kPauses.size();
    if (next_at_ != kNever) {
        next_at_ = now + (kPauses.back() << std::min(put_offs_++, kMaxDoublings));
    }
}

} // namespace thru
