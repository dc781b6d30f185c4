// A round of settling: data onto the disk, which the journal is told, then names, then folders,
// which the journal is told.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "crypto/digest.h"
#include "io/file_hash.h"
#include "io/receive_state.h"

namespace thru {

namespace {

/// Up to so many files are synced one by one; of more, the whole file system at once.
constexpr std::size_t kFewFiles = 4;

/// One round.
class Settling {
public:
    Settling(ReceiveFolder::State &state, bool last_try)
        : state_(state), manifest_(*state.manifest), last_try_(last_try), cursor_(state.target) {}

    Settled run();

private:
    using Whole = PartFiles::Whole;

    void take_whole();
    bool prepare_large(std::uint64_t index, const Whole &whole);
    void sync_data();
    bool sync_at_once();
    void sync_small(const Batch &batch);
    void sync_large(const std::shared_ptr<LargePart> &part);
    void lose(PartFiles::Round &lost, const fs::SystemError &error, bool everything);
    void read_back();
    void give_names();
    void name_one(std::uint64_t index, const Whole &whole);
    void stay_unnamed(std::uint64_t index, const PartFile &part, const Error &error);
    bool has_part(std::uint64_t index, const PartFile &part);
    void sync_names();
    void tell_synced();
    void tell_named();
    void sync_journal();
    void broke(const fs::SystemError &error, std::string detail);
    fs::SystemResult<fs::FileHandle> open_small(const Batch::Member &member);

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    const bool last_try_;
    FolderCursor cursor_;
    PartFiles::Round round_;
    /// What is to be named, by entry.
    std::map<std::uint64_t, Whole> whole_;
    std::set<std::string> folders_;
    NamedRecord named_;
    bool lost_something_ = false;
    Settled settled_;
};

Settled Settling::run() {
    take_whole();
    if (round_.batches.empty() && round_.parts.empty() && whole_.empty() && folders_.empty()) {
        return std::move(settled_);
    }
    sync_data();
    if (state_.options.verify) {
        read_back();
    }
    tell_synced();
    give_names();
    sync_names();
    tell_named();
    return std::move(settled_);
}

void Settling::take_whole() {
    const auto indexes = std::exchange(state_.whole, {});
    state_.unsettled_bytes = 0;
    round_ = state_.parts.begin_round(indexes);
    folders_ = std::exchange(round_.folders, {});
    for (const std::uint64_t index : indexes) {
        if (manifest_.text(index)) {
            continue;
        }
        if (auto whole = state_.parts.whole(index)) {
            if (!whole->large || prepare_large(index, *whole)) {
                whole_[index] = std::move(*whole);
            }
            continue;
        }
        // Its content was compared, and is the same.
        if (state_.compared.erase(index) > 0) {
            state_.parts.set_done(index);
            settled_.named.push_back({.index = index});
        }
    }
}

/// Its size, time and permissions, before they are synced. False when it can't be named.
bool Settling::prepare_large(std::uint64_t index, const Whole &whole) {
    const auto file = state_.parts.open(*whole.large);
    if (!file) {
        settled_.failures.push_back({.index = index, .error = file.error()});
        return false;
    }
    const auto status = fs::status_of(**file);
    const std::uint64_t size = manifest_.file_size(index);
    if (status && status->size < size && !manifest_.sparse(index)) {
        // Somebody cut it.
        state_.parts.remove(index);
        settled_.damaged.push_back({.index = index, .offset = 0, .length = size});
        return false;
    }
    const auto sized =
        status && status->size == size ? fs::SystemResult<>{} : fs::set_size(**file, size);
    if (!sized) {
        settled_.failures.push_back(
            {.index = index, .error = fs::writing_error(sized.error(), "set its size")});
        return false;
    }
    state_.target.seal(**file, manifest_, index, state_.options);
    return true;
}

void Settling::sync_data() {
    const bool at_once = sync_at_once();
    for (const Batch &batch : round_.batches) {
        if (!at_once || std::ranges::any_of(batch.members, [](const auto &member) {
                return member.part.other_volume;
            })) {
            sync_small(batch);
        }
    }
    std::set<std::shared_ptr<LargePart>> large;
    for (const PartFiles::Dirty &dirty : round_.parts) {
        large.insert(dirty.part);
    }
    for (const auto &[index, whole] : whole_) {
        if (whole.large) {
            large.insert(whole.large);
        }
    }
    for (const std::shared_ptr<LargePart> &part : large) {
        sync_large(part);
    }
}

bool Settling::sync_at_once() {
    std::size_t files = 0;
    for (const Batch &batch : round_.batches) {
        files += batch.members.size();
    }
    if (files <= kFewFiles) {
        return false;
    }
    const auto synced = fs::sync_file_system(state_.target.root());
    if (synced) {
        return *synced;
    }
    lose(round_, synced.error(), true);
    round_ = {.last_record = round_.last_record};
    return true;
}

fs::SystemResult<fs::FileHandle> Settling::open_small(const Batch::Member &member) {
    const SafeRelPath place = state_.names.place(manifest_, member.index);
    const auto folder = cursor_.go(place.folder());
    if (!folder) {
        return std::unexpected(folder.error());
    }
    return fs::open_for_writing(**folder, part_name(state_.parts.tag(), member.part.number));
}

void Settling::sync_small(const Batch &batch) {
    PartFiles::Round lost;
    fs::SystemError error;
    for (const Batch::Member &member : batch.members) {
        const auto file = open_small(member);
        const auto synced = file ? fs::sync_file(*file) : std::unexpected(file.error());
        // Dropped meanwhile, or somebody deleted it: then it can't be named either.
        if (!synced && (file || file.error().trouble != fs::Trouble::NotFound)) {
            error = synced.error();
            lost.batches.push_back({.members = {member}});
        }
    }
    if (!lost.batches.empty()) {
        lose(lost, error, false);
    }
}

void Settling::sync_large(const std::shared_ptr<LargePart> &part) {
    const auto file = state_.parts.open(*part);
    const bool dropped = !file && file.error().code == ErrorCode::Stopped;
    if (dropped) {
        whole_.erase(part->index);
        return;
    }
    if (!file) {
        settled_.failures.push_back({.index = part->index, .error = file.error()});
        whole_.erase(part->index);
        return;
    }
    const bool whole = whole_.contains(part->index);
    const auto synced = whole ? fs::sync_file(**file) : fs::sync_data(**file);
    if (synced) {
        return;
    }
    PartFiles::Round lost;
    const auto dirty = std::ranges::find(round_.parts, part, &PartFiles::Dirty::part);
    if (dirty != round_.parts.end()) {
        lost.parts.push_back(std::move(*dirty));
        round_.parts.erase(dirty);
    } else {
        lost.parts.push_back({.part = part});
    }
    lose(lost, synced.error(), false);
    if (whole && lost.parts.front().extents.empty()) {
        // Only its size and time were new: the next round tries again.
        state_.whole.push_back(part->index);
    }
}

/// What the disk did not take has to come again, and so does what is being written.
void Settling::lose(PartFiles::Round &lost, const fs::SystemError &error, bool everything) {
    state_.parts.fail_round(lost, everything);
    for (const Batch &batch : lost.batches) {
        for (const Batch::Member &member : batch.members) {
            whole_.erase(member.index);
            settled_.damaged.push_back(
                {.index = member.index, .offset = 0, .length = manifest_.file_size(member.index)});
        }
    }
    for (const PartFiles::Dirty &dirty : lost.parts) {
        whole_.erase(dirty.part->index);
        for (const Extent &extent : dirty.extents) {
            settled_.damaged.push_back(
                {.index = dirty.part->index, .offset = extent.offset, .length = extent.length});
        }
    }
    broke(error, "write to the disk");
}

void Settling::read_back() {
    const auto is_intact = [](const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
                              const ShortHash &hash) {
        Blake3 hasher;
        return hash_range(file, begin, end, {&hasher}) && shortened(hasher.finish()) == hash;
    };
    for (const Batch &batch : round_.batches) {
        for (const Batch::Member &member : batch.members) {
            const auto file = open_small(member);
            const std::uint64_t size = manifest_.file_size(member.index);
            if (!file) {
                continue;
            }
            fs::drop_cache(*file);
            if (!is_intact(*file, 0, size, *member.hash)) {
                state_.parts.remove(member.index);
                whole_.erase(member.index);
                settled_.damaged.push_back({.index = member.index, .offset = 0, .length = size});
            }
        }
    }
    for (const PartFiles::Dirty &dirty : round_.parts) {
        const auto file = state_.parts.open(*dirty.part);
        if (!file) {
            continue;
        }
        fs::drop_cache(**file);
        for (const Extent &extent : dirty.extents) {
            if (!is_intact(**file, extent.offset, extent.end(), extent.hash)) {
                state_.parts.void_extent(dirty.part->index, extent);
                whole_.erase(dirty.part->index);
                settled_.damaged.push_back(
                    {.index = dirty.part->index, .offset = extent.offset, .length = extent.length});
            }
        }
    }
}

void Settling::give_names() {
    for (const auto &[index, whole] : whole_) {
        if (state_.parts.whole(index)) {
            name_one(index, whole);
        }
    }
}

void Settling::name_one(std::uint64_t index, const Whole &whole) {
    PartFile part = whole.part;
    if (whole.large) {
        const std::lock_guard lock(whole.large->mutex);
        part = *whole.large->made;
    }
    const auto name = give_name(state_, cursor_, index, part);
    if (!name) {
        stay_unnamed(index, part, name.error());
        return;
    }
    if (const auto slot = state_.parts.slot(index)) {
        named_.items.push_back({.slot = *slot, .file = part.id.number, .name = *name});
    }
    state_.parts.set_done(index);
    // Files of one folder stand together.
    if (!folders_.contains(cursor_.relative())) {
        folders_.insert(cursor_.relative());
    }
    settled_.named.push_back({.index = index, .renamed = !name->empty()});
}

/// It stays whole, for the next round or for a later attempt: a program that has the file open, or
/// permissions that somebody changed, must not cost what was received.
void Settling::stay_unnamed(std::uint64_t index, const PartFile &part, const Error &error) {
    const bool full = error.code == ErrorCode::DiskFull;
    const bool is_there = has_part(index, part);
    if (is_there && (full || !last_try_)) {
        state_.whole.push_back(index);
        if (full) {
            settled_.fatal = error;
            settled_.full = what_is_full(state_, error);
        } else {
            ++settled_.unnamed;
        }
        return;
    }
    if (is_there) {
        state_.parts.keep(index);
    }
    state_.parts.remove(index);
    settled_.failures.push_back({.index = index, .error = error});
}

bool Settling::has_part(std::uint64_t index, const PartFile &part) {
    const auto folder = cursor_.go(state_.names.place(manifest_, index).folder());
    if (!folder) {
        // Nobody knows.
        return true;
    }
    const auto status = fs::status_beneath(**folder, part_name(state_.parts.tag(), part.number));
    return status ? status->id == part.id : status.error().trouble != fs::Trouble::NotFound;
}

void Settling::sync_names() {
    if (folders_.empty()) {
        return;
    }
    if (const auto synced = sync_folders(state_.target, folders_); !synced) {
        // Their files are whole on the disk, under one name or the other.
        named_ = {};
        broke(synced.error(), "write names to the disk");
    }
}

/// Before names are given: a file that has its name after a power loss, but not yet its time, is
/// known by its number.
void Settling::tell_synced() {
    if (state_.journal && state_.journal->told()) {
        state_.journal->append(SyncRecord{.covered = round_.last_record});
        sync_journal();
    }
}

void Settling::tell_named() {
    if (!state_.journal || named_.items.empty()) {
        return;
    }
    for (auto items = std::span(named_.items); !items.empty();) {
        const auto next = items.first(std::min(items.size(), kMaxNamedItems));
        state_.journal->append(NamedRecord{.items = {next.begin(), next.end()}});
        items = items.subspan(next.size());
    }
    sync_journal();
    state_.journal->compact_if_large();
}

void Settling::sync_journal() {
    const auto synced = state_.journal->sync();
    if (!synced && synced.error().trouble != fs::Trouble::Full) {
        broke(synced.error(), "write the journal");
    }
}

void Settling::broke(const fs::SystemError &error, std::string detail) {
    if (!std::exchange(lost_something_, true)) {
        ++state_.failed_rounds;
    }
    Error meaning = fs::writing_error(error, std::move(detail));
    if (state_.failed_rounds < 2 && meaning.code != ErrorCode::TargetGone) {
        return;
    }
    const bool told_apart =
        meaning.code == ErrorCode::TargetGone || meaning.code == ErrorCode::DiskFull;
    meaning.code = told_apart ? meaning.code : ErrorCode::DiskIo;
    settled_.full = what_is_full(state_, meaning);
    settled_.fatal = std::move(meaning);
}

} // namespace

Settled settle(ReceiveFolder::State &state, bool last_try) {
    return Settling(state, last_try).run();
}

} // namespace thru
