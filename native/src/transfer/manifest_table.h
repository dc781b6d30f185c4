// A manifest in memory: compact and append-only. Both sides address files by index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "wire/manifest.h"

namespace thru {

/// A million entries take less than 200 MiB. One thread adds. Other threads may read entries that were
/// there when they were handed work (which orders the two): nothing that was added ever moves.
class ManifestTable {
public:
    /// LimitExceeded beyond kMaxManifestEntries, kMaxManifestPathBytes or kMaxTotalBytes.
    Result<> add(const ManifestEntry &entry);

    /// Of the adding thread only, as are the totals below.
    std::size_t size() const;
    EntryKind kind(std::size_t index) const;
    bool executable(std::size_t index) const;
    bool text(std::size_t index) const;
    bool sparse(std::size_t index) const;
    std::uint64_t file_size(std::size_t index) const;
    std::int64_t mtime_ns(std::size_t index) const;
    std::string_view path(std::size_t index) const;
    /// Of a link.
    std::string_view target(std::size_t index) const;
    ManifestEntry entry(std::size_t index) const;

    std::uint64_t files() const;
    std::uint64_t folders() const;
    std::uint64_t links() const;
    std::uint64_t bytes() const;

    /// What stands at the top, in order of first appearance, at most `limit`.
    struct TopItem {
        std::string name;
        EntryKind kind = EntryKind::File;
        std::uint64_t files = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<TopItem> top_items(std::size_t limit) const;

private:
    struct Entry {
        /// Number of the block, then the offset in it.
        std::uint64_t path_start = 0;
        std::uint64_t size_and_flags = 0;
        std::int64_t mtime_ns = 0;
        std::uint32_t path_length = 0;
    };
    std::uint64_t store_path(std::string_view path);

    std::vector<Entry> entries_;
    /// Blocks instead of one string: growing never copies and never holds two copies.
    std::vector<std::unique_ptr<char[]>> path_blocks_;
    std::size_t last_block_used_ = 0;
    std::uint64_t path_bytes_ = 0;
    std::uint64_t files_ = 0;
    std::uint64_t folders_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace thru
