// A manifest in memory: compact and append-only. Both sides address files by index.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "wire/creation_time.h"
#include "wire/extended_attribute.h"
#include "wire/hard_link.h"
#include "wire/index_ranges.h"
#include "wire/manifest.h"

namespace thru {

/// A million entries take 24 MB plus their paths. One thread adds. Other threads may read entries
/// that existed when they received their work, which orders the two: entries never move.
class ManifestTable {
public:
    /// LimitExceeded beyond kMaxManifestEntries, path bytes or kMaxTotalBytes; or a second stream.
    Result<> add(const ManifestEntry &entry);

    /// Adding thread only, like the totals below.
    std::size_t size() const;
    EntryKind kind(std::size_t index) const;
    bool executable(std::size_t index) const;
    bool text(std::size_t index) const;
    bool sparse(std::size_t index) const;
    /// A stream's size grows until its end.
    bool stream(std::size_t index) const;
    /// The bytes known so far, if it is a stream.
    std::uint64_t file_size(std::size_t index) const;
    std::int64_t mtime_ns(std::size_t index) const;
    std::string_view path(std::size_t index) const;
    std::string_view target(std::size_t index) const;
    /// A stream has size 0 here, as on the wire.
    ManifestEntry entry(std::size_t index) const;
    /// The entry that lists the same file first; nullopt if this one does.
    std::optional<std::uint32_t> first_name(std::uint64_t index) const;
    /// Rising by index. Only before other threads have the table.
    void set_hard_links(std::vector<HardLink> links) { hard_links_ = std::move(links); }
    /// nullptr without any.
    const std::vector<ExtendedAttribute> *attributes(std::uint64_t index) const;
    /// Rising by index. Only before other threads have the table.
    void set_attributes(std::vector<FileAttributes> files) { attributes_ = std::move(files); }
    /// When the file or folder was made, if the sender says so.
    std::optional<std::int64_t> creation_ns(std::uint64_t index) const;
    /// Rising by index. Only before other threads have the table.
    void set_creation_times(std::vector<CreationTime> files) { creation_times_ = std::move(files); }
    /// True if both are files with the same properties, so they can be names of one.
    bool may_be_one_file(std::uint64_t index, std::uint64_t other) const;

    /// The index of the stream, if there is one.
    std::optional<std::uint64_t> stream() const { return stream_; }
    /// The stream has at least `size` bytes. LimitExceeded beyond kMaxTotalBytes.
    Result<> grow_stream(std::uint64_t size);

    std::uint64_t files() const;
    std::uint64_t folders() const;
    std::uint64_t links() const;
    std::uint64_t bytes() const;

    struct TopItem {
        std::string name;
        EntryKind kind = EntryKind::File;
        bool text = false;
        bool stream = false;
        std::uint64_t files = 0;
        std::uint64_t bytes = 0;
    };
    struct Summary {
        /// In order of first appearance.
        std::vector<TopItem> items;
        /// Totals, including entries not listed in `items`.
        std::uint64_t files = 0;
        std::uint64_t folders = 0;
        std::uint64_t bytes = 0;
        /// Some name at any depth begins with a dot, listed or not. `.DS_Store` is exempt: macOS
        /// writes it into every folder and only the Finder reads it.
        bool dot_names = false;
    };
    /// Sums up `range` without Gone and `removed`, with at most `limit` items. Linear; any thread.
    Summary summary(const IndexRange &range, std::size_t limit,
                    const IndexRanges &removed = {}) const;

private:
    struct Entry {
        std::uint64_t size = 0;
        std::int64_t mtime_ns = 0;
        /// Block number and offset in the block. A link's target directly follows its path.
        std::uint32_t text_start = 0;
        std::uint32_t path_length : 13 = 0;
        std::uint32_t target_length : 13 = 0;
        std::uint32_t kind : 2 = 0;
        std::uint32_t executable : 1 = 0;
        std::uint32_t text : 1 = 0;
        std::uint32_t sparse : 1 = 0;
        std::uint32_t stream : 1 = 0;
    };
    static constexpr std::size_t kEntriesPerBlock = 4096;
    static constexpr std::size_t kEntryBlocks =
        (kMaxManifestEntries + kEntriesPerBlock - 1) / kEntriesPerBlock;
    static constexpr unsigned kTextBlockBits = 20;
    static constexpr std::size_t kTextBlockBytes = std::size_t{1} << kTextBlockBits;
    /// A block is closed when it can't hold another path and target.
    static constexpr std::size_t kTextBlocks =
        kMaxManifestPathBytes / (kTextBlockBytes - 2 * kMaxPathBytes) + 1;

    const Entry &at(std::size_t index) const;
    const char *text_at(const Entry &entry) const;
    std::uint32_t store_text(std::string_view path, std::string_view target);

    // One slot per possible block: a growing list would move while other threads read it.
    std::array<std::unique_ptr<Entry[]>, kEntryBlocks> entry_blocks_;
    std::array<std::unique_ptr<char[]>, kTextBlocks> text_blocks_;
    std::size_t size_ = 0;
    std::size_t text_blocks_used_ = 0;
    std::size_t last_block_used_ = 0;
    std::uint64_t text_bytes_ = 0;
    std::uint64_t files_ = 0;
    std::uint64_t folders_ = 0;
    std::uint64_t links_ = 0;
    std::uint64_t bytes_ = 0;
    std::optional<std::uint64_t> stream_;
    std::vector<HardLink> hard_links_;
    std::vector<FileAttributes> attributes_;
    std::vector<CreationTime> creation_times_;
    /// Moved only before other threads have the table.
    struct StreamSize : std::atomic<std::uint64_t> {
        StreamSize() = default;
        StreamSize(StreamSize &&other) noexcept : atomic(other.load()) {}
        using atomic::operator=;
    };
    /// The only size that changes while other threads read it.
    StreamSize stream_size_;
};

} // namespace thru
