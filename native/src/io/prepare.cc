// What becomes of offered entries: looked at first, all of them, then done.
#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "crypto/digest.h"
#include "crypto/random.h"
#include "io/conflict.h"
#include "io/file_hash.h"
#include "io/receive_state.h"

namespace thru {

namespace {

/// Told as needed when not even folders or the journal can be made.
constexpr std::int64_t kRoomForFolders = 1 << 20;

Error journal_error(const fs::SystemError &error) {
    Error meaning = fs::writing_error(error, "make the journal");
    if (meaning.code == ErrorCode::DiskFull) {
        meaning.cause = kRoomForFolders;
    }
    return meaning;
}

Result<JournalHeader> new_header(const ReceiveFolder::State &state) {
    const auto volume = fs::volume_facts(state.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    JournalHeader header{.share = state.ids.share,
                         .receive = state.ids.receive,
                         .boot = current_boot(),
                         .volume_device = volume->id.device,
                         .volume_number = volume->id.number};
    random_bytes(header.id);
    return header;
}

/// One run of entries.
class Preparation {
public:
    Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                const IndexRanges &unwanted);

    Result<Prepared> run();

private:
    /// A file that is not simply written, or that something may be here of.
    struct Found {
        std::uint64_t index = 0;
        Decision decision = Decision::Write;
        fs::FileStatus there;
        Resumed resumed;
        std::optional<Hash> content;
    };

    bool is_wanted(std::uint64_t index) const;
    Result<> look_for_journal();
    Result<> look();
    void look_at(std::uint64_t index);
    void decide_conflict(Found &found);
    Result<> make_folders();
    Result<> begin_journal();
    void take(const Found &found);
    bool take_part(const Found &found, const ResumedPart &part);
    void take_whole_files();
    void tell_untold();
    void here(std::uint64_t index, std::uint64_t resumed_bytes);
    void fail_entry(std::uint64_t index, Error error);

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    const std::size_t first_;
    const std::size_t end_;
    FolderCursor cursor_;
    std::vector<bool> unwanted_;
    std::vector<std::optional<Slot>> slots_;
    std::vector<Found> found_;
    std::vector<bool> written_;
    std::uint64_t needed_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t free_ = 0;
    std::vector<std::uint64_t> whole_;
    std::vector<std::uint64_t> here_;
    /// Folders whose names the journal has yet to be told of.
    std::set<std::string> untold_folders_;
    NamedRecord untold_;
    Prepared prepared_;
};

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

Result<> Preparation::look_for_journal() {
    if (state_.looked_for_journal) {
        return {};
    }
    auto found = state_.options.resume ? find_journal(state_.target.root(), manifest_, end_,
                                                      state_.ids.share)
                                       : std::nullopt;
    if (!found) {
        state_.parts.set_tag(random_tag(), 0);
        state_.looked_for_journal = true;
        return {};
    }
    const auto header = new_header(state_);
    const auto volume = fs::volume_facts(state_.target.root());
    if (!header || !volume) {
        return std::unexpected(header ? fs::writing_error(volume.error(), "look at the disk")
                                      : header.error());
    }
    const bool same_boot = is_same_boot(found->journal.header, *volume);
    if (!same_boot) {
        found->journal.content.keep_what_is_synced();
    }
    auto journal = Journal::continue_from(state_.target.root(), found->tag, *header,
                                          found->journal.content, std::move(found->file));
    if (!journal) {
        return std::unexpected(journal_error(journal.error()));
    }
    state_.journal = std::move(*journal);
    state_.parts.set_journal(state_.journal.get());
    const std::uint64_t first_part = (std::uint64_t{random_below(1U << 31)} + 1) * kMaxParts;
    state_.parts.set_tag(found->tag, first_part);
    state_.earlier = std::make_unique<EarlierAttempt>(std::move(*found), same_boot, first_part,
                                                   state_.target, state_.names, manifest_);
    state_.looked_for_journal = true;
    return {};
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
    const bool written = !named && found.decision != Decision::Here &&
                         found.decision != Decision::LeaveOut;
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
    const auto folder = cursor_.go(place.folder());
    const auto there = folder ? fs::status_beneath(**folder, name)
                              : std::unexpected(folder.error());
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
        const bool needed =
            folder ? is_wanted(index) && state_.options.make_empty_folders : written_[index - first_];
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

Result<> Preparation::begin_journal() {
    if (!state_.options.resume) {
        return {};
    }
    const bool needed = std::ranges::find(written_, true) != written_.end();
    if (!state_.journal && needed) {
        const auto header = new_header(state_);
        if (!header) {
            return std::unexpected(header.error());
        }
        auto journal = Journal::create(state_.target.root(), state_.parts.tag(), *header);
        if (!journal) {
            return std::unexpected(journal_error(journal.error()));
        }
        state_.journal = std::move(*journal);
        state_.parts.set_journal(state_.journal.get());
        // Before the first part file: none outlasts a power loss that no journal knows.
        if (auto synced = state_.journal->sync(); !synced) {
            return std::unexpected(journal_error(synced.error()));
        }
    }
    for (std::uint64_t index = first_; state_.journal && index < end_; ++index) {
        auto &slot = slots_[index - first_];
        if (!slot && written_[index - first_]) {
            slot = state_.journal->add(manifest_.entry(index));
        }
        state_.parts.set_slot(index, slot);
    }
    return {};
}

void Preparation::take(const Found &found) {
    const std::uint64_t index = found.index;
    const auto slot = slots_[index - first_];
    if (const auto *file = std::get_if<ResumedFile>(&found.resumed)) {
        if (file->untold) {
            untold_folders_.emplace(state_.names.place(manifest_, index).folder());
            untold_.items.push_back({.slot = *slot, .file = file->file, .name = file->name});
        }
        here(index, manifest_.file_size(index));
        return;
    }
    if (found.decision == Decision::WriteOver || found.decision == Decision::CompareContent) {
        const std::lock_guard lock(state_.mutex);
        (found.decision == Decision::WriteOver ? state_.replaced : state_.compared)[index] =
            found.there;
    }
    const auto *part = std::get_if<ResumedPart>(&found.resumed);
    const auto *whole = std::get_if<ResumedWhole>(&found.resumed);
    if (written_[index - first_] && part != nullptr && take_part(found, *part)) {
        return;
    }
    if (written_[index - first_] && whole != nullptr) {
        state_.parts.adopt_small(index, whole->part);
        whole_.push_back(index);
        return;
    }
    if (slot && state_.earlier && state_.earlier->knows(*slot)) {
        // What was kept of it is of no use.
        state_.parts.adopt_small(index, {.number = state_.earlier->part(*slot)});
        state_.parts.remove(index);
    }
    if (found.decision == Decision::Here) {
        here(index, 0);
    } else if (found.decision == Decision::LeaveOut) {
        append_index(prepared_.unwanted, index);
        state_.parts.set_dropped(index, true);
    } else if (found.content) {
        prepared_.have.push_back({.index = index,
                                  .offset = manifest_.file_size(index),
                                  .hash_begin = 0,
                                  .hash = *found.content});
    }
}

/// Onto the disk with it first: what the journal is told from now on may be synced any time.
bool Preparation::take_part(const Found &found, const ResumedPart &part) {
    const SafeRelPath place = state_.names.place(manifest_, found.index);
    const auto folder = cursor_.go(place.folder());
    const auto file =
        folder ? fs::open_for_writing(**folder, part_name(state_.parts.tag(), part.part.number))
               : std::unexpected(folder.error());
    if (!file || !fs::sync_data(*file)) {
        return false;
    }
    if (state_.options.verify) {
        fs::drop_cache(*file);
        for (const Extent &extent : part.unsynced) {
            Blake3 hasher;
            if (!hash_range(*file, extent.offset, extent.end(), {&hasher}) ||
                shortened(hasher.finish()) != extent.hash) {
                return false;
            }
        }
    }
    state_.parts.adopt_large(found.index, part.part, part.have.offset, part.unsynced,
                             part.stepped_back);
    prepared_.have.push_back(part.have);
    prepared_.resumed_bytes += part.have.offset;
    return true;
}

/// Of batches that came, and were not settled.
void Preparation::take_whole_files() {
    constexpr std::size_t kFewFiles = 4;
    const auto at_once = whole_.size() > kFewFiles
                             ? fs::sync_file_system(state_.target.root())
                             : fs::SystemResult<bool>(false);
    for (const std::uint64_t index : whole_) {
        const SafeRelPath place = state_.names.place(manifest_, index);
        const PartFile part = state_.parts.whole(index)->part;
        const auto folder = cursor_.go(place.folder());
        const auto file =
            folder ? fs::open_for_writing(**folder, part_name(state_.parts.tag(), part.number))
                   : std::unexpected(folder.error());
        const bool synced = at_once && file &&
                            ((*at_once && !part.other_volume) || fs::sync_data(*file));
        const auto name = synced ? give_name(state_, cursor_, index, part)
                                 : Result<std::string>(fail(ErrorCode::DiskIo));
        if (!name) {
            // It comes again.
            state_.parts.remove(index);
            continue;
        }
        untold_folders_.emplace(place.folder());
        untold_.items.push_back({.slot = *slots_[index - first_],
                                 .file = part.id.number,
                                 .name = *name});
        here(index, manifest_.file_size(index));
    }
}

void Preparation::tell_untold() {
    if (untold_.items.empty() || !sync_folders(state_.target, untold_folders_)) {
        return;
    }
    for (auto items = std::span(untold_.items); !items.empty();) {
        const auto next = items.first(std::min(items.size(), kMaxNamedItems));
        state_.journal->append(NamedRecord{.items = {next.begin(), next.end()}});
        items = items.subspan(next.size());
    }
}

void Preparation::here(std::uint64_t index, std::uint64_t resumed_bytes) {
    here_.push_back(index);
    prepared_.resumed_bytes += resumed_bytes;
}

void Preparation::fail_entry(std::uint64_t index, Error error) {
    prepared_.failures.push_back({.index = index, .error = std::move(error)});
    written_[index - first_] = false;
}

} // namespace

Result<Prepared> prepare(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                         const IndexRanges &unwanted) {
    return Preparation(state, first, end, unwanted).run();
}

} // namespace thru
