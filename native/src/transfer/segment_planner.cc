#include "transfer/segment_planner.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace thru {

namespace {

/// Maximum number of remembered Prioritize ranges; entries beyond it keep their usual order.
constexpr std::size_t kMaxPriorityRanges = 65'536;
/// Prioritized entries without data that one call may skip: about a millisecond.
constexpr std::uint64_t kMaxPassed = 100'000;

/// Entries among which one Prefetch looks for files.
constexpr std::uint64_t kMaxSearched = 65'536;

constexpr unsigned kReasons = 15;

unsigned bit(SegmentPlanner::Reason why) { return static_cast<unsigned>(why); }

} // namespace

SegmentPlanner::SegmentPlanner(std::shared_ptr<const ManifestTable> manifest,
                               ValidatorOf validator_of)
    : manifest_(std::move(manifest)), validator_of_(std::move(validator_of)) {}

void SegmentPlanner::set_checkpoint(std::uint64_t end) {
    checkpoint_ = end;
    entries_.resize(std::max<std::size_t>(entries_.size(), end));
}

void SegmentPlanner::request(std::uint64_t end) {
    assert(requested_ <= end && end <= checkpoint_);
    for (std::uint64_t index = std::exchange(requested_, end); index < end; ++index) {
        count(index, true);
    }
    hard_links_ = {};
}

bool SegmentPlanner::is_file(std::uint64_t index) const {
    return index < checkpoint_ && manifest_->kind(index) == EntryKind::File;
}

void SegmentPlanner::count(std::uint64_t index, bool in) {
    if (!is_file(index) || left_out(index, Reason::Removed)) {
        return;
    }
    const auto move = [in](std::uint64_t &sum, std::uint64_t by) {
        sum = in ? sum + by : sum - by;
    };
    const bool failed = left_out(index, Reason::Failed);
    move(offered_files_, 1);
    move(unwanted_files_, left_out(index, Reason::Unwanted) && !failed ? 1 : 0);
    move(files_, counts(index) ? 1 : 0);
    move(bytes_, counts(index) ? manifest_->file_size(index) : 0);
}

bool SegmentPlanner::counts(std::uint64_t index) const {
    const unsigned missing = bit(Reason::Unwanted) | bit(Reason::Removed) | bit(Reason::Failed);
    return index < requested_ && is_file(index) && (entries_[index] & missing) == 0;
}

void SegmentPlanner::change(std::uint64_t index, unsigned set, unsigned clear) {
    if (index < requested_) {
        count(index, false);
    }
    entries_[index] = static_cast<std::uint8_t>((entries_[index] & ~clear) | set);
    if (index < requested_) {
        count(index, true);
    }
}

bool SegmentPlanner::leave_out(std::uint64_t index, Reason why) {
    entries_.resize(std::max<std::size_t>(entries_.size(), index + 1));
    if (left_out(index, why)) {
        return false;
    }
    release(index);
    const bool choice = why == Reason::Unwanted || why == Reason::Present;
    change(index, bit(why), choice ? bit(Reason::Unwanted) | bit(Reason::Present) : 0);
    return true;
}

bool SegmentPlanner::left_out(std::uint64_t index, Reason why) const {
    return index < entries_.size() && (entries_[index] & bit(why)) != 0;
}

bool SegmentPlanner::to_be_sent(std::uint64_t index) const {
    return (entries_[index] & kReasons) == 0;
}

std::uint64_t SegmentPlanner::planned_bytes(std::uint64_t index) const {
    if (index >= checkpoint_ || !to_be_sent(index)) {
        return 0;
    }
    if ((entries_[index] & Planned) != 0) {
        return manifest_->file_size(index);
    }
    const auto course = courses_.find(index);
    return course == courses_.end() ? 0 : course->second.next;
}

FileState SegmentPlanner::file_state(std::uint8_t entry) {
    const auto has = [entry](Reason why) { return (entry & bit(why)) != 0; };
    if (has(Reason::Removed)) {
        return FileState::Gone;
    }
    if (has(Reason::Failed)) {
        return FileState::Failed;
    }
    if (has(Reason::Unwanted)) {
        return FileState::Skipped;
    }
    if (has(Reason::Present)) {
        return FileState::Present;
    }
    return (entry & Planned) != 0 ? FileState::Sent : FileState::Waiting;
}

FileStates SegmentPlanner::file_states() const {
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(checkpoint_);
    return {.raw = {entries_.begin(), end}, .state_of = file_state, .under_way = {}};
}

void SegmentPlanner::release(std::uint64_t index) {
    if (awaits_check(index)) {
        courses_.erase(index);
        change(index, 0, Waiting);
    }
}

std::uint64_t SegmentPlanner::unskip(std::uint64_t index) {
    if (awaits_check(index)) {
        release(index);
        set_ready(index);
    }
    if (!is_file(index) ||
        (entries_[index] & (bit(Reason::Unwanted) | bit(Reason::Present))) == 0) {
        return 0;
    }
    std::uint64_t twice =
        (entries_[index] & Planned) != 0 ? manifest_->file_size(index) : std::uint64_t{0};
    if (const auto found = courses_.find(index); found != courses_.end()) {
        twice = std::max(twice, found->second.next);
        // A search in progress must finish first: its answer is for another offset.
        found->second = {.searched = found->second.searched};
    }
    change(index, 0, bit(Reason::Unwanted) | bit(Reason::Present) | Planned);
    if (index < cursor_) {
        ready_.insert(index);
    }
    return twice;
}

std::deque<SegmentPlan> SegmentPlanner::prefetch(std::uint64_t bytes) {
    SegmentPlan batch;
    SegmentPlan piece;
    const auto end = std::min(checkpoint_, kMaxSearched);
    for (std::uint64_t index = 0; index < end && batch.size() < kMaxPieces && bytes > 0; ++index) {
        // Streams and holes need a search first.
        const bool searched =
            is_file(index) && (manifest_->stream(index) || manifest_->sparse(index));
        const bool linked = std::ranges::binary_search(hard_links_, index, {}, &HardLink::index);
        if (!plannable(index) || searched || linked) {
            continue;
        }
        const std::uint64_t size = manifest_->file_size(index);
        if (size <= bytes) {
            batch.push_back({.index = index, .offset = 0, .length = size});
            change(index, Planned, 0);
            bytes -= size;
            continue;
        }
        piece.push_back({.index = index, .offset = 0, .length = bytes});
        courses_[index].next = bytes;
        bytes = 0;
    }
    std::deque<SegmentPlan> plans{std::move(batch), std::move(piece)};
    std::erase_if(plans, [](const SegmentPlan &plan) { return plan.empty(); });
    return plans;
}

bool SegmentPlanner::uses_prefetched(std::uint64_t index) const {
    return to_be_sent(index) && (entries_[index] & HaveSeen) == 0;
}

void SegmentPlanner::forget_prefetched(std::uint64_t index) {
    courses_.erase(index);
    change(index, 0, Planned);
}

void SegmentPlanner::prioritize(const IndexRanges &ranges) {
    priority_.insert(priority_.begin(), ranges.begin(), ranges.end());
    priority_.resize(std::min(priority_.size(), kMaxPriorityRanges));
}

bool SegmentPlanner::await_check(const Have &have) {
    if ((entries_[have.index] & HaveSeen) != 0) {
        return false;
    }
    if (to_be_sent(have.index)) {
        // The receiver drops prefetched bytes of the file.
        courses_[have.index] = {.claimed = have.offset};
        change(have.index, HaveSeen | Waiting, Planned);
    } else {
        change(have.index, HaveSeen, 0);
    }
    return true;
}

bool SegmentPlanner::awaits_check(std::uint64_t index) const {
    const auto found = courses_.find(index);
    return found != courses_.end() && found->second.claimed;
}

void SegmentPlanner::on_have_checked(std::uint64_t index, bool same) {
    const std::uint64_t offset = *courses_.at(index).claimed;
    release(index);
    if (same && offset == manifest_->file_size(index)) {
        change(index, Planned, 0);
    } else if (same && offset > 0) {
        courses_[index].next = offset;
    }
    set_ready(index);
}

void SegmentPlanner::found_data(std::uint64_t index, std::uint64_t begin, std::uint64_t end) {
    const auto found = courses_.find(index);
    if (found == courses_.end() || !found->second.searched) {
        return;
    }
    Course &course = found->second;
    const std::uint64_t size = manifest_->file_size(index);
    // If the file was restarted meanwhile, it is searched again.
    if (*course.searched == course.next && course.next <= begin && begin <= end && end <= size) {
        course.data_begin = begin;
        course.data_end = begin == end ? size : end;
    }
    course.searched.reset();
    change(index, 0, Waiting);
    set_ready(index);
}

void SegmentPlanner::resend(const Piece &bytes) { resends_.push_back(bytes); }

void SegmentPlanner::grow_stream(std::uint64_t end, bool ended) {
    const auto index = *manifest_->stream();
    if (counts(index)) {
        bytes_ += end - stream_end_;
    }
    stream_end_ = end;
    stream_ended_ = ended;
    if (index < checkpoint_) {
        change(index, 0, Waiting);
        set_ready(index);
    }
}

/// The file no longer waits: if its turn has passed, it is next.
void SegmentPlanner::set_ready(std::uint64_t index) {
    if ((entries_[index] & PassedOver) != 0) {
        change(index, 0, PassedOver);
        priority_.push_front({.first = index, .count = 1});
    }
    // Includes files in `priority_`, which drops entries beyond its limit.
    if (index < cursor_) {
        ready_.insert(index);
    }
}

bool SegmentPlanner::plannable(std::uint64_t index) const {
    return is_file(index) && (entries_[index] & (kReasons | Planned | Waiting)) == 0;
}

/// True if one piece holds the file; a batch can include it.
bool SegmentPlanner::goes_in_one(std::uint64_t index) const {
    const std::uint64_t size = manifest_->file_size(index);
    return size <= kSegmentBytes && !manifest_->stream(index) &&
           (!manifest_->sparse(index) || size == 0) && !courses_.contains(index);
}

std::optional<std::uint64_t> SegmentPlanner::priority_candidate() {
    // Entries not requested yet delay the others: their Request is in transit.
    while (!priority_.empty() && priority_.front().first < requested_ && may_pass_ > 0) {
        IndexRange &range = priority_.front();
        if (plannable(range.first)) {
            return range.first;
        }
        --may_pass_;
        if ((entries_[range.first] & Waiting) != 0) {
            change(range.first, PassedOver, 0);
        }
        ++range.first;
        if (--range.count == 0) {
            priority_.pop_front();
        }
    }
    return std::nullopt;
}

/// The next entry to plan.
std::optional<std::uint64_t> SegmentPlanner::candidate() {
    const auto prioritized = priority_candidate();
    if (prioritized || may_pass_ == 0) {
        return prioritized;
    }
    while (!ready_.empty()) {
        const auto first = ready_.first();
        if (plannable(first)) {
            return first;
        }
        ready_.erase(first);
    }
    while (cursor_ < requested_ && !plannable(cursor_)) {
        ++cursor_;
    }
    return cursor_ < requested_ ? std::optional(cursor_) : std::nullopt;
}

std::optional<SegmentPlan> SegmentPlanner::next(Notes &notes) {
    // Resends go first: they complete files already begun.
    if (auto plan = next_resend(); !plan.empty()) {
        notes.repeated = true;
        return plan;
    }
    may_pass_ = kMaxPassed;
    while (const auto index = candidate()) {
        auto plan = goes_in_one(*index) ? next_batch(*index) : next_piece(*index, notes);
        if (!plan.empty()) {
            return plan;
        }
    }
    notes.searching = may_pass_ == 0;
    return std::nullopt;
}

SegmentPlan SegmentPlanner::next_resend() {
    SegmentPlan plan;
    std::uint64_t room = kSegmentBytes;
    while (!resends_.empty() && plan.size() < kMaxPieces) {
        Piece &piece = resends_.front();
        const std::uint64_t size = manifest_->file_size(piece.index);
        if (!to_be_sent(piece.index)) {
            resends_.pop_front();
            continue;
        }
        const bool complete =
            piece.length == size && size <= kSegmentBytes && !manifest_->stream(piece.index);
        if (!plan.empty() &&
            (!complete || piece.length > room || piece.index <= plan.back().index)) {
            break;
        }
        if (!complete) {
            const std::uint64_t to_cut = kSegmentBytes - piece.offset % kSegmentBytes;
            const std::uint64_t length = std::min(piece.length, to_cut);
            plan.push_back({.index = piece.index, .offset = piece.offset, .length = length});
            piece.offset += length;
            piece.length -= length;
            if (piece.length == 0) {
                resends_.pop_front();
            }
            break;
        }
        plan.push_back(piece);
        room -= piece.length;
        resends_.pop_front();
    }
    return plan;
}

SegmentPlan SegmentPlanner::next_batch(std::uint64_t first) {
    SegmentPlan plan;
    std::uint64_t room = kSegmentBytes;
    for (std::optional<std::uint64_t> index = first; index && plan.size() < kMaxPieces;
         index = candidate()) {
        const std::uint64_t size = manifest_->file_size(*index);
        const bool rises = plan.empty() || plan.back().index < *index;
        if (!rises || !goes_in_one(*index) || size > room) {
            break;
        }
        plan.push_back({.index = *index, .offset = 0, .length = size});
        room -= size;
        change(*index, Planned, 0);
    }
    return plan;
}

/// An empty piece ends the stream.
SegmentPlan SegmentPlanner::next_of_stream(std::uint64_t index) {
    Course &course = courses_[index];
    if (course.next == stream_end_ && !stream_ended_) {
        change(index, Waiting, 0);
        return {};
    }
    const std::uint64_t to_cut = kSegmentBytes - course.next % kSegmentBytes;
    const Piece piece{.index = index,
                      .offset = course.next,
                      .length = std::min(stream_end_ - course.next, to_cut)};
    course.next += piece.length;
    stream_planned_ = course.next;
    if (piece.length == 0) {
        change(index, Planned, 0);
        courses_.erase(index);
    }
    return {piece};
}

SegmentPlan SegmentPlanner::next_piece(std::uint64_t index, Notes &notes) {
    if (manifest_->stream(index)) {
        return next_of_stream(index);
    }
    Course &course = courses_[index];
    const std::uint64_t size = manifest_->file_size(index);
    std::uint64_t end = size;
    if (manifest_->sparse(index)) {
        if (!skip_hole(index, course, notes)) {
            return {};
        }
        end = course.data_end;
    }
    if (size > kSegmentBytes && validator_of_ && !course.validator_sent) {
        notes.messages.emplace_back(Validator{.index = index, .validator = validator_of_(index)});
        course.validator_sent = true;
    }
    const std::uint64_t to_cut = kSegmentBytes - course.next % kSegmentBytes;
    const Piece piece{
        .index = index, .offset = course.next, .length = std::min(end - course.next, to_cut)};
    course.next += piece.length;
    if (course.next == size) {
        change(index, Planned, 0);
        courses_.erase(index);
    }
    return {piece};
}

bool SegmentPlanner::skip_hole(std::uint64_t index, Course &course, Notes &notes) {
    const std::uint64_t size = manifest_->file_size(index);
    if (course.next >= course.data_end) {
        course.searched = course.next;
        change(index, Waiting, 0);
        notes.data_wanted.push_back({.index = index, .offset = course.next});
        return false;
    }
    const std::uint64_t hole =
        course.data_begin > course.next ? course.data_begin - course.next : 0;
    const bool worth_sending = hole >= kMinHoleBytes || hole == size;
    if (hole > 0 && worth_sending && holes_sent_ < kMaxHoles) {
        ++holes_sent_;
        notes.messages.emplace_back(Hole{.index = index, .offset = course.next, .length = hole});
        course.next += hole;
    }
    if (course.next == size) {
        change(index, Planned, 0);
        courses_.erase(index);
        return false;
    }
    return true;
}

} // namespace thru
