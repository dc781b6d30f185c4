#include "transfer/manifest_table.h"

#include <algorithm>
#include <unordered_map>

namespace thru {

namespace {

constexpr unsigned kBlockBits = 20;
constexpr std::size_t kBlockBytes = std::size_t{1} << kBlockBits;
constexpr std::uint64_t kFolderFlag = 1;
constexpr std::uint64_t kExecutableFlag = 2;
constexpr unsigned kFlagBits = 2;

static_assert(kMaxPathBytes <= kBlockBytes, "a path lies in one block");
static_assert(kMaxTotalBytes >> (64 - kFlagBits) == 0, "size and flags fit one number");

std::string_view top_name(std::string_view path) { return path.substr(0, path.find('/')); }

} // namespace

Result<> ManifestTable::add(const ManifestEntry &entry) {
    if (entries_.size() >= kMaxManifestEntries) {
        return fail(ErrorCode::LimitExceeded, 0, "too many files and folders");
    }
    if (entry.size > kMaxTotalBytes - bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "sizes too large");
    }
    if (entry.path.size() > kMaxPathBytes ||
        path_bytes_ + entry.path.size() > kMaxManifestPathBytes) {
        return fail(ErrorCode::LimitExceeded, 0, "names too long");
    }
    const bool folder = entry.kind == EntryKind::Folder;
    entries_.push_back({.path_start = store_path(entry.path),
                        .size_and_flags = entry.size << kFlagBits | (folder ? kFolderFlag : 0) |
                                          (entry.executable ? kExecutableFlag : 0),
                        .mtime_ns = entry.mtime_ns,
                        .path_length = static_cast<std::uint32_t>(entry.path.size())});
    ++(folder ? folders_ : files_);
    bytes_ += entry.size;
    return {};
}

std::uint64_t ManifestTable::store_path(std::string_view path) {
    if (path_blocks_.empty() || kBlockBytes - last_block_used_ < path.size()) {
        path_blocks_.push_back(std::make_unique<char[]>(kBlockBytes));
        last_block_used_ = 0;
    }
    std::ranges::copy(path, path_blocks_.back().get() + last_block_used_);
    const std::uint64_t start = (path_blocks_.size() - 1) << kBlockBits | last_block_used_;
    last_block_used_ += path.size();
    path_bytes_ += path.size();
    return start;
}

std::size_t ManifestTable::size() const { return entries_.size(); }

EntryKind ManifestTable::kind(std::size_t index) const {
    const bool folder = (entries_[index].size_and_flags & kFolderFlag) != 0;
    return folder ? EntryKind::Folder : EntryKind::File;
}

bool ManifestTable::executable(std::size_t index) const {
    return (entries_[index].size_and_flags & kExecutableFlag) != 0;
}

std::uint64_t ManifestTable::file_size(std::size_t index) const {
    return entries_[index].size_and_flags >> kFlagBits;
}

std::int64_t ManifestTable::mtime_ns(std::size_t index) const { return entries_[index].mtime_ns; }

std::string_view ManifestTable::path(std::size_t index) const {
    const Entry &entry = entries_[index];
    const char *block = path_blocks_[entry.path_start >> kBlockBits].get();
    return {block + (entry.path_start & (kBlockBytes - 1)), entry.path_length};
}

ManifestEntry ManifestTable::entry(std::size_t index) const {
    return {.kind = kind(index),
            .executable = executable(index),
            .path = std::string(path(index)),
            .size = file_size(index),
            .mtime_ns = mtime_ns(index)};
}

std::uint64_t ManifestTable::files() const { return files_; }
std::uint64_t ManifestTable::folders() const { return folders_; }
std::uint64_t ManifestTable::bytes() const { return bytes_; }

std::vector<ManifestTable::TopItem> ManifestTable::top_items(std::size_t limit) const {
    std::vector<TopItem> items;
    std::unordered_map<std::string_view, std::size_t> positions;
    for (std::size_t index = 0; index < size(); ++index) {
        const std::string_view name = top_name(path(index));
        auto known = positions.find(name);
        if (known == positions.end()) {
            if (items.size() >= limit) {
                continue;
            }
            known = positions.emplace(name, items.size()).first;
            items.push_back({.name = std::string(name)});
        }
        TopItem &item = items[known->second];
        if (kind(index) == EntryKind::Folder || name.size() < path(index).size()) {
            item.kind = EntryKind::Folder;
        }
        if (kind(index) == EntryKind::File) {
            ++item.files;
            item.bytes += file_size(index);
        }
    }
    return items;
}

} // namespace thru
