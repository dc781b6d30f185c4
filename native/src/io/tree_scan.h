// Walks what a share offers, a bounded step at a time, so that it can share the disk pool.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/path_pattern.h"
#include "io/file_system.h"
#include "wire/manifest.h"

namespace thru {

/// One thing at the top of a share: a path of this machine, or a text (then `path` is empty).
struct ScanItem {
    std::string path;
    /// Offered as `name` (made up when empty), shown to the receiver and not written.
    std::string text;
    std::string name;
};

struct ScanOptions {
    /// Entries that match are left out, with what is in them; paths begin with the item's name.
    std::vector<PathPattern> exclude;
    /// Symbolic links that stay in their item are offered as links; else they are problems.
    bool links = true;
};

/// Tells that a file is still the one that was scanned.
struct SourceIdentity {
    std::int64_t ctime_ns = 0;
    fs::FileId id;
};

/// An entry, where it is on this machine, and what it was when scanned.
struct ScannedEntry {
    ManifestEntry entry;
    /// Number of the item it belongs to, in the order of add().
    std::uint32_t root = 0;
    SourceIdentity identity;
};

struct ScanProblem {
    std::string path;
    Error error;
};

struct ScanBatch {
    std::vector<ScannedEntry> entries;
    std::vector<ScanProblem> problems;
    /// Everything that was added is scanned.
    bool complete = false;
};

/// Entries come parents first. Links are never followed below an item (the item itself may be one);
/// links that leave their item, sockets, pipes and devices are problems (PathUnsupported); so are
/// paths that don't exist or can't be read. Items with the same name are told apart by " (2)".
/// One thread at a time.
class TreeScan {
public:
    explicit TreeScan(ScanOptions options);
    ~TreeScan();

    /// More items, also after the scan was complete.
    void add(std::vector<ScanItem> items);
    /// At most about `max_entries` more.
    ScanBatch step(std::size_t max_entries);

    /// Absolute path on this machine of an item; entries below it append their path's remainder.
    /// Empty for texts.
    const std::string &root_path(std::uint32_t root) const;
    /// The bytes of a text item.
    const std::string &root_text(std::uint32_t root) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
