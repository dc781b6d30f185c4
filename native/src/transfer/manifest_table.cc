#include "transfer/manifest_table.h"

#include <algorithm>
#include <unordered_map>

namespace thru {

namespace {

std::string_view top_name(std::string_view path) { return path.substr(0, path.find('/')); }

bool has_dot_name(std::string_view path) {
    while (!path.empty()) {
        const std::string_view name = top_name(path);
        if (name.starts_with('.') && name != ".DS_Store") {
            return true;
        }
        path.remove_prefix(std::min(name.size() + 1, path.size()));
    }
    return false;
}

} // namespace

Result<> ManifestTable::add(const ManifestEntry &entry) {
    static_assert(kMaxPathBytes < 1 << 13, "lengths fit their bits");
    if (size_ >= kMaxManifestEntries) {
        return fail(ErrorCode::LimitExceeded, 0, "too many files and folders");
    }
    if (entry.stream && stream_) {
        return fail(ErrorCode::LimitExceeded, 0, "more than one stream");
    }
    if (entry.size > kMaxTotalBytes - bytes()) {
        return fail(ErrorCode::LimitExceeded, 0, "sizes too large");
    }
    const std::uint64_t text_bytes = entry.path.size() + entry.target.size();
    if (entry.path.size() > kMaxPathBytes || entry.target.size() > kMaxPathBytes ||
        text_bytes_ + text_bytes > kMaxManifestPathBytes) {
        return fail(ErrorCode::LimitExceeded, 0, "names too long");
    }
    auto &block = entry_blocks_[size_ / kEntriesPerBlock];
    if (!block) {
        block = std::make_unique_for_overwrite<Entry[]>(kEntriesPerBlock);
    }
    block[size_ % kEntriesPerBlock] = {
        .size = entry.size,
        .mtime_ns = entry.mtime_ns,
        .text_start = store_text(entry.path, entry.target),
        .path_length = static_cast<std::uint32_t>(entry.path.size()) & 0x1fff,
        .target_length = static_cast<std::uint32_t>(entry.target.size()) & 0x1fff,
        .kind = static_cast<std::uint32_t>(entry.kind) & 3,
        .executable = entry.executable,
        .text = entry.text,
        .sparse = entry.sparse,
        .stream = entry.stream};
    if (entry.stream) {
        stream_ = size_;
    }
    ++size_;
    files_ += entry.kind == EntryKind::File ? 1 : 0;
    folders_ += entry.kind == EntryKind::Folder ? 1 : 0;
    links_ += entry.kind == EntryKind::Link ? 1 : 0;
    bytes_ += entry.size;
    return {};
}

std::uint32_t ManifestTable::store_text(std::string_view path, std::string_view target) {
    const std::size_t length = path.size() + target.size();
    if (text_blocks_used_ == 0 || kTextBlockBytes - last_block_used_ < length) {
        text_blocks_[text_blocks_used_++] = std::make_unique_for_overwrite<char[]>(kTextBlockBytes);
        last_block_used_ = 0;
    }
    const std::size_t block = text_blocks_used_ - 1;
    char *place = text_blocks_[block].get() + last_block_used_;
    std::ranges::copy(target, std::ranges::copy(path, place).out);
    const std::size_t start = block << kTextBlockBits | last_block_used_;
    last_block_used_ += length;
    text_bytes_ += length;
    return static_cast<std::uint32_t>(start);
}

const ManifestTable::Entry &ManifestTable::at(std::size_t index) const {
    return entry_blocks_[index / kEntriesPerBlock][index % kEntriesPerBlock];
}

const char *ManifestTable::text_at(const Entry &entry) const {
    return text_blocks_[entry.text_start >> kTextBlockBits].get() +
           (entry.text_start & (kTextBlockBytes - 1));
}

std::size_t ManifestTable::size() const { return size_; }

EntryKind ManifestTable::kind(std::size_t index) const {
    return static_cast<EntryKind>(at(index).kind);
}

bool ManifestTable::executable(std::size_t index) const { return at(index).executable != 0; }
bool ManifestTable::text(std::size_t index) const { return at(index).text != 0; }
bool ManifestTable::sparse(std::size_t index) const { return at(index).sparse != 0; }
bool ManifestTable::stream(std::size_t index) const { return at(index).stream != 0; }
std::uint64_t ManifestTable::file_size(std::size_t index) const {
    return stream(index) ? stream_size_.load(std::memory_order_relaxed) : at(index).size;
}
std::int64_t ManifestTable::mtime_ns(std::size_t index) const { return at(index).mtime_ns; }

std::string_view ManifestTable::path(std::size_t index) const {
    const Entry &entry = at(index);
    return {text_at(entry), entry.path_length};
}

std::string_view ManifestTable::target(std::size_t index) const {
    const Entry &entry = at(index);
    return {text_at(entry) + entry.path_length, entry.target_length};
}

ManifestEntry ManifestTable::entry(std::size_t index) const {
    return {.kind = kind(index),
            .executable = executable(index),
            .text = text(index),
            .sparse = sparse(index),
            .stream = stream(index),
            .path = std::string(path(index)),
            .target = std::string(target(index)),
            .size = at(index).size,
            .mtime_ns = mtime_ns(index)};
}

std::optional<std::uint32_t> ManifestTable::first_name(std::uint64_t index) const {
    const auto link = std::ranges::lower_bound(hard_links_, index, {}, &HardLink::index);
    return link != hard_links_.end() && link->index == index ? std::optional(link->first)
                                                             : std::nullopt;
}

const std::vector<ExtendedAttribute> *ManifestTable::attributes(std::uint64_t index) const {
    const auto file = std::ranges::lower_bound(attributes_, index, {}, &FileAttributes::index);
    return file != attributes_.end() && file->index == index ? &file->attributes : nullptr;
}

std::optional<std::int64_t> ManifestTable::creation_ns(std::uint64_t index) const {
    const auto file = std::ranges::lower_bound(creation_times_, index, {}, &CreationTime::index);
    return file != creation_times_.end() && file->index == index ? std::optional(file->ns)
                                                                 : std::nullopt;
}

bool ManifestTable::may_be_one_file(std::uint64_t index, std::uint64_t other) const {
    const Entry &one = at(index);
    const Entry &two = at(other);
    constexpr auto kFile = static_cast<std::uint32_t>(EntryKind::File);
    return one.kind == kFile && two.kind == kFile && one.size == two.size &&
           one.mtime_ns == two.mtime_ns && one.executable == two.executable &&
           one.sparse == two.sparse && (one.text | two.text | one.stream | two.stream) == 0;
}

std::uint64_t ManifestTable::files() const { return files_; }
std::uint64_t ManifestTable::folders() const { return folders_; }
std::uint64_t ManifestTable::links() const { return links_; }
std::uint64_t ManifestTable::bytes() const { return bytes_ + stream_size_; }

Result<> ManifestTable::grow_stream(std::uint64_t size) {
    if (size > kMaxTotalBytes - bytes_) {
        return fail(ErrorCode::LimitExceeded, 0, "sizes too large");
    }
    stream_size_ = std::max<std::uint64_t>(stream_size_, size);
    return {};
}

ManifestTable::Summary ManifestTable::summary(const IndexRange &range, std::size_t limit,
                                              const IndexRanges &removed) const {
    Summary sum;
    std::unordered_map<std::string_view, std::size_t> positions;
    auto gap = removed.begin();
    for (std::size_t index = range.first; index < range.first + range.count; ++index) {
        while (gap != removed.end() && gap->first + gap->count <= index) {
            ++gap;
        }
        const bool is_removed = gap != removed.end() && gap->first <= index;
        if (is_removed || kind(index) == EntryKind::Gone) {
            continue;
        }
        const bool is_file = kind(index) == EntryKind::File;
        sum.files += is_file ? 1 : 0;
        sum.folders += kind(index) == EntryKind::Folder ? 1 : 0;
        sum.bytes += file_size(index);
        const std::string_view name = top_name(path(index));
        sum.dot_names = sum.dot_names || has_dot_name(path(index));
        auto known = positions.find(name);
        if (known == positions.end()) {
            if (sum.items.size() >= limit) {
                continue;
            }
            known = positions.emplace(name, sum.items.size()).first;
            sum.items.push_back({.name = std::string(name),
                                 .kind = kind(index),
                                 .text = text(index),
                                 .stream = stream(index)});
        }
        TopItem &item = sum.items[known->second];
        if (name.size() < path(index).size()) {
            item.kind = EntryKind::Folder;
        }
        if (is_file) {
            ++item.files;
            item.bytes += file_size(index);
        }
    }
    return sum;
}

} // namespace thru
