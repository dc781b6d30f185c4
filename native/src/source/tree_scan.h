// Scans a share's items in bounded steps, so that other jobs of the disk pool get their turn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/path_pattern.h"
#include "fs/file_system.h"
#include "source/attribute_reader.h"
#include "wire/manifest.h"

namespace thru {

struct StreamItem {
    /// See fs::read_stream.
    int descriptor = 0;
    /// The stream begins when this many receivers have accepted.
    std::size_t receivers = 1;
    /// The stream is broken unless it ends with exactly this many bytes.
    std::optional<std::uint64_t> size{};
    /// Its end counts only once its producer is reported complete.
    bool awaits_producer = false;
};

/// A top-level item of a share: a path on this computer, a text or a stream.
struct ScanItem {
    std::string path;
    /// The path that `path` led to when it was first shared, if known. It is scanned in place of
    /// `path`, and SourceChanged once it is a link or is reached through one.
    std::string resolved{};
    /// At most kMaxTextBytes of UTF-8, displayed to the receiver and not written.
    std::string text;
    /// Offered name of a text or a stream; generated if empty.
    std::string name;
    /// If set, path and text are empty.
    std::optional<StreamItem> stream{};
};

struct ScanOptions {
    /// Matching entries are left out, including their contents; paths begin with the item's name.
    std::vector<PathPattern> exclude;
    /// Offers symbolic links that stay in their item as links; otherwise they are problems.
    bool links = true;
    /// Offers what symbolic links lead to, not the links.
    bool follow_links = false;
    /// Applies .gitignore files in the items.
    bool ignore_files = false;
    /// Reads the extended attributes and creation times of files and folders.
    bool attributes = false;
    /// Maximum number of entries of all items: a manifest's limit, less in tests.
    std::uint64_t max_entries = kMaxManifestEntries;
};

/// A value that changes with every change of a file's data or attributes.
struct FileVersion {
    std::int64_t ctime_ns = 0;
    /// fs::FileStatus::attributes.
    std::uint32_t attributes = 0;
    bool operator==(const FileVersion &) const = default;
};

/// Together with the entry's size and time, identifies the scanned file.
struct SourceIdentity {
    FileVersion version;
    fs::FileId id;
    /// Modified long enough before the scan that its times reveal every later change. Times have
    /// steps, 2 s on FAT: two changes within a step look the same.
    bool stable = false;
};

/// An entry, its location on this computer, and its identity when scanned.
struct ScannedEntry {
    ManifestEntry entry;
    /// Number of its item, in the order of add().
    std::uint32_t root = 0;
    /// Number of its place, for TreeScan::place.
    std::uint32_t place = 0;
    SourceIdentity identity;
    /// fs::FileStatus::links.
    std::uint32_t links = 1;
    ReadAttributes attributes{};
};

/// A location on this computer: an item, or the target of a followed link.
struct SourcePlace {
    /// Absolute and resolved; empty for texts and streams.
    std::string path;
    /// Length of the manifest path that `path` stands for; entries append the rest of theirs.
    std::size_t prefix = 0;
    /// The bytes of a text item.
    std::string text;
};

/// A link that leads out of its item and was followed.
struct FollowedLink {
    /// Manifest path of the link.
    std::string path;
    /// Absolute path that it leads to.
    std::string target;
    /// See ScannedEntry.
    std::uint32_t root = 0;
};

struct ScanProblem {
    /// Path that begins with the item's name; for the item itself the path that was added.
    std::string path;
    Error error;
    /// See ScannedEntry.
    std::uint32_t root = 0;
    /// The problem concerns the item itself.
    bool whole_item = false;
};

struct ScanBatch {
    std::vector<ScannedEntry> entries;
    std::vector<ScanProblem> problems;
    /// The root of each excluded entry. Contents of excluded folders are not counted.
    std::vector<std::uint32_t> excluded;
    /// The root of each entry beyond a manifest's limits.
    std::vector<std::uint32_t> beyond;
    std::vector<FollowedLink> followed;
    /// Everything added has been scanned.
    bool complete = false;
};

/// Rules of .gitignore files apply to their own folder and below; files above the shared items are
/// ignored. Parents precede their contents. Links below an item are followed only if the options
/// say so; the item itself may be one when it is first shared (ScanItem::resolved).
///
/// Files with an is_own_name() below an item are skipped: parts and journals of receives.
///
/// Problems: SourceChanged for items that became links; LinkOutside for links that leave their item
/// (check_link_target); PathUnsupported for sockets, pipes and devices, and for followed links to a
/// folder that contains them; paths that don't exist or can't be read; NameNotAllowed for names
/// that can't be offered; BadArgument for texts that are empty, too long or invalid UTF-8. Items of
/// the same name get a suffix: " (2)".
///
/// Entries beyond a manifest's limits, in number or in bytes of paths, are only counted; after
/// twice the maximum number nothing more is. One thread at a time.
class TreeScan {
public:
    explicit TreeScan(ScanOptions options);
    ~TreeScan();

    /// Adds items, even after the scan was complete.
    void add(std::vector<ScanItem> items);
    /// Removes item `root`: nothing more of it is scanned. Its path and text stay, and its name is
    /// not reused: a receiver may see a new item before it learns of the removal.
    void remove(std::uint32_t root);
    /// Scans about `max_entries` further entries.
    ScanBatch step(std::size_t max_entries);

    /// Any thread that has received an entry of this place.
    const SourcePlace &place(std::uint32_t place) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
