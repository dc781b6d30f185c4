// Walks the paths of a share, a bounded step at a time, so that it can share the disk pool.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "wire/manifest.h"

namespace thru {

/// Where an entry is on this machine, and what it was when scanned.
struct ScannedEntry {
    ManifestEntry entry;
    /// Index of the share's root (dropped path) it belongs to.
    std::uint32_t root = 0;
};

struct ScanProblem {
    std::string path;
    Error error;
};

struct ScanBatch {
    std::vector<ScannedEntry> entries;
    std::vector<ScanProblem> problems;
    bool complete = false;
};

/// Entries come parents first. Symbolic links are not followed; links, sockets, pipes and devices
/// are problems (PathUnsupported); so are paths that don't exist or can't be read. Two roots with
/// the same name are told apart by " (2)". One thread at a time.
class TreeScan {
public:
    explicit TreeScan(std::vector<std::string> roots);
    ~TreeScan();

    /// At most about `max_entries` more.
    ScanBatch step(std::size_t max_entries);

    /// Absolute path on this machine of a root; entries below it append their path's remainder.
    const std::string &root_path(std::uint32_t root) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
