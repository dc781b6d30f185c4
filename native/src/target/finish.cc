#include "target/finish.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "names/link_target.h"
#include "names/numbered_name.h"
#include "names/part_name.h"
#include "target/deletion/deletions.h"
#include "target/existing/conflict.h"
#include "target/publish.h"
#include "target/stale_journals.h"

namespace thru {

namespace {

struct NewLink {
    std::string target;
    std::int64_t mtime_ns = 0;
};

class Finishing {
public:
    Finishing(ReceiveFolder::State &state, bool whole)
        : state_(state), whole_(whole), manifest_(*state.manifest), cursor_(state.target) {}

    Result<Finished> run();

private:
    void record_links();
    void make_links();
    Result<> make_link(std::uint64_t index);
    /// Makes the link with its time.
    fs::SystemResult<> make(const fs::FileHandle &folder, const std::string &name,
                            const NewLink &link) const;
    fs::SystemResult<> make_new(const fs::FileHandle &folder, const std::string &name,
                                const NewLink &link) const;
    fs::SystemResult<> make_over(const fs::FileHandle &folder, const std::string &name,
                                 const NewLink &link);
    void end_round();
    void number_anew(const Deletions &deletions);
    void set_folder_times();
    fs::SystemResult<> end_journal();

    ReceiveFolder::State &state_;
    const bool whole_;
    const ManifestTable &manifest_;
    FolderCursor cursor_;
    std::set<std::string> folders_;
    std::vector<WriteFailure> failures_;
};

Result<Finished> Finishing::run() {
    if (state_.options.make_links) {
        record_links();
        make_links();
    }
    state_.parts.remove_rest();
    if (state_.journal.previous() != nullptr) {
        state_.journal.previous()->remove_unmatched();
    }
    if (state_.journal && state_.journal.is_kept()) {
        end_round();
    }
    if (state_.options.keep_times) {
        set_folder_times();
    }
    folders_.merge(state_.made_folders.take());
    if (const auto synced = sync_folders(state_.target, folders_); !synced) {
        return std::unexpected(fs::writing_error(synced.error(), "write names to the disk"));
    }
    // Before ending its own journal: if killed in between, the next attempt repeats this.
    if (state_.options.resume) {
        remove_stale_journals(state_);
    }
    if (const auto ended = end_journal(); !ended) {
        return std::unexpected(fs::writing_error(ended.error(), "end the journal"));
    }
    return Finished{.failures = std::move(failures_),
                    .deletions = std::exchange(state_.deletions, {})};
}

/// Moves what the sender no longer has, and keeps a journal of the rest for the next round.
void Finishing::end_round() {
    const auto content = state_.journal->read_back();
    if (!content) {
        return;
    }
    Deletions deletions(state_, *content, state_.entries.prepared_end());
    if (state_.options.deletions) {
        deletions.move_rest(whole_);
    } else {
        deletions.keep_rest();
    }
    if (!state_.entries.retains() && state_.journal->keep_only(*content, deletions.needed())) {
        number_anew(deletions);
    }
}

void Finishing::number_anew(const Deletions &deletions) {
    std::vector<Slot> numbers(deletions.needed().size());
    Slot next = 0;
    for (std::size_t slot = 0; slot < numbers.size(); ++slot) {
        numbers[slot] = deletions.needed()[slot] ? next++ : next;
    }
    for (std::uint64_t index = 0; index < deletions.present().size(); ++index) {
        const auto slot = deletions.present()[index];
        state_.entries.set_slot(index, slot ? std::optional(numbers[*slot]) : std::nullopt);
    }
    state_.journal.forget_previous();
}

fs::SystemResult<> Finishing::end_journal() {
    if (!state_.journal) {
        return {};
    }
    // Unpublished files are for a later attempt. The journal stays open: more may be added.
    if (state_.entries.retains() || state_.journal.is_kept()) {
        return state_.journal->sync();
    }
    return state_.journal.end();
}

/// Links are logged before they are made: after a kill they are known as this receive's.
void Finishing::record_links() {
    if (!state_.journal.is_kept()) {
        return;
    }
    for (std::uint64_t index = 0, end = state_.entries.prepared_end(); index < end; ++index) {
        if (manifest_.kind(index) != EntryKind::Link || !state_.entries.accepts(index)) {
            continue;
        }
        const SafeRelPath place = state_.names.place(manifest_, index);
        const auto folder = cursor_.go(place.folder());
        auto link = state_.names.journal_entry(manifest_, index);
        if (!link) {
            continue;
        }
        link->target = state_.names.target(manifest_, index);
        const auto existing = folder
                                  ? fs::read_link(**folder, std::string(place.name()))
                                  : fs::SystemResult<std::string>(std::unexpected(folder.error()));
        if (existing == link->target || (!state_.journal && !state_.journal.create())) {
            continue;
        }
        if (const auto slot = state_.journal->add(*link)) {
            state_.journal->append(PublishedRecord{.items = {{.slot = *slot}}});
        }
    }
    state_.writes.flush_journal();
}

void Finishing::make_links() {
    for (std::uint64_t index = 0, end = state_.entries.prepared_end(); index < end; ++index) {
        if (manifest_.kind(index) != EntryKind::Link || !state_.entries.accepts(index)) {
            continue;
        }
        if (auto made = make_link(index); !made) {
            failures_.push_back({.index = index, .error = std::move(made).error()});
        }
        state_.parts.set_done(index);
    }
}

Result<> Finishing::make_link(std::uint64_t index) {
    if (auto allowed = check_link_target(manifest_.path(index), manifest_.target(index));
        !allowed) {
        return allowed;
    }
    const NewLink link{.target = state_.names.target(manifest_, index),
                       .mtime_ns = manifest_.mtime_ns(index)};
    const SafeRelPath place = state_.names.place(manifest_, index);
    const auto folder = cursor_.make(place.folder(), state_.made_folders);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    const std::string name(place.name());
    const auto existing = fs::status_beneath(**folder, name);
    const auto status = existing ? std::optional(*existing) : std::nullopt;
    Decision decision = decide(status, manifest_, index, state_.options);
    if (decision == Decision::CompareContent) {
        decision = fs::read_link(**folder, name) == link.target
                       ? Decision::Present
                       : decide_different(*existing, manifest_, index, state_.options);
    }
    if (decision == Decision::Present || decision == Decision::LeaveOut) {
        return {};
    }
    if (decision == Decision::Blocked) {
        return std::unexpected(name_taken());
    }
    folders_.emplace(place.folder());
    const bool over =
        decision == Decision::WriteOver && state_.existing.may_replace(index, **folder, name);
    const auto made = over ? make_over(**folder, name, link) : make_new(**folder, name, link);
    return made ? Result<>{} : std::unexpected(fs::writing_error(made.error(), "make the link"));
}

fs::SystemResult<> Finishing::make(const fs::FileHandle &folder, const std::string &name,
                                   const NewLink &link) const {
    auto made = fs::make_link(folder, name, link.target);
    if (made && state_.options.keep_times) {
        fs::set_link_time(folder, name, link.mtime_ns);
    }
    return made;
}

fs::SystemResult<> Finishing::make_new(const fs::FileHandle &folder, const std::string &name,
                                       const NewLink &link) const {
    auto made = make(folder, name, link);
    for (unsigned number = 2;
         !made && made.error().kind == fs::ErrorKind::Exists && number <= kMaxNumberedNames;
         ++number) {
        made = make(folder, numbered_name(name, EntryKind::File, number), link);
    }
    return made;
}

/// Creates the link under a temporary name, to replace an existing file atomically or not at all.
fs::SystemResult<> Finishing::make_over(const fs::FileHandle &folder, const std::string &name,
                                        const NewLink &link) {
    const std::string part = part_name(state_.store.tag(), state_.store.new_number());
    if (auto made = make(folder, part, link); !made) {
        return made;
    }
    auto renamed = fs::rename_over(folder, part, name);
    if (!renamed) {
        static_cast<void>(fs::remove_file(folder, part));
    }
    return renamed;
}

/// Runs after the links are made, because making one changes its folder's time. Innermost first.
void Finishing::set_folder_times() {
    for (std::uint64_t index = state_.entries.prepared_end(); index > 0; --index) {
        const std::uint64_t entry = index - 1;
        if (manifest_.kind(entry) != EntryKind::Folder || !state_.entries.accepts(entry)) {
            continue;
        }
        const SafeRelPath place = state_.names.place(manifest_, entry);
        if (const auto folder = cursor_.go(place.text())) {
            fs::set_folder_time(**folder, manifest_.mtime_ns(entry));
            folders_.emplace(place.text());
        }
    }
}

} // namespace

Result<Finished> finish(ReceiveFolder::State &state, bool whole) {
    auto finished = Finishing(state, whole).run();
    if (finished) {
        finished->lost_attributes = state.lost_attributes.take();
    }
    return finished;
}

} // namespace thru
