// First half of Preparation: inspects entries and makes folders.
#include <algorithm>
#include <utility>

#include "fs/file_hash.h"
#include "target/preparation.h"

namespace thru {

namespace {

/// The work of one step, after which other jobs for the folder may run: some 50 ms on an uncached
/// disk.
constexpr std::uint64_t kStepEntries = 4096;
constexpr std::uint64_t kStepBytes = 64ULL << 20;
/// Reading so many bytes takes about as long as inspecting one entry.
constexpr std::uint64_t kEntryBytes = kStepBytes / kStepEntries;

} // namespace

Preparation::Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                         const IndexRanges &unwanted)
    : state_(state), manifest_(*state.manifest), first_(first), end_(end), cursor_(state.target),
      unwanted_(end - first), slots_(end - first), written_(end - first) {
    for (const IndexRange &range : unwanted) {
        const std::uint64_t last = std::min<std::uint64_t>(range.first + range.count, end);
        for (std::uint64_t index = std::max<std::uint64_t>(range.first, first); index < last;
             ++index) {
            unwanted_[index - first] = true;
        }
    }
}

const std::array<Preparation::Phase, 9> Preparation::kPhases = {
    &Preparation::add_names,   &Preparation::search_journal,       &Preparation::match,
    &Preparation::inspect,     &Preparation::make_folders,         &Preparation::begin_journal,
    &Preparation::adopt_found, &Preparation::adopt_complete_files, &Preparation::log_results,
};

Result<std::optional<Prepared>> Preparation::step() {
    for (spent_ = 0; phase_ < kPhases.size(); ++phase_, next_ = 0) {
        const auto through = (this->*kPhases[phase_])();
        if (!through) {
            return std::unexpected(through.error());
        }
        if (!*through) {
            return std::optional<Prepared>{};
        }
    }
    return std::optional(std::move(prepared_));
}

bool Preparation::spend(std::uint64_t entries) {
    spent_ += entries;
    return spent_ < kStepEntries;
}

bool Preparation::is_wanted(std::uint64_t index) const {
    return !unwanted_[index - first_] && manifest_.kind(index) != EntryKind::Gone;
}

bool Preparation::is_inspected(std::uint64_t index) const {
    return is_wanted(index) && manifest_.kind(index) == EntryKind::File && !manifest_.text(index);
}

Result<bool> Preparation::add_names() {
    if (state_.mapped_end < end_) {
        const auto &listed = state_.names.listed();
        const auto listed_before = static_cast<std::ptrdiff_t>(listed.size());
        if (auto mapped = state_.names.extend(manifest_, state_.mapped_end, end_); !mapped) {
            return std::unexpected(mapped.error());
        }
        state_.mapped_end = end_;
        prepared_.listed_names.assign(listed.begin() + listed_before, listed.end());
    }
    prepared_.mapped_names = state_.names.mapped();
    state_.entries.grow(end_);
    return true;
}

Result<bool> Preparation::match() {
    const auto volume = fs::volume_facts(state_.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    free_ = volume->free_bytes;
    largest_ = volume->max_file_bytes;
    foreign_files_ = ForeignFiles(state_.target.root(), state_.names, state_.ids.origin);
    // All of them before anything is inspected.
    for (std::uint64_t index = first_; state_.previous && index < end_; ++index) {
        if (is_inspected(index)) {
            slots_[index - first_] = state_.previous->match(index);
        }
    }
    return true;
}

Result<bool> Preparation::inspect() {
    while (comparing_ || first_ + next_ < end_) {
        if (comparing_ ? !compare_some() : !spend(1)) {
            return false;
        }
        if (const std::uint64_t index = first_ + next_; !comparing_ && index < end_) {
            ++next_;
            if (is_inspected(index)) {
                inspect_file(index);
            } else if (is_wanted(index) && manifest_.kind(index) == EntryKind::Link) {
                inspect_link(index);
            }
        }
    }
    // Later, entries that have room are received while the rest waits.
    if (needed_ > free_ && !state_.underway) {
        return fail(ErrorCode::DiskFull, static_cast<std::int64_t>(needed_ - free_),
                    "bytes are missing");
    }
    return true;
}

void Preparation::inspect_file(std::uint64_t index) {
    Found found{.index = index};
    if (const auto slot = slots_[index - first_]) {
        found.resumed = state_.previous->inspect(index, *slot);
        if (const auto *part = std::get_if<ResumedPartial>(&found.resumed)) {
            spend((part->have.offset - part->have.hash_begin) / kEntryBytes);
        }
    }
    if (!std::holds_alternative<ResumedPublished>(found.resumed)) {
        decide_conflict(found);
    }
    if (!comparing_) {
        conclude(std::move(found));
    }
}

std::optional<fs::FileStatus> Preparation::existing_at(const SafeRelPath &place) {
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

/// Links are made last: they may replace only what exists now.
void Preparation::inspect_link(std::uint64_t index) {
    const bool replaces = state_.options.conflict == ConflictPolicy::Replace ||
                          state_.options.conflict == ConflictPolicy::ReplaceOlder;
    if (!replaces || !state_.options.make_links) {
        return;
    }
    if (const auto existing = existing_at(state_.names.place(manifest_, index))) {
        state_.replaced[index] = *existing;
    }
}

void Preparation::decide_conflict(Found &found) {
    const SafeRelPath place = state_.names.place(manifest_, found.index);
    const auto existing = existing_at(place);
    if (!existing) {
        return;
    }
    found.existing = *existing;
    ReceiveOptions options = state_.options;
    const bool may_be_planted =
        foreign_files_.may_have(place, existing->id.number) ||
        (slots_[found.index - first_] && state_.previous->of_other_sender());
    options.compare_content |= may_be_planted;
    found.decision = decide(*existing, manifest_, found.index, options);
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
        found.decision = decide_different(*existing, manifest_, found.index, state_.options);
    }
    count_decision(found.decision, manifest_.file_size(found.index), prepared_.summary);
}

/// Reads more of the file being compared; false when that was enough for one step.
bool Preparation::compare_some() {
    const std::uint64_t size = manifest_.file_size(comparing_->found.index);
    const std::uint64_t end = comparing_->read + std::min(size - comparing_->read, kStepBytes);
    const bool read = hash_range(comparing_->file, comparing_->read, end, {&comparing_->hasher});
    const bool enough = !spend((end - comparing_->read) / kEntryBytes);
    comparing_->read = end;
    if (read && end < size) {
        return false;
    }
    Found found = std::move(comparing_->found);
    if (read) {
        found.content = comparing_->hasher.finish();
        found.decision = size == 0 ? Decision::Present : Decision::CompareContent;
    } else {
        found.decision = decide_different(found.existing, manifest_, found.index, state_.options);
    }
    comparing_.reset();
    count_decision(found.decision, size, prepared_.summary);
    conclude(std::move(found));
    return !enough;
}

void Preparation::conclude(Found found) {
    const std::uint64_t index = found.index;
    const auto slot = slots_[index - first_];
    const bool published = std::holds_alternative<ResumedPublished>(found.resumed);
    const bool written =
        !published && found.decision != Decision::Present && found.decision != Decision::LeaveOut;
    if (written && manifest_.file_size(index) > largest_) {
        fail_entry(index, {.code = ErrorCode::FileTooLarge, .detail = "the disk can't hold it"});
        return;
    }
    written_[index - first_] = written;
    if (written && found.decision != Decision::CompareContent && !manifest_.sparse(index)) {
        const auto *part = std::get_if<ResumedPartial>(&found.resumed);
        const std::uint64_t size = manifest_.file_size(index);
        const bool complete = std::holds_alternative<ResumedComplete>(found.resumed);
        needed_ += complete ? 0 : size - std::min(size, part != nullptr ? part->allocated : 0);
    }
    const bool stale = slot && state_.previous->knows(*slot);
    if (found.decision != Decision::Write || stale) {
        found_.push_back(std::move(found));
    }
}

/// Also the folders of files; empty ones only if they are wanted.
Result<bool> Preparation::make_folders() {
    for (; first_ + next_ < end_; ++next_) {
        const std::uint64_t index = first_ + next_;
        const bool needed = manifest_.kind(index) == EntryKind::Folder
                                ? is_wanted(index) && state_.options.make_empty_folders
                                : written_[next_];
        if (needed && !spend(1)) {
            return false;
        }
        if (const auto made = needed ? make_folder(index) : Result<>{}; !made) {
            return std::unexpected(made.error());
        }
    }
    return true;
}

Result<> Preparation::make_folder(std::uint64_t index) {
    const SafeRelPath place = state_.names.place(manifest_, index);
    const bool folder = manifest_.kind(index) == EntryKind::Folder;
    const std::string relative(folder ? std::string_view(place.text()) : place.folder());
    if (made_folder_ != relative) {
        const auto opened = cursor_.make(relative, state_.made_folders);
        made_ = opened ? Result<>{} : std::unexpected(opened.error());
        made_folder_ = relative;
        if (opened && state_.previous && cleaned_folders_.insert(relative).second) {
            state_.previous->remove_unknown_parts(**opened);
        }
    }
    if (!made_ && made_.error().code == ErrorCode::DiskFull) {
        made_folder_.reset();
        return fail(ErrorCode::DiskFull, kRoomForFolders, "make folders");
    }
    if (!made_) {
        fail_entry(index, made_.error());
    }
    return {};
}

void Preparation::add_present(std::uint64_t index, std::uint64_t resumed_bytes) {
    present_.push_back(index);
    prepared_.resumed_bytes += resumed_bytes;
}

void Preparation::fail_entry(std::uint64_t index, Error error) {
    prepared_.failures.push_back({.index = index, .error = std::move(error)});
    written_[index - first_] = false;
}

} // namespace thru
