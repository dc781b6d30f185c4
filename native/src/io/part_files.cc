#include "io/part_files.h"

namespace thru {

namespace {

/// Large files in flight are a handful; far below the 256 descriptors a process has on macOS.
constexpr std::size_t kMaxOpenParts = 64;

} // namespace

Result<std::shared_ptr<fs::FileHandle>> PartFiles::open(std::uint64_t index) {
    const auto part = find(index);
    if (!part) {
        return std::unexpected(part.error());
    }
    const std::lock_guard lock((*part)->mutex);
    return open(**part, index);
}

Result<std::shared_ptr<PartFiles::Part>> PartFiles::find(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    if (discarded_) {
        return fail(ErrorCode::Stopped, 0, "part files are discarded");
    }
    std::shared_ptr<Part> &part = parts_[index];
    if (!part) {
        part = std::make_shared<Part>();
    }
    return part;
}

Result<std::shared_ptr<fs::FileHandle>> PartFiles::open(Part &part, std::uint64_t index) {
    if (part.failure) {
        return std::unexpected(*part.failure);
    }
    std::shared_ptr<fs::FileHandle> file = part.file.lock();
    if (!file) {
        auto opened = part.name.empty() ? create(part, index) : reopen(part, index);
        if (!opened) {
            part.failure = opened.error();
            return std::unexpected(opened.error());
        }
        file = std::make_shared<fs::FileHandle>(std::move(*opened));
        part.file = file;
    }
    keep_open(index, file);
    return file;
}

Result<fs::FileHandle> PartFiles::create(Part &part, std::uint64_t index) {
    FolderCursor cursor(target_);
    const auto place = cursor.place(index);
    if (!place) {
        return std::unexpected(place.error());
    }
    auto created = target_.create_part(*place->folder, index);
    if (!created) {
        return std::unexpected(created.error());
    }
    part.name = std::move(created->name);
    const auto status = fs::status_of(created->file);
    if (!status) {
        return std::unexpected(fs::writing_error(status.error(), "look at the part file"));
    }
    part.id = status->id;
    if (auto reserved = fs::reserve(created->file, target_.manifest().file_size(index));
        !reserved) {
        return std::unexpected(fs::writing_error(reserved.error(), "reserve space"));
    }
    return std::move(created->file);
}

Result<fs::FileHandle> PartFiles::reopen(const Part &part, std::uint64_t index) {
    FolderCursor cursor(target_);
    const auto place = cursor.place(index);
    if (!place) {
        return std::unexpected(place.error());
    }
    auto file = fs::open_for_writing(*place->folder, part.name);
    if (!file) {
        return std::unexpected(fs::writing_error(file.error(), "open the part file"));
    }
    const auto status = fs::status_of(*file);
    if (!status || status->id != part.id) {
        return fail(ErrorCode::TargetNotWritable, 0, "the part file was replaced");
    }
    return std::move(*file);
}

void PartFiles::keep_open(std::uint64_t index, std::shared_ptr<fs::FileHandle> file) {
    const std::lock_guard lock(mutex_);
    std::erase_if(open_, [index](const auto &kept) { return kept.first == index; });
    open_.emplace_back(index, std::move(file));
    if (open_.size() > kMaxOpenParts) {
        open_.pop_front();
    }
}

Result<bool> PartFiles::name(std::uint64_t index) {
    const auto part = find(index);
    if (!part) {
        return std::unexpected(part.error());
    }
    const std::lock_guard lock((*part)->mutex);
    const auto file = open(**part, index);
    if (!file) {
        return std::unexpected(file.error());
    }
    target_.seal(**file, index);
    FolderCursor cursor(target_);
    const auto place = cursor.place(index);
    if (!place) {
        return std::unexpected(place.error());
    }
    auto renamed = give_name(*place, (*part)->name);
    if (renamed) {
        forget(index);
    }
    return renamed;
}

void PartFiles::forget(std::uint64_t index) {
    const std::lock_guard lock(mutex_);
    parts_.erase(index);
    std::erase_if(open_, [index](const auto &kept) { return kept.first == index; });
}

void PartFiles::discard() {
    decltype(parts_) parts;
    {
        const std::lock_guard lock(mutex_);
        discarded_ = true;
        parts.swap(parts_);
        open_.clear();
    }
    FolderCursor cursor(target_);
    for (const auto &[index, part] : parts) {
        const std::lock_guard lock(part->mutex);
        part->failure = Error{.code = ErrorCode::Stopped, .detail = "part files are discarded"};
        const auto place = cursor.place(index);
        if (place && !part->name.empty()) {
            // Nothing is lost if it stays: it is no final file.
            static_cast<void>(fs::remove_file(*place->folder, part->name));
        }
    }
}

} // namespace thru
