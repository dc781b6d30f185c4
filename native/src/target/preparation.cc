#include "target/preparation.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "target/metadata.h"
#include "target/publish.h"
#include "target/receive_journal.h"

namespace thru {

Preparation::Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                         const IndexRanges &unwanted)
    : state_(state), manifest_(*state.manifest), run_(manifest_, first, end, unwanted),
      inspection_(state, run_), adoption_(state, run_), cursor_(state.target), next_(first) {}

const std::array<Preparation::Phase, 7> Preparation::kPhases = {
    &Preparation::add_names, &Preparation::search_journal, &Preparation::clear_way,
    &Preparation::inspect,   &Preparation::make_folders,   &Preparation::begin_journal,
    &Preparation::adopt,
};

Result<std::optional<Prepared>> Preparation::step() {
    for (run_.budget.begin_step(); phase_ < kPhases.size(); ++phase_) {
        const auto through = (this->*kPhases[phase_])();
        if (!through) {
            return std::unexpected(through.error());
        }
        if (!*through) {
            return std::optional<Prepared>{};
        }
    }
    return std::optional(std::move(run_.prepared));
}

Result<bool> Preparation::add_names() {
    Prepared &prepared = run_.prepared;
    if (const auto mapped_end = state_.entries.size(); mapped_end < run_.end) {
        const auto &listed = state_.names.listed();
        const auto listed_before = static_cast<std::ptrdiff_t>(listed.size());
        if (auto mapped = state_.names.extend(manifest_, mapped_end, run_.end); !mapped) {
            return std::unexpected(mapped.error());
        }
        prepared.listed_names.assign(listed.begin() + listed_before, listed.end());
    }
    prepared.mapped_names = state_.names.mapped();
    state_.entries.grow(run_.end);
    return true;
}

Result<bool> Preparation::search_journal() {
    auto resumed = state_.journal.resume(run_.end);
    return resumed ? Result<bool>(true) : std::unexpected(std::move(resumed).error());
}

/// Precedes the inspection: a name that is in the way would change every decision.
Result<bool> Preparation::clear_way() {
    PreviousAttempt *previous = state_.journal.previous();
    if (!state_.options.deletions || previous == nullptr || previous->of_other_sender()) {
        return true;
    }
    if (!deletions_) {
        PublishedRecord unlogged;
        for (const auto &[slot, file] : previous->content().files()) {
            if (auto found = previous->find_unlogged(slot)) {
                unlogged.items.push_back(
                    {.slot = slot, .file = found->file, .name = std::move(found->name)});
            }
        }
        previous->add_published(unlogged);
        log_published(*state_.journal, unlogged);
        deletions_ = std::make_unique<Deletions>(state_, previous->content(), run_.end);
        run_.going = deletions_->going();
    }
    return deletions_->clear_way(run_.budget);
}

Result<bool> Preparation::inspect() { return inspection_.step(); }

/// Also makes the folders of files; empty ones only if they are wanted.
Result<bool> Preparation::make_folders() {
    for (; next_ < run_.end; ++next_) {
        const bool folder = manifest_.kind(next_) == EntryKind::Folder && run_.is_wanted(next_);
        const bool needed =
            folder ? state_.options.make_empty_folders : bool{run_.written[next_ - run_.first]};
        if (needed && !run_.budget.spend(1)) {
            return false;
        }
        if (folder && !needed && state_.options.keep_attributes &&
            (manifest_.attributes(next_) != nullptr || manifest_.creation_ns(next_))) {
            unmade_.emplace(manifest_.path(next_), next_);
        }
        if (const auto made = needed ? make_folders_to(next_) : Result<>{}; !made) {
            return std::unexpected(made.error());
        }
    }
    return true;
}

Result<> Preparation::make_folders_to(std::uint64_t index) {
    std::vector<std::size_t> around;
    for (auto path = folder_of(manifest_.path(index)); !path.empty() && !unmade_.empty();
         path = folder_of(path)) {
        if (const auto found = unmade_.find(path); found != unmade_.end()) {
            around.push_back(found->second);
        }
    }
    for (const std::size_t folder : around | std::views::reverse) {
        if (auto made = make_folder(folder); !made) {
            return made;
        }
        unmade_.erase(manifest_.path(folder));
    }
    return make_folder(index);
}

Result<> Preparation::make_folder(std::uint64_t index) {
    const SafeRelPath place = state_.names.place(manifest_, index);
    const bool folder = manifest_.kind(index) == EntryKind::Folder;
    const std::string relative(folder ? std::string_view(place.text()) : place.folder());
    if (made_folder_ != relative) {
        const JournalPath known = state_.names.journal_path(manifest_, index);
        const std::string_view path = known.text();
        if (auto recorded = record_folders(folder ? path : folder_of(path), relative); !recorded) {
            return recorded;
        }
        const bool has_attributes = state_.options.keep_attributes && folder;
        const bool is_new = has_attributes && !cursor_.go(relative);
        const auto opened = cursor_.make(relative, state_.made_folders);
        made_ = opened ? Result<>{} : std::unexpected(opened.error());
        made_folder_ = relative;
        if (opened && has_attributes) {
            // A later attempt would find an existing folder, which gets no attributes.
            apply_folder_metadata(state_.writer_access, **opened, index, is_new);
        }
        if (const auto *previous = state_.journal.previous();
            opened && previous != nullptr && cleaned_folders_.insert(relative).second) {
            previous->remove_unknown_parts(**opened);
        }
    }
    if (!made_ && made_.error().code == ErrorCode::DiskFull) {
        made_folder_.reset();
        return fail(ErrorCode::DiskFull, kRoomForFolders, "make folders");
    }
    if (!made_) {
        run_.fail_entry(index, made_.error());
    }
    return {};
}

/// A folder is logged before it is made: after a kill it is known as this receive's.
Result<> Preparation::record_folders(std::string_view path, std::string_view relative) {
    if (!state_.journal.is_kept() || relative.empty() || path.empty()) {
        return {};
    }
    const auto opened = cursor_.go(relative);
    if (opened || opened.error().kind != fs::ErrorKind::NotFound) {
        return {};
    }
    if (auto above = record_folders(folder_of(path), folder_of(relative)); !above) {
        return above;
    }
    if (auto created = !state_.journal ? state_.journal.create() : Result<>{}; !created) {
        return created;
    }
    if (const auto slot =
            state_.journal->add({.kind = EntryKind::Folder, .path = std::string(path)})) {
        state_.journal->append(PublishedRecord{.items = {{.slot = *slot}}});
        state_.writes.flush_journal();
    }
    return {};
}

Result<bool> Preparation::begin_journal() {
    if (!state_.options.resume) {
        return true;
    }
    const bool needed = std::ranges::find(run_.written, true) != run_.written.end();
    if (auto created = !state_.journal && needed ? state_.journal.create() : Result<>{}; !created) {
        return std::unexpected(std::move(created).error());
    }
    for (std::uint64_t index = run_.first; state_.journal && index < run_.end; ++index) {
        auto &slot = run_.slots[index - run_.first];
        if (!slot && run_.written[index - run_.first]) {
            slot = state_.journal.add(index);
        }
        state_.entries.set_slot(index, slot);
    }
    return true;
}

Result<bool> Preparation::adopt() {
    if (!adoption_.step()) {
        return false;
    }
    state_.entries.set_prepared(run_.end);
    return true;
}

} // namespace thru
