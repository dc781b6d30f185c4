#include "target/part_files.h"

#include <algorithm>
#include <utility>

#include "names/part_name.h"

namespace thru {

namespace {

/// Large files in flight are a handful; far below the 256 descriptors a process has on macOS.
constexpr std::size_t kMaxOpenParts = 64;
/// A number can be taken by what a killed attempt made without telling its journal.
constexpr unsigned kMaxTakenNames = 10'000;
/// Smaller files find room or not when they are written.
constexpr std::uint64_t kMinReserved = 1 << 20;
/// Space is taken in steps: taking it for all of a file that is larger than memory can last longer
/// than the first byte should take. Eight segments lie in one piece on the disk then.
constexpr std::uint64_t kReserveAhead = 64ULL << 20;

} // namespace

PartFiles::PartFiles(const Target &target, const NameMap &names, const ManifestTable &manifest)
    : target_(target), names_(names), manifest_(manifest) {}

void PartFiles::set_tag(std::string tag, std::uint64_t last_number) {
    const std::lock_guard lock(mutex_);
    tag_ = std::move(tag);
    last_number_ = last_number;
}

void PartFiles::grow(std::size_t end) {
    const std::lock_guard lock(mutex_);
    entries_.resize(std::max(entries_.size(), end));
}

void PartFiles::set_journal(Journal *journal) {
    const std::lock_guard lock(mutex_);
    journal_ = journal;
    for (Entry &entry : entries_) {
        entry.slot = Entry::kNoSlot;
    }
}

std::size_t PartFiles::entries() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

void PartFiles::add_slot(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    if (journal_ != nullptr && !slot_locked(index)) {
        entries_[index].slot = journal_->add(manifest_.entry(index)).value_or(Entry::kNoSlot);
    }
}

void PartFiles::set_validator(const Validator &validator) {
    const std::lock_guard lock(mutex_);
    if (validator.index >= entries_.size()) {
        return;
    }
    if (const auto slot = slot_locked(validator.index)) {
        log(ValidatorRecord{.slot = *slot, .validator = validator.validator});
    }
}

std::uint64_t PartFiles::new_number() {
    const std::lock_guard lock(mutex_);
    return ++last_number_;
}

void PartFiles::set_slot(std::uint64_t index, std::optional<Slot> slot) {
    const std::lock_guard lock(mutex_);
    entries_[index].slot = slot.value_or(Entry::kNoSlot);
}

std::optional<Slot> PartFiles::slot(std::uint64_t index) const {
    const std::lock_guard lock(mutex_);
    return slot_locked(index);
}

std::optional<Slot> PartFiles::slot_locked(std::uint64_t index) const {
    const Slot slot = entries_[index].slot;
    return slot == Entry::kNoSlot ? std::nullopt : std::optional(slot);
}

void PartFiles::log(const JournalRecord &record) {
    if (journal_ != nullptr) {
        journal_->append(record);
    }
}

void PartFiles::set_done(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    entries_[index].done = true;
    small_.erase(index);
    large_.erase(index);
    std::erase_if(open_, [index](const auto &open) { return open.first == index; });
}

bool PartFiles::is_done(std::uint64_t index) const {
    const std::lock_guard lock(mutex_);
    return entries_[index].done;
}

bool PartFiles::accepts(std::uint64_t index) const {
    const std::lock_guard lock(mutex_);
    return !entries_[index].dropped && !entries_[index].done;
}

void PartFiles::set_dropped(std::uint64_t index, bool dropped) {
    {
        const std::lock_guard lock(mutex_);
        if (index >= entries_.size()) {
            return;
        }
        entries_[index].dropped = dropped;
    }
    if (dropped) {
        remove(index);
    }
}

void PartFiles::remove(std::uint64_t index) {
    std::shared_ptr<LargePart> large;
    std::optional<PartFile> small;
    {
        const std::lock_guard lock(mutex_);
        if (entries_[index].retained) {
            return;
        }
        if (const auto found = large_.extract(index)) {
            large = found.mapped();
        }
        if (const auto found = small_.extract(index)) {
            small = found.mapped();
        }
        std::erase_if(open_, [index](const auto &open) { return open.first == index; });
        const auto slot = slot_locked(index);
        if (slot && (large || small)) {
            log(DroppedRecord{.slot = *slot});
        }
    }
    if (small) {
        discard(index, *small);
    }
    if (large) {
        remove_file(*large);
    }
}

void PartFiles::retain(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    // Without a journal no later attempt finds it.
    entries_[index].retained = slot_locked(index).has_value();
    retains_ = retains_ || entries_[index].retained;
}

bool PartFiles::retains() const {
    const std::lock_guard lock(mutex_);
    return retains_;
}

void PartFiles::remove_file(LargePart &part) {
    const std::lock_guard lock(part.mutex);
    part.gone = true;
    if (part.made) {
        discard(part.index, *part.made);
    }
}

void PartFiles::remove_rest() {
    std::vector<std::uint64_t> indexes;
    {
        const std::lock_guard lock(mutex_);
        for (const auto &[index, part] : large_) {
            indexes.push_back(index);
        }
        for (const auto &[index, part] : small_) {
            indexes.push_back(index);
        }
    }
    std::ranges::sort(indexes);
    for (const std::uint64_t index : indexes) {
        remove(index);
    }
}

void PartFiles::restart(std::uint64_t index) {
    std::shared_ptr<LargePart> part;
    {
        const std::lock_guard lock(mutex_);
        const auto found = large_.find(index);
        if (found == large_.end()) {
            return;
        }
        part = found->second;
    }
    // Segments of the new course may have overtaken this: the file stays.
    const std::lock_guard part_lock(part->mutex);
    const std::uint64_t resumed = std::exchange(part->resumed, 0);
    const std::lock_guard lock(mutex_);
    if (const auto slot = slot_locked(index); slot && resumed > 0) {
        log(VoidRecord{.slot = *slot, .offset = 0, .length = resumed});
    }
}

void PartFiles::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    open_.clear();
}

bool PartFiles::closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
}

Result<std::pair<PartFile, fs::FileHandle>> PartFiles::create(FolderCursor &cursor,
                                                              const fs::FileHandle &folder) {
    fs::SystemError error;
    for (unsigned taken = 0; taken < kMaxTakenNames; ++taken) {
        PartFile part{.number = new_number()};
        const std::string name = part_name(tag_, part.number);
        auto file = fs::create_file(folder, name, fs::kPrivateMode);
        if (!file && file.error().kind == fs::ErrorKind::Exists) {
            error = file.error();
            continue;
        }
        const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
        if (!status) {
            error = status.error();
            if (file) {
                static_cast<void>(fs::remove_file(folder, name));
            }
            break;
        }
        part.id = status->id;
        part.other_volume = cursor.on_other_volume();
        return std::pair(part, std::move(*file));
    }
    return std::unexpected(fs::writing_error(error, "create"));
}

void PartFiles::discard(std::uint64_t index, const PartFile &part) {
    FolderCursor cursor(target_);
    const SafeRelPath place = names_.place(manifest_, index);
    if (const auto folder = cursor.go(place.folder())) {
        // Nothing is lost if it stays: it is no final file.
        static_cast<void>(fs::remove_file(**folder, part_name(tag_, part.number)));
    }
}

Result<std::shared_ptr<LargePart>> PartFiles::large(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    if (closed_) {
        return fail(ErrorCode::Stopped, 0, "part files are closed");
    }
    if (entries_[index].dropped || entries_[index].done) {
        return nullptr;
    }
    std::shared_ptr<LargePart> &part = large_[index];
    if (!part) {
        part = std::make_shared<LargePart>(index);
    }
    return part;
}

Result<std::shared_ptr<fs::FileHandle>> PartFiles::open(LargePart &part) {
    const std::lock_guard lock(part.mutex);
    if (part.gone) {
        return fail(ErrorCode::Stopped, 0, "dropped");
    }
    std::shared_ptr<fs::FileHandle> file = part.file.lock();
    if (!file) {
        auto opened = part.made ? reopen(part) : create_large(part);
        if (!opened) {
            return std::unexpected(opened.error());
        }
        file = std::make_shared<fs::FileHandle>(std::move(*opened));
        part.file = file;
    }
    cache_handle(part.index, file);
    return file;
}

Result<fs::FileHandle> PartFiles::create_large(LargePart &part) {
    FolderCursor cursor(target_);
    const SafeRelPath place = names_.place(manifest_, part.index);
    const auto folder =
        cursor.make(place.folder(), [this](std::string_view above) { folder_made(above); });
    if (!folder) {
        return std::unexpected(folder.error());
    }
    // Reported at once, not when most of the file is written.
    const std::uint64_t size = manifest_.file_size(part.index);
    const auto volume = fs::volume_facts(**folder);
    if (volume && volume->free_bytes < size && !manifest_.sparse(part.index)) {
        return fail(ErrorCode::DiskFull, 0, "no room for the file");
    }
    auto created = create(cursor, **folder);
    if (!created) {
        return std::unexpected(created.error());
    }
    part.made = created->first;
    const std::lock_guard lock(mutex_);
    if (const auto slot = slot_locked(part.index)) {
        log(OpenRecord{.slot = *slot, .part = part.made->number, .file = part.made->id.number});
    }
    return std::move(created->second);
}

Result<fs::FileHandle> PartFiles::reopen(const LargePart &part) {
    FolderCursor cursor(target_);
    const SafeRelPath place = names_.place(manifest_, part.index);
    const auto folder = cursor.go(place.folder());
    if (!folder) {
        return std::unexpected(fs::writing_error(folder.error(), "open its folder"));
    }
    auto file = fs::open_for_writing(**folder, part_name(tag_, part.made->number));
    if (!file) {
        return std::unexpected(fs::writing_error(file.error(), "open the part file"));
    }
    const auto status = fs::status_of(*file);
    if (!status || status->id != part.made->id) {
        return fail(ErrorCode::TargetNotWritable, 0, "the part file was replaced");
    }
    return std::move(*file);
}

/// Without the part's mutex: other segments of the file are written meanwhile.
Result<> PartFiles::reserve(LargePart &part, const fs::FileHandle &file, std::uint64_t end) {
    const std::uint64_t size = manifest_.file_size(part.index);
    if (size < kMinReserved || manifest_.sparse(part.index)) {
        return {};
    }
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    {
        const std::lock_guard lock(part.mutex);
        if (end <= part.reserved) {
            return {};
        }
        to = end + std::min(size - end, kReserveAhead);
        from = std::exchange(part.reserved, to);
    }
    if (const auto reserved = fs::reserve(file, from, to - from); !reserved) {
        const std::lock_guard lock(part.mutex);
        part.reserved = std::min(part.reserved, from);
        return std::unexpected(fs::writing_error(reserved.error(), "reserve space"));
    }
    return {};
}

std::uint64_t PartFiles::unreserved(LargePart &part) const {
    const std::lock_guard lock(part.mutex);
    const std::uint64_t size = manifest_.file_size(part.index);
    return size - std::min(size, part.reserved);
}

void PartFiles::cache_handle(std::uint64_t index, std::shared_ptr<fs::FileHandle> file) {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [index](const auto &open) { return open.first == index; });
    if (closed_) {
        return;
    }
    open_.emplace_back(index, std::move(file));
    if (open_.size() > kMaxOpenParts) {
        open_.pop_front();
    }
}

void PartFiles::adopt_large(std::uint64_t index, const PartFile &part, fs::FileHandle file,
                            const ResumedPartial &resumed) {
    const std::uint64_t size = manifest_.file_size(index);
    const std::uint64_t end = resumed.have.offset;
    const auto open = std::make_shared<fs::FileHandle>(std::move(file));
    auto large = std::make_shared<LargePart>(index);
    large->made = part;
    large->reserved = std::max(end, std::min(resumed.allocated, size));
    large->resumed = end;
    large->file = open;
    cache_handle(index, open);
    const std::lock_guard lock(mutex_);
    large_[index] = std::move(large);
    const auto slot = slot_locked(index);
    if (!slot) {
        return;
    }
    if (resumed.stepped_back) {
        // The last extent may exceed what was verified: it is logged again.
        const std::vector<Extent> &unlogged = resumed.unsynced;
        const std::uint64_t from =
            !unlogged.empty() && unlogged.back().end() == end ? unlogged.back().offset : end;
        if (from < size) {
            log(VoidRecord{.slot = *slot, .offset = from, .length = size - from});
        }
    }
    for (const Extent &extent : resumed.unsynced) {
        log(ExtentRecord{.slot = *slot, .extent = extent});
    }
    for (const Hole &hole : resumed.unsynced_holes) {
        log(HoleRecord{.slot = *slot, .offset = hole.offset, .length = hole.length});
    }
}

void PartFiles::adopt_small(std::uint64_t index, const PartFile &part) {
    const std::lock_guard lock(mutex_);
    small_[index] = part;
}

std::optional<PartFiles::CompleteFile> PartFiles::find_complete(std::uint64_t index) const {
    const std::lock_guard lock(mutex_);
    if (const auto small = small_.find(index); small != small_.end()) {
        return CompleteFile{.part = small->second};
    }
    if (const auto large = large_.find(index); large != large_.end()) {
        return CompleteFile{.large = large->second};
    }
    return std::nullopt;
}

} // namespace thru
