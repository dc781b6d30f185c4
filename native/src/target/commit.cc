#include "target/commit.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "crypto/digest.h"
#include "fs/file_hash.h"
#include "names/part_name.h"
#include "target/hard_links.h"
#include "target/metadata.h"
#include "target/publish.h"

namespace thru {

namespace {

/// Up to this many files are synced individually; beyond that, the whole file system at once.
constexpr std::size_t kFewFiles = 4;

class Commit {
public:
    Commit(ReceiveFolder::State &state, bool last_try)
        : state_(state), manifest_(*state.manifest), last_try_(last_try), cursor_(state.target) {}

    CommitResult run();

private:
    using CompleteFile = PartLedger::CompleteFile;

    void take_complete();
    bool prepare_large(std::uint64_t index, const CompleteFile &complete);
    void cannot_finish(std::uint64_t index, const Error &error);
    void wait_for_room(std::uint64_t index, const Error &error);
    void sync_data();
    bool sync_all();
    void sync_small(const Batch &batch);
    void sync_large(const std::shared_ptr<LargePart> &part);
    void lose(DirtyData &lost, const fs::SystemError &error, bool everything);
    void read_back();
    void publish_complete();
    void link_names(std::uint64_t index, const PartFile &part, const PublishedName &published);
    void note_published(std::uint64_t index, const PartFile &part, const PublishedName &published);
    void keep_unpublished(std::uint64_t index, const PartFile &part, const Error &error);
    bool has_part(std::uint64_t index, const PartFile &part);
    void sync_names();
    void log_synced();
    void log_published();
    void sync_journal();
    void on_disk_error(const fs::SystemError &error, std::string detail);
    fs::SystemResult<fs::FileHandle> open_small(const Batch::Member &member);

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    const bool last_try_;
    FolderCursor cursor_;
    DirtyData dirty_;
    /// Files to publish, by entry.
    std::map<std::uint64_t, CompleteFile> complete_;
    std::set<std::string> folders_;
    PublishedRecord published_;
    bool lost_something_ = false;
    CommitResult result_;
};

CommitResult Commit::run() {
    take_complete();
    if (dirty_.batches.empty() && dirty_.parts.empty() && complete_.empty() && folders_.empty()) {
        result_.waiting = state_.queue.size();
        result_.failed_syncs = state_.writes.generation();
        return std::move(result_);
    }
    sync_data();
    if (state_.options.verify) {
        read_back();
    }
    log_synced();
    publish_complete();
    sync_names();
    log_published();
    result_.waiting = state_.queue.size();
    result_.failed_syncs = state_.writes.generation();
    return std::move(result_);
}

void Commit::take_complete() {
    const auto indexes = state_.queue.take();
    dirty_ = state_.parts.take_dirty(indexes);
    folders_ = state_.made_folders.take();
    for (const std::uint64_t index : indexes) {
        if (manifest_.text(index)) {
            continue;
        }
        if (auto complete = state_.parts.find_complete(index)) {
            if (!complete->large || prepare_large(index, *complete)) {
                complete_[index] = std::move(*complete);
            }
            continue;
        }
        // Its content was compared and is the same.
        if (const auto compared = state_.existing.take_compared(index)) {
            adopt_metadata(state_, cursor_, index, {}, compared->mode);
            state_.parts.set_done(index);
            result_.published.push_back({.index = index, .identical = true});
        }
    }
}

/// Sets size, time and permissions before they are synced. False if the file can't be published.
bool Commit::prepare_large(std::uint64_t index, const CompleteFile &complete) {
    const auto file = state_.writes.open(*complete.large);
    if (!file) {
        cannot_finish(index, file.error());
        return false;
    }
    const auto status = fs::status_of((*file)->file());
    const std::uint64_t size = manifest_.file_size(index);
    if (status && status->size < size && !manifest_.sparse(index)) {
        // Another program truncated it.
        state_.parts.remove(index);
        result_.damaged.push_back({.index = index, .offset = 0, .length = size});
        return false;
    }
    const auto sized =
        status && status->size == size ? fs::SystemResult<>{} : fs::set_size((*file)->file(), size);
    if (!sized) {
        cannot_finish(index, fs::writing_error(sized.error(), "set its size"));
        return false;
    }
    apply_metadata(state_.writer_access, (*file)->file(), index);
    return true;
}

/// Waits for room if the disk is full: a file that consists only of holes first needs space here.
void Commit::cannot_finish(std::uint64_t index, const Error &error) {
    if (error.code == ErrorCode::DiskFull) {
        wait_for_room(index, error);
    } else {
        result_.failures.push_back({.index = index, .error = error});
    }
}

void Commit::wait_for_room(std::uint64_t index, const Error &error) {
    state_.queue.add(index);
    result_.fatal = error;
    result_.full = state_.target.shortage_kind(error);
}

void Commit::sync_data() {
    const bool at_once = sync_all();
    for (const Batch &batch : dirty_.batches) {
        if (!at_once || std::ranges::any_of(batch.members, [](const auto &member) {
                return member.part.other_volume;
            })) {
            sync_small(batch);
        }
    }
    std::set<std::shared_ptr<LargePart>> large;
    for (const DirtyPart &dirty : dirty_.parts) {
        large.insert(dirty.part);
    }
    for (const auto &[index, complete] : complete_) {
        if (complete.large) {
            large.insert(complete.large);
        }
    }
    for (const std::shared_ptr<LargePart> &part : large) {
        sync_large(part);
    }
}

bool Commit::sync_all() {
    std::size_t files = 0;
    for (const Batch &batch : dirty_.batches) {
        files += batch.members.size();
    }
    if (files <= kFewFiles) {
        return false;
    }
    const auto synced = fs::sync_file_system(state_.target.root(), files);
    if (synced) {
        return *synced;
    }
    lose(dirty_, synced.error(), true);
    dirty_ = {.last_record = dirty_.last_record};
    return true;
}

fs::SystemResult<fs::FileHandle> Commit::open_small(const Batch::Member &member) {
    const SafeRelPath place = state_.names.place(manifest_, member.index);
    const auto folder = cursor_.go(place.folder());
    if (!folder) {
        return std::unexpected(folder.error());
    }
    return fs::open_for_writing(**folder, part_name(state_.store.tag(), member.part.number));
}

void Commit::sync_small(const Batch &batch) {
    DirtyData lost;
    fs::SystemError error;
    for (const Batch::Member &member : batch.members) {
        const auto file = open_small(member);
        const auto synced = file ? fs::sync_file(*file) : std::unexpected(file.error());
        // It was dropped, or another program deleted it: it can't be published either.
        if (!synced && (file || file.error().kind != fs::ErrorKind::NotFound)) {
            error = synced.error();
            lost.batches.push_back({.members = {member}});
        }
    }
    if (!lost.batches.empty()) {
        lose(lost, error, false);
    }
}

void Commit::sync_large(const std::shared_ptr<LargePart> &part) {
    const auto file = state_.writes.open(*part);
    const bool dropped = !file && file.error().code == ErrorCode::Stopped;
    if (dropped) {
        complete_.erase(part->index());
        return;
    }
    if (!file) {
        result_.failures.push_back({.index = part->index(), .error = file.error()});
        complete_.erase(part->index());
        return;
    }
    const bool complete = complete_.contains(part->index());
    const auto synced = complete ? fs::sync_file((*file)->file()) : fs::sync_data((*file)->file());
    if (synced) {
        return;
    }
    DirtyData lost;
    const auto dirty = std::ranges::find(dirty_.parts, part, &DirtyPart::part);
    if (dirty != dirty_.parts.end()) {
        lost.parts.push_back(std::move(*dirty));
        dirty_.parts.erase(dirty);
    } else {
        lost.parts.push_back({.part = part});
    }
    lose(lost, synced.error(), false);
    if (complete && lost.parts.front().extents.empty()) {
        // Only its size and time were new: the next commit tries again.
        state_.queue.add(part->index());
        ++result_.unpublished;
    }
}

/// Data that the disk lost must be sent again, and so must data being written.
void Commit::lose(DirtyData &lost, const fs::SystemError &error, bool everything) {
    state_.parts.fail_commit(lost, everything);
    for (const Batch &batch : lost.batches) {
        for (const Batch::Member &member : batch.members) {
            complete_.erase(member.index);
            result_.unsynced.push_back(
                {.index = member.index, .offset = 0, .length = manifest_.file_size(member.index)});
        }
    }
    for (const DirtyPart &dirty : lost.parts) {
        complete_.erase(dirty.part->index());
        for (const Extent &extent : dirty.extents) {
            result_.unsynced.push_back(
                {.index = dirty.part->index(), .offset = extent.offset, .length = extent.length});
        }
    }
    on_disk_error(error, "write to the disk");
}

void Commit::read_back() {
    const auto is_intact = [](const fs::FileHandle &file, std::uint64_t begin, std::uint64_t end,
                              const ShortHash &hash) {
        Blake3 hasher;
        return hash_range(file, begin, end, {&hasher}) && shortened(hasher.finish()) == hash;
    };
    for (const Batch &batch : dirty_.batches) {
        for (const Batch::Member &member : batch.members) {
            const auto file = open_small(member);
            const std::uint64_t size = manifest_.file_size(member.index);
            if (!file) {
                continue;
            }
            fs::drop_cache(*file);
            if (!is_intact(*file, 0, size, *member.hash)) {
                state_.parts.remove(member.index);
                complete_.erase(member.index);
                result_.damaged.push_back({.index = member.index, .offset = 0, .length = size});
            }
        }
    }
    for (const DirtyPart &dirty : dirty_.parts) {
        const auto file = state_.writes.open(*dirty.part);
        if (!file) {
            continue;
        }
        fs::drop_cache((*file)->file());
        for (const Extent &extent : dirty.extents) {
            if (!is_intact((*file)->file(), extent.offset, extent.end(), extent.hash)) {
                state_.parts.void_range(dirty.part->index(),
                                        {.offset = extent.offset, .length = extent.length});
                complete_.erase(dirty.part->index());
                result_.damaged.push_back({.index = dirty.part->index(),
                                           .offset = extent.offset,
                                           .length = extent.length});
            }
        }
    }
}

void Commit::publish_complete() {
    std::vector<Publication> files;
    files.reserve(complete_.size());
    for (const auto &[index, complete] : complete_) {
        if (state_.parts.find_complete(index)) {
            files.push_back({.index = index,
                             .part = complete.large ? *complete.large->file() : complete.part,
                             .published = {}});
        }
    }
    folders_.merge(publish_all(state_, files));
    for (const Publication &file : files) {
        if (file.published) {
            note_published(file.index, file.part, *file.published);
            link_names(file.index, file.part, *file.published);
        } else {
            keep_unpublished(file.index, file.part, file.published.error());
        }
    }
}

/// Gives the file its further names. Entries that can't be linked are received.
void Commit::link_names(std::uint64_t index, const PartFile &part, const PublishedName &published) {
    const LinkedFile file{.index = index, .name = published.name, .file = part.id.number};
    for (const std::uint64_t name : state_.links.take_names_of(index)) {
        const auto linked = published.existed
                                ? Result<PublishedName>(fail(ErrorCode::TargetNotWritable))
                                : link_name(state_, cursor_, file, name);
        if (linked) {
            folders_.emplace(state_.names.place(manifest_, name).folder());
            note_published(name, part, *linked);
        } else {
            result_.unlinked.push_back(name);
        }
    }
}

void Commit::note_published(std::uint64_t index, const PartFile &part,
                            const PublishedName &published) {
    if (const auto slot = state_.entries.slot(index)) {
        published_.items.push_back({.slot = *slot, .file = part.id.number, .name = published.name});
    }
    state_.parts.set_done(index);
    result_.published.push_back({.index = index,
                                 .renamed = !published.existed && !published.name.empty(),
                                 .identical = published.existed});
}

/// Keeps a complete file for the next commit or a later attempt: another program's lock or changed
/// permissions must not cost received data.
void Commit::keep_unpublished(std::uint64_t index, const PartFile &part, const Error &error) {
    const bool full = error.code == ErrorCode::DiskFull;
    const bool exists = has_part(index, part);
    if (exists && full) {
        wait_for_room(index, error);
        return;
    }
    if (exists && !last_try_) {
        state_.queue.add(index);
        ++result_.unpublished;
        return;
    }
    if (exists) {
        state_.entries.retain(index);
    }
    state_.parts.remove(index);
    result_.failures.push_back({.index = index, .error = error});
}

bool Commit::has_part(std::uint64_t index, const PartFile &part) {
    const auto folder = cursor_.go(state_.names.place(manifest_, index).folder());
    if (!folder) {
        // Unknown; assumes that it exists.
        return true;
    }
    const auto status = fs::status_beneath(**folder, part_name(state_.store.tag(), part.number));
    return status ? status->id == part.id : status.error().kind != fs::ErrorKind::NotFound;
}

void Commit::sync_names() {
    if (folders_.empty()) {
        return;
    }
    if (const auto synced = sync_folders(state_.target, folders_); !synced) {
        // The files are complete on the disk, under one of their names.
        published_ = {};
        state_.made_folders.put_back(std::exchange(folders_, {}));
        on_disk_error(synced.error(), "write names to the disk");
    }
}

/// Logs before publishing: after power loss, a file without its time is recognized by its number.
void Commit::log_synced() {
    if (state_.journal && state_.journal->has_records()) {
        state_.journal->append(SyncRecord{.covered = dirty_.last_record});
        sync_journal();
    }
}

void Commit::log_published() {
    if (!state_.journal || published_.items.empty()) {
        return;
    }
    thru::log_published(*state_.journal, published_);
    sync_journal();
    state_.journal->compact_if_large();
}

void Commit::sync_journal() {
    auto synced = state_.journal->sync();
    if (!synced && synced.error().kind == fs::ErrorKind::Io) {
        synced = state_.journal->sync(); // This writes a new journal.
    }
    if (!synced && synced.error().kind != fs::ErrorKind::Full) {
        on_disk_error(synced.error(), "write the journal");
    }
}

void Commit::on_disk_error(const fs::SystemError &error, std::string detail) {
    // Another program replaced a folder with something else.
    if (error.kind == fs::ErrorKind::Link || error.kind == fs::ErrorKind::NotFolder) {
        return;
    }
    Error meaning = fs::writing_error(error, std::move(detail));
    const bool is_specific =
        meaning.code == ErrorCode::TargetGone || meaning.code == ErrorCode::DiskFull;
    if (!is_specific) {
        if (!std::exchange(lost_something_, true)) {
            state_.queue.add_failed();
        }
        if (state_.queue.failed() < 2) {
            return;
        }
        meaning.code = ErrorCode::DiskIo;
    }
    result_.full = state_.target.shortage_kind(meaning);
    result_.fatal = std::move(meaning);
}

} // namespace

CommitResult commit(ReceiveFolder::State &state, bool last_try) {
    CommitResult result = Commit(state, last_try).run();
    result.lost_attributes = state.lost_attributes.take();
    return result;
}

} // namespace thru
