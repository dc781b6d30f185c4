// Walks what a share offers, a bounded step at a time, so that it can share the disk pool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/path_pattern.h"
#include "fs/file_system.h"
#include "wire/manifest.h"

namespace thru {

/// A stream of this process.
struct StreamItem {
    /// As for fs::read_stream.
    int descriptor = 0;
    /// It begins when that many receivers have accepted.
    std::size_t receivers = 1;
    /// It is broken when it ends before so many bytes, or has more.
    std::optional<std::uint64_t> size{};
    /// Its end is one only when its producer is said to be complete, too.
    bool awaits_producer = false;
};

/// One thing at the top of a share: a path of this machine, a text or a stream.
struct ScanItem {
    std::string path;
    /// At most kMaxTextBytes of UTF-8, shown to the receiver and not written.
    std::string text;
    /// What a text or a stream is offered as; made up when empty.
    std::string name;
    /// Then path and text are empty.
    std::optional<StreamItem> stream{};
};

struct ScanOptions {
    /// Entries that match are left out, with what is in them; paths begin with the item's name.
    std::vector<PathPattern> exclude;
    /// Symbolic links that stay in their item are offered as links; else they are problems.
    bool links = true;
    /// What the .gitignore files in what is shared leave out is left out.
    bool ignore_files = false;
    /// Entries of all items together: what a manifest holds, less in tests.
    std::uint64_t most_entries = kMaxManifestEntries;
};

/// A value that changes with every change of a file's data or attributes.
struct FileVersion {
    std::int64_t ctime_ns = 0;
    /// fs::FileStatus::attributes.
    std::uint32_t attributes = 0;
    bool operator==(const FileVersion &) const = default;
};

/// Tells, with size and time of the entry, that a file is still the one that was scanned.
struct SourceIdentity {
    FileVersion version;
    fs::FileId id;
    /// Modified so long before the scan that its times reveal every later change. Times have steps,
    /// of 2 s on FAT: two changes in the same step look the same.
    bool stable = false;
};

/// An entry, where it is on this machine, and what it was when scanned.
struct ScannedEntry {
    ManifestEntry entry;
    /// Number of the item it belongs to, in the order of add().
    std::uint32_t root = 0;
    SourceIdentity identity;
};

struct ScanProblem {
    /// In the item, and beginning with its name; of the item itself, as it was added.
    std::string path;
    Error error;
    /// As in ScannedEntry.
    std::uint32_t root = 0;
    /// It is the item itself.
    bool whole_item = false;
};

struct ScanBatch {
    std::vector<ScannedEntry> entries;
    std::vector<ScanProblem> problems;
    /// Of each entry that was left out as wished, the root. What is in it is not counted.
    std::vector<std::uint32_t> excluded;
    /// Of each entry that a manifest has no room for, the root.
    std::vector<std::uint32_t> beyond;
    /// Everything that was added is scanned.
    bool complete = false;
};

/// Rules of .gitignore files count for what is beside and below them, and not for what is above
/// what was shared. Entries come parents first. Links are never followed below an item (the item
/// itself may be one); links that leave their item (check_link_target), sockets, pipes and devices
/// are problems (PathUnsupported); so are paths that don't exist or can't be read, names that can't
/// be offered (NameNotAllowed) and texts that are empty, too long or no UTF-8 (BadArgument). Items
/// with the same name are told apart by " (2)". What a manifest has no room for, by entries or by
/// bytes of paths, is counted only, and after twice the most entries nothing more is. One thread at
/// a time.
class TreeScan {
public:
    explicit TreeScan(ScanOptions options);
    ~TreeScan();

    /// More items, also after the scan was complete.
    void add(std::vector<ScanItem> items);
    /// Takes item `root`, of those added, out: nothing more of it is scanned. Its path and text
    /// stay, and its name is not given to another: a receiver may hear of that one before it hears
    /// that this one is gone.
    void remove(std::uint32_t root);
    /// At most about `max_entries` more.
    ScanBatch step(std::size_t max_entries);

    /// Absolute path on this machine of an item; entries below it append their path's remainder.
    /// Empty for texts. Any thread, for items of entries that were handed to it.
    const std::string &root_path(std::uint32_t root) const;
    /// The bytes of a text item. Any thread, as root_path().
    const std::string &root_text(std::uint32_t root) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
