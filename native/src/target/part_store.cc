#include "target/part_store.h"

#include <algorithm>
#include <utility>

#include "names/part_name.h"

namespace thru {

namespace {

/// Only a handful of large files are in transit; far below the 256 descriptors of a macOS process.
constexpr std::size_t kMaxOpenParts = 64;
/// A killed attempt may have used numbers without logging them.
constexpr unsigned kMaxTakenNames = 10'000;
/// Smaller files fail at writing if there is no room.
constexpr std::uint64_t kMinReserved = 1 << 20;
/// Space is reserved in steps: reserving a file larger than memory can take longer than its first
/// byte should. Each step keeps eight segments contiguous on the disk.
constexpr std::uint64_t kReserveAhead = 64ULL << 20;
/// Larger files are not read again soon, and would displace others from the cache.
constexpr std::uint64_t kMinDirectFile = 64ULL << 20;

} // namespace

std::optional<PartFile> LargePart::file() const {
    const std::lock_guard lock(mutex_);
    return made_;
}

fs::SystemResult<> OpenPart::write_at(std::uint64_t offset, ByteView bytes) {
    const std::lock_guard turn(writing_);
    return direct_ ? direct_->write(file_, offset, bytes) : fs::write_at(file_, offset, bytes);
}

PartStore::PartStore(const Target &target, const NameMap &names, const ManifestTable &manifest,
                     MadeFolders &made_folders)
    : target_(target), names_(names), manifest_(manifest), made_folders_(made_folders) {}

void PartStore::set_tag(std::string tag, std::uint64_t last_number) {
    tag_ = std::move(tag);
    last_number_ = last_number;
}

Result<std::pair<PartFile, fs::FileHandle>> PartStore::create(FolderCursor &cursor,
                                                              std::uint64_t index) const {
    const SafeRelPath place = names_.place(manifest_, index);
    const auto folder = cursor.make(place.folder(), made_folders_);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    return create_in(cursor, **folder);
}

Result<std::pair<PartFile, fs::FileHandle>>
PartStore::create_in(FolderCursor &cursor, const fs::FileHandle &folder) const {
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

void PartStore::discard(std::uint64_t index, const PartFile &part) const {
    FolderCursor cursor(target_);
    const SafeRelPath place = names_.place(manifest_, index);
    if (const auto folder = cursor.go(place.folder())) {
        // A remaining file does no harm: it is not final.
        static_cast<void>(fs::remove_file(**folder, part_name(tag_, part.number)));
    }
}

Result<std::shared_ptr<OpenPart>> PartStore::open(LargePart &part, const OnMade &on_made) const {
    const std::lock_guard lock(part.mutex_);
    if (part.gone_) {
        return fail(ErrorCode::Stopped, 0, "dropped");
    }
    std::shared_ptr<OpenPart> file = part.open_.lock();
    if (!file) {
        const bool made_before = part.made_.has_value();
        auto opened = made_before ? reopen(part) : make(part);
        if (!opened) {
            return std::unexpected(opened.error());
        }
        if (!made_before) {
            on_made(*part.made_);
        }
        file = make_open(part.index_, std::move(*opened));
        part.open_ = file;
    }
    keep_open(part.index_, file);
    return file;
}

Result<fs::FileHandle> PartStore::make(LargePart &part) const {
    FolderCursor cursor(target_);
    const SafeRelPath place = names_.place(manifest_, part.index_);
    const auto folder = cursor.make(place.folder(), made_folders_);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    // Reported immediately, not when most of the file is written.
    const std::uint64_t size = manifest_.file_size(part.index_);
    const auto volume = fs::volume_facts(**folder);
    if (volume && volume->free_bytes < size && !manifest_.sparse(part.index_)) {
        return fail(ErrorCode::DiskFull, 0, "no room for the file");
    }
    auto created = create_in(cursor, **folder);
    if (!created) {
        return std::unexpected(created.error());
    }
    part.made_ = created->first;
    return std::move(created->second);
}

Result<fs::FileHandle> PartStore::reopen(const LargePart &part) const {
    FolderCursor cursor(target_);
    const SafeRelPath place = names_.place(manifest_, part.index_);
    const auto folder = cursor.go(place.folder());
    if (!folder) {
        return std::unexpected(fs::writing_error(folder.error(), "open its folder"));
    }
    auto file = fs::open_for_writing(**folder, part_name(tag_, part.made_->number));
    if (!file) {
        return std::unexpected(fs::writing_error(file.error(), "open the part file"));
    }
    const auto status = fs::status_of(*file);
    if (!status || status->id != part.made_->id) {
        return fail(ErrorCode::TargetNotWritable, 0, "the part file was replaced");
    }
    return std::move(*file);
}

std::shared_ptr<LargePart> PartStore::adopt(std::uint64_t index, const PartFile &made,
                                            fs::FileHandle file, std::uint64_t reserved) const {
    const auto open = make_open(index, std::move(file));
    auto part = std::make_shared<LargePart>(index);
    part->made_ = made;
    part->reserved_ = reserved;
    part->open_ = open;
    keep_open(index, open);
    return part;
}

std::shared_ptr<OpenPart> PartStore::make_open(std::uint64_t index, fs::FileHandle file) const {
    return std::make_shared<OpenPart>(std::move(file),
                                      manifest_.file_size(index) >= kMinDirectFile);
}

/// Not under the part's mutex: other segments of the file are written meanwhile.
Result<> PartStore::reserve(LargePart &part, const fs::FileHandle &file, std::uint64_t end) const {
    const std::uint64_t size = manifest_.file_size(part.index_);
    if (size < kMinReserved || manifest_.sparse(part.index_) || manifest_.stream(part.index_)) {
        return {};
    }
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    {
        const std::lock_guard lock(part.mutex_);
        if (end <= part.reserved_) {
            return {};
        }
        to = end + std::min(size - end, kReserveAhead);
        from = std::exchange(part.reserved_, to);
    }
    if (const auto reserved = fs::reserve(file, from, to - from); !reserved) {
        const std::lock_guard lock(part.mutex_);
        part.reserved_ = std::min(part.reserved_, from);
        return std::unexpected(fs::writing_error(reserved.error(), "reserve space"));
    }
    return {};
}

std::uint64_t PartStore::unreserved(const LargePart &part) const {
    const std::lock_guard lock(part.mutex_);
    if (manifest_.stream(part.index_)) {
        return 0; // A stream's length is unknown.
    }
    const std::uint64_t size = manifest_.file_size(part.index_);
    return size - std::min(size, part.reserved_);
}

void PartStore::remove(LargePart &part) const {
    const std::lock_guard lock(part.mutex_);
    part.gone_ = true;
    close(part.index_);
    if (part.made_) {
        discard(part.index_, *part.made_);
    }
}

void PartStore::close(std::uint64_t index) const { open_.lock()->close(index); }

void PartStore::close_all() {
    const auto open = open_.lock();
    open->closed = true;
    open->files.clear();
}

void PartStore::OpenFiles::close(std::uint64_t index) {
    std::erase_if(files, [index](const auto &open) { return open.first == index; });
}

void PartStore::keep_open(std::uint64_t index, std::shared_ptr<OpenPart> file) const {
    const auto open = open_.lock();
    open->close(index);
    if (open->closed) {
        return;
    }
    open->files.emplace_back(index, std::move(file));
    if (open->files.size() > kMaxOpenParts) {
        open->files.pop_front();
    }
}

} // namespace thru
