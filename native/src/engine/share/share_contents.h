// A share's contents: items, scanned into a manifest, added and removed. Network thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/lifetime.h"
#include "engine/commands.h"
#include "engine/context.h"
#include "engine/events.h"
#include "engine/share/stream_feed.h"
#include "source/hard_link_finder.h"
#include "source/source_files.h"
#include "source/tree_scan.h"
#include "transfer/manifest_table.h"
#include "wire/index_ranges.h"

namespace thru {

/// Maximum number of problems reported per session and peer; the rest are only counted.
inline constexpr std::size_t kMaxProblemsReported = 1000;
/// Maximum number of followed links that a ScanItemsEvent names.
inline constexpr std::size_t kMaxLinksReported = 1000;

class ShareContents {
public:
    struct Listener {
        /// The manifest is complete for now: called the first time, and whenever it has grown.
        std::function<void(const ShareContents &)> on_checkpoint;
        std::function<void(const ShareContents &, const IndexRanges &)> on_removed;
        std::function<void(const ShareContents &)> on_grown;
        /// Nothing could be offered.
        std::function<void(const ShareContents &)> on_nothing;
        /// The stream has grown to `end` bytes; `ended` if that is all.
        std::function<void(std::uint64_t end, bool ended)> on_stream_grown;
        std::function<void()> on_stream_broken;
    };

    ShareContents(EngineContext &context, SessionNumber session, ScanOptions options,
                  Listener listener);
    ~ShareContents();

    /// Scans more items, at most kMaxItems (LimitExceeded). BadArgument if a stream isn't alone.
    Result<> add(std::vector<ScanItem> items);
    /// BadArgument if there is no such item.
    Result<> remove(std::uint32_t item);
    /// Scans the items of other contents, with their numbers, instead of adding any. Reports
    /// nothing before `publish`.
    void scan_again(const ShareContents &earlier);
    void publish();
    void report_held_problems();
    /// Reports no more: newer contents have taken the place of these.
    void retire() { quiet_ = true; }
    /// False if an item is gone or can't be read: its disk may be missing.
    bool whole() const { return whole_; }

    const std::shared_ptr<ManifestTable> &manifest() const { return manifest_; }
    const std::shared_ptr<SourceFiles> &files() const { return files_; }
    /// All entries ever removed.
    const IndexRanges &removed() const { return removed_; }
    /// Entries of present items that are further names of files; rising.
    std::vector<HardLink> hard_links() const { return hard_links_.links(removed_); }
    /// True if the offer of each receiver depends on whether it takes attributes.
    bool reads_attributes() const { return reads_attributes_; }
    /// Files and folders with extended attributes, rising; also removed ones.
    const std::vector<FileAttributes> &attributes() const { return attributes_; }
    /// Creation times of files and folders, rising; empty unless attributes are read.
    const std::vector<CreationTime> &creation_times() const { return creation_times_; }
    /// True if `now`, a scan of the same entries, has found the same attributes.
    bool has_attributes_of(const ShareContents &now) const;
    /// Entries of present items that could not be offered.
    LeftOut left_out() const;
    /// The shared stream's feed; nullptr if there is none.
    StreamFeed *stream() const { return stream_.get(); }
    /// True if every added item is in the manifest.
    bool complete() const { return complete_files_; }
    /// True if a stream is shared, which is read only once.
    bool has_stream() const { return stream_ != nullptr; }

    static constexpr std::size_t kMaxItems = 10'000;

private:
    struct Item {
        bool taken_out = false;
        IndexRanges entries;
        std::uint64_t files = 0;
        std::uint64_t bytes = 0;
        std::uint64_t excluded = 0;
        /// Number of followed links that lead out of the item.
        std::uint64_t followed = 0;
        LeftOut left_out;
    };

    void scan(std::vector<ScanItem> items);
    void add_stream(const StreamItem &item);
    void scan_step();
    void on_scanned(const ScanBatch &batch);
    bool add_entry(const ScannedEntry &scanned, IndexRanges &removed);
    void add_attributes(const ScannedEntry &scanned, std::uint64_t index);
    void report_items();
    void report_totals(bool complete);
    void report_beyond(const std::vector<std::uint32_t> &roots);
    void report_problem(const ScanProblem &problem);
    void list(const ScanProblem &problem);
    void count(const ScanProblem &problem);

    EngineContext &context_;
    SessionNumber session_;
    Listener listener_;
    const bool reads_attributes_;
    std::shared_ptr<TreeScan> scan_;
    std::shared_ptr<DiskPool::Strand> scan_strand_;
    std::shared_ptr<ManifestTable> manifest_;
    std::shared_ptr<SourceFiles> files_;
    HardLinkFinder hard_links_;
    std::vector<FileAttributes> attributes_;
    std::vector<CreationTime> creation_times_;
    std::uint64_t attribute_bytes_ = 0;
    std::unique_ptr<StreamFeed> stream_;
    /// Indexed by number, in order of addition.
    std::vector<Item> items_;
    /// The same items, to scan them again.
    std::vector<ScanItem> sources_;
    /// Problems found before `publish`.
    std::vector<ScanProblem> held_problems_;
    bool quiet_ = false;
    bool whole_ = true;
    /// The first kMaxLinksReported of all items.
    std::vector<FollowedLink> followed_;
    IndexRanges removed_;
    std::uint64_t removed_files_ = 0;
    std::uint64_t removed_bytes_ = 0;
    /// Sums over the current items.
    std::uint64_t excluded_ = 0;
    std::uint64_t left_out_ = 0;
    std::size_t problems_ = 0;
    // The lack of room was reported.
    bool told_beyond_ = false;
    bool told_attributes_ = false;
    /// Files reported for their attributes.
    unsigned incomplete_ = 0;
    bool complete_files_ = false;
    bool scanning_ = false;
    /// Items were added after the running step had begun, which does not see them.
    bool added_meanwhile_ = false;
    Lifetime lifetime_;
};

} // namespace thru
