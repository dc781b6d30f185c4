#include "target/inspection.h"

#include <algorithm>
#include <utility>

#include "fs/file_hash.h"
#include "target/older/basis_copy.h"

namespace thru {

Inspection::Inspection(ReceiveFolder::State &state, EntryRun &run)
    : state_(state), manifest_(*state.manifest), run_(run), next_(run.first),
      cursor_(state.target) {}

Result<> Inspection::begin() {
    const auto volume = fs::volume_facts(state_.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    free_ = volume->free_bytes;
    largest_ = volume->max_file_bytes;
    foreign_files_ = ForeignFiles(state_.target.root(), state_.names, state_.ids.origin);
    previous_ = state_.journal.previous();
    // Matches all of them before anything is inspected.
    for (std::uint64_t index = run_.first; previous_ != nullptr && index < run_.end; ++index) {
        if (run_.is_wanted_file(index)) {
            run_.slots[index - run_.first] = previous_->match(index);
        }
    }
    begun_ = true;
    return {};
}

Result<bool> Inspection::step() {
    if (auto began = begun_ ? Result<>{} : begin(); !began) {
        return std::unexpected(std::move(began).error());
    }
    while (comparing_ || next_ < run_.end) {
        if (comparing_ ? !compare_some() : !run_.budget.spend(1)) {
            return false;
        }
        if (const std::uint64_t index = next_; !comparing_ && index < run_.end) {
            ++next_;
            if (run_.is_wanted_file(index)) {
                inspect_file(index);
            } else if (run_.is_wanted(index) && manifest_.kind(index) == EntryKind::Link) {
                inspect_link(index);
            }
        }
    }
    // In later runs, entries that fit are received while the rest waits.
    if (needed_ > free_ && !state_.underway()) {
        return fail(ErrorCode::DiskFull, static_cast<std::int64_t>(needed_ - free_),
                    "bytes are missing");
    }
    return true;
}

void Inspection::inspect_file(std::uint64_t index) {
    FoundFile found{.index = index};
    if (const auto known = slot(index)) {
        found.resumed = previous_->inspect(index, *known);
        if (const auto *part = std::get_if<ResumedPartial>(&found.resumed)) {
            run_.budget.spend_bytes(part->have.offset - part->have.hash_begin);
        }
    }
    if (!std::holds_alternative<ResumedPublished>(found.resumed)) {
        decide_conflict(found);
    }
    if (!comparing_) {
        conclude(std::move(found));
    }
}

std::optional<fs::FileStatus> Inspection::existing_at(const SafeRelPath &place) {
    if (missing_folder_ == place.folder()) {
        return std::nullopt;
    }
    const auto folder = cursor_.go(place.folder());
    if (!folder && folder.error().kind == fs::ErrorKind::NotFound) {
        missing_folder_ = place.folder();
    }
    const auto existing = folder ? fs::status_beneath(**folder, std::string(place.name()))
                                 : std::unexpected(folder.error());
    return existing ? std::optional(*existing) : std::nullopt;
}

/// Links are made last: they may replace only files that exist now.
void Inspection::inspect_link(std::uint64_t index) {
    const ConflictPolicy policy = policy_for(manifest_, index, state_.options);
    const bool replaces = policy == ConflictPolicy::Replace || policy == ConflictPolicy::Update ||
                          policy == ConflictPolicy::ReplaceOlder;
    if (!replaces || !state_.options.make_links) {
        return;
    }
    if (const auto existing = existing_at(state_.names.place(manifest_, index))) {
        state_.allow_replacing(index, *existing);
    }
}

void Inspection::decide_conflict(FoundFile &found) {
    const SafeRelPath place = state_.names.place(manifest_, found.index);
    const auto existing = existing_at(place);
    if (!existing) {
        return;
    }
    found.existing = *existing;
    ReceiveOptions options = state_.options;
    const bool may_be_planted = foreign_files_.may_have(place, existing->id.number) ||
                                (slot(found.index) && previous_->of_other_sender());
    options.compare_content |= may_be_planted;
    found.decision = decide(existing, manifest_, found.index, options);
    if (found.decision == Decision::CompareContent) {
        const bool begun = !std::holds_alternative<std::monostate>(found.resumed);
        const auto folder = cursor_.go(place.folder());
        auto file = begun || !folder
                        ? std::unexpected(fs::SystemError{})
                        : fs::open_beneath_for_reading(**folder, std::string(place.name()));
        if (file) {
            comparing_.emplace(Comparing{.found = std::move(found), .file = std::move(*file)});
            return;
        }
        found.decision = thru::decide_different(*existing, manifest_, found.index, options);
    }
    if (found.decision == Decision::WriteBeside) {
        found.decision = state_.decide_different(found.index, *existing);
    }
    count_decision(found.decision, manifest_.file_size(found.index), run_.prepared.summary);
}

/// Reads more of the file being compared; false if that was enough for one step.
bool Inspection::compare_some() {
    const std::uint64_t size = manifest_.file_size(comparing_->found.index);
    const std::uint64_t end =
        comparing_->read + std::min(size - comparing_->read, StepBudget::kBytes);
    const bool read = hash_range(comparing_->file, comparing_->read, end, {&comparing_->hasher});
    const bool enough = !run_.budget.spend_bytes(end - comparing_->read);
    comparing_->read = end;
    if (read && end < size) {
        return false;
    }
    FoundFile found = std::move(comparing_->found);
    if (read) {
        found.content = comparing_->hasher.finish();
        found.decision = size == 0 ? Decision::Present : Decision::CompareContent;
    } else {
        found.decision = state_.decide_different(found.index, found.existing);
    }
    comparing_.reset();
    count_decision(found.decision, size, run_.prepared.summary);
    conclude(std::move(found));
    return !enough;
}

/// The existing file if the policy is to update it, or the part file of another version. That is
/// newer, but possibly shorter. Otherwise a file that seems to have been moved here.
std::optional<std::string> Inspection::basis_of(const FoundFile &found) const {
    const std::uint64_t index = found.index;
    const std::uint64_t size = manifest_.file_size(index);
    if (size < kMinBasisBytes || found.content) {
        return std::nullopt;
    }
    const bool updates =
        is_updated(manifest_, index, state_.options, found.decision, found.existing);
    const SafeRelPath place = state_.names.place(manifest_, index);
    const auto part = previous_ != nullptr ? previous_->other_version(index) : std::nullopt;
    if (part && (!updates || part->end + kMinBasisBytes > std::min(size, found.existing.size))) {
        const std::string folder(place.folder());
        return folder.empty() ? part->name : folder + "/" + part->name;
    }
    if (updates) {
        return place.text();
    }
    const auto moved = run_.going.find({size, manifest_.mtime_ns(index)});
    return moved == run_.going.end() ? std::nullopt : std::optional(moved->second);
}

void Inspection::conclude(FoundFile found) {
    const std::uint64_t index = found.index;
    const bool published = std::holds_alternative<ResumedPublished>(found.resumed);
    const bool blocked = !published && found.decision == Decision::Blocked;
    if (blocked) {
        run_.fail_entry(index, name_taken());
    }
    const bool written = !published && !blocked && found.decision != Decision::Present &&
                         found.decision != Decision::LeaveOut;
    if (written && manifest_.file_size(index) > largest_) {
        run_.fail_entry(index,
                        {.code = ErrorCode::FileTooLarge, .detail = "the disk can't hold it"});
        return;
    }
    run_.written[index - run_.first] = written;
    run_.own[index - run_.first] =
        published || (written && found.decision != Decision::CompareContent);
    const bool linked = plan_link(found);
    if (written && !linked && found.decision != Decision::CompareContent &&
        !manifest_.sparse(index)) {
        const auto *part = std::get_if<ResumedPartial>(&found.resumed);
        const std::uint64_t size = manifest_.file_size(index);
        const bool complete = std::holds_alternative<ResumedComplete>(found.resumed);
        needed_ += complete ? 0 : size - std::min(size, part != nullptr ? part->allocated : 0);
    }
    if (written && !linked && std::holds_alternative<std::monostate>(found.resumed)) {
        found.basis = basis_of(found);
    }
    const auto known = slot(index);
    const bool stale = known && previous_->knows(*known);
    if (found.decision != Decision::Write || published || stale || found.basis) {
        run_.found.push_back(std::move(found));
    }
}

/// True if the entry will be linked to an earlier own file. Otherwise the later names of the same
/// file can be linked to this entry.
bool Inspection::plan_link(const FoundFile &found) {
    const auto listed = manifest_.first_name(found.index);
    const auto index = static_cast<std::uint32_t>(found.index);
    if (!listed || !run_.own[index - run_.first]) {
        return false;
    }
    const auto other = run_.firsts.find(*listed);
    const auto first = other == run_.firsts.end() ? *listed : other->second;
    if (first < run_.first || !run_.own[first - run_.first]) {
        run_.firsts[*listed] = index;
        return false;
    }
    if (!std::holds_alternative<std::monostate>(found.resumed)) {
        return false;
    }
    run_.links.push_back({.index = index, .first = first});
    return true;
}

} // namespace thru
