// What becomes of offered entries: looked at first, all of them, then done.
#include <algorithm>
#include <set>
#include <utility>

#include "crypto/digest.h"
#include "io/file_hash.h"
#include "io/preparation.h"

namespace thru {

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

bool Preparation::is_wanted(std::uint64_t index) const {
    return !unwanted_[index - first_] && manifest_.kind(index) != EntryKind::Gone;
}

Result<Prepared> Preparation::run() {
    if (state_.named_end < end_) {
        const std::lock_guard lock(state_.names_mutex);
        if (auto named = state_.names.extend(manifest_, state_.named_end, end_); !named) {
            return std::unexpected(named.error());
        }
        state_.named_end = end_;
    }
    state_.parts.grow(end_);
    if (auto continued = look_for_journal(); !continued) {
        return std::unexpected(continued.error());
    }
    if (auto looked = look(); !looked) {
        return std::unexpected(looked.error());
    }
    if (needed_ > free_) {
        return fail(ErrorCode::DiskFull, static_cast<std::int64_t>(needed_ - free_),
                    "bytes are missing");
    }
    if (auto made = make_folders(); !made) {
        return std::unexpected(made.error());
    }
    if (auto begun = begin_journal(); !begun) {
        return std::unexpected(begun.error());
    }
    for (std::uint64_t index = first_; index < end_; ++index) {
        if (!is_wanted(index)) {
            state_.parts.set_dropped(index, true);
        }
    }
    for (const Found &found : found_) {
        take(found);
    }
    take_whole_files();
    tell_untold();
    state_.parts.flush_journal();
    std::ranges::sort(here_);
    for (const std::uint64_t index : here_) {
        append_index(prepared_.here, index);
        state_.parts.set_done(index);
    }
    state_.prepared_end = end_;
    return std::move(prepared_);
}

Result<> Preparation::look() {
    const auto volume = fs::volume_facts(state_.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    free_ = volume->free_bytes;
    largest_ = volume->max_file_bytes;
    const auto is_looked_at = [this](std::uint64_t index) {
        return is_wanted(index) && manifest_.kind(index) == EntryKind::File &&
               !manifest_.text(index);
    };
    for (std::uint64_t index = first_; state_.earlier && index < end_; ++index) {
        if (is_looked_at(index)) {
            slots_[index - first_] = state_.earlier->match(index);
        }
    }
    for (std::uint64_t index = first_; index < end_; ++index) {
        if (is_looked_at(index)) {
            look_at(index);
        }
    }
    return {};
}

void Preparation::look_at(std::uint64_t index) {
    Found found{.index = index};
    const auto slot = slots_[index - first_];
    if (slot) {
        found.resumed = state_.earlier->look(index, *slot);
    }
    const bool named = std::holds_alternative<ResumedFile>(found.resumed);
    if (!named) {
        decide_conflict(found);
    }
    const bool written =
        !named && found.decision != Decision::Here && found.decision != Decision::LeaveOut;
    if (written && manifest_.file_size(index) > largest_) {
        fail_entry(index, {.code = ErrorCode::FileTooLarge, .detail = "the disk can't hold it"});
        return;
    }
    written_[index - first_] = written;
    if (written && found.decision != Decision::CompareContent && !manifest_.sparse(index)) {
        const auto *part = std::get_if<ResumedPart>(&found.resumed);
        const std::uint64_t size = manifest_.file_size(index);
        const bool whole = std::holds_alternative<ResumedWhole>(found.resumed);
        needed_ += whole ? 0 : size - std::min(size, part != nullptr ? part->allocated : 0);
    }
    const bool stale = slot && state_.earlier->knows(*slot);
    if (found.decision != Decision::Write || stale) {
        found_.push_back(std::move(found));
    }
}

void Preparation::decide_conflict(Found &found) {
    const SafeRelPath place = state_.names.place(manifest_, found.index);
    const std::string name(place.name());
    if (missing_folder_ == place.folder()) {
        return;
    }
    const auto folder = cursor_.go(place.folder());
    if (!folder && folder.error().trouble == fs::Trouble::NotFound) {
        missing_folder_ = place.folder();
    }
    const auto there =
        folder ? fs::status_beneath(**folder, name) : std::unexpected(folder.error());
    if (!there) {
        return;
    }
    found.there = *there;
    found.decision = decide(*there, manifest_, found.index, state_.options);
    if (found.decision == Decision::CompareContent) {
        const bool begun = !std::holds_alternative<std::monostate>(found.resumed);
        const std::uint64_t size = manifest_.file_size(found.index);
        Blake3 hasher;
        const auto file = begun ? std::unexpected(fs::SystemError{})
                                : fs::open_beneath_for_reading(**folder, name);
        if (file && hash_range(*file, 0, size, {&hasher})) {
            found.content = hasher.finish();
            found.decision = size == 0 ? Decision::Here : Decision::CompareContent;
        } else {
            found.decision = decide_different(*there, manifest_, found.index, state_.options);
        }
    }
    count_decision(found.decision, manifest_.file_size(found.index), prepared_.summary);
}

/// Also the folders of files; those with nothing in them only if they are wanted.
Result<> Preparation::make_folders() {
    // The last folder and how it went: files of one folder stand together.
    std::optional<std::string> last;
    Result<> made;
    std::set<std::string> looked_through;
    for (std::uint64_t index = first_; index < end_; ++index) {
        const bool folder = manifest_.kind(index) == EntryKind::Folder;
        const bool needed = folder ? is_wanted(index) && state_.options.make_empty_folders
                                   : written_[index - first_];
        if (!needed) {
            continue;
        }
        const SafeRelPath place = state_.names.place(manifest_, index);
        const std::string relative(folder ? std::string_view(place.text()) : place.folder());
        if (last != relative) {
            const auto opened = cursor_.make(
                relative, [this](std::string_view above) { state_.parts.folder_made(above); });
            made = opened ? Result<>{} : std::unexpected(opened.error());
            last = relative;
            if (opened && state_.earlier && looked_through.insert(relative).second) {
                state_.earlier->remove_unknown_parts(**opened);
            }
        }
        if (!made && made.error().code == ErrorCode::DiskFull) {
            return fail(ErrorCode::DiskFull, kRoomForFolders, "make folders");
        }
        if (!made) {
            fail_entry(index, made.error());
        }
    }
    return {};
}

void Preparation::here(std::uint64_t index, std::uint64_t resumed_bytes) {
    here_.push_back(index);
    prepared_.resumed_bytes += resumed_bytes;
}

void Preparation::fail_entry(std::uint64_t index, Error error) {
    prepared_.failures.push_back({.index = index, .error = std::move(error)});
    written_[index - first_] = false;
}

Result<Prepared> prepare(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                         const IndexRanges &unwanted) {
    return Preparation(state, first, end, unwanted).run();
}

} // namespace thru
