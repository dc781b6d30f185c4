#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "fs/file_system.h"
#include "transfer/manifest_table.h"
#include "wire/hard_link.h"
#include "wire/index_ranges.h"

namespace thru {

/// Finds the files of a share that have several names in it.
class HardLinkFinder {
public:
    /// The manifest's last entry is a file that has `links` names on the disk.
    void add(const ManifestTable &manifest, const fs::FileId &id, std::uint32_t links);
    /// The further names of each file, rising, as if `removed` had never been shared.
    std::vector<HardLink> links(const IndexRanges &removed) const;

private:
    /// Maximum number of files of which further names are expected: others are offered as files.
    static constexpr std::size_t kMaxOpen = 1 << 18;

    struct IdHash {
        std::size_t operator()(const fs::FileId &id) const {
            return std::hash<std::uint64_t>{}(id.number ^ (id.device << 32));
        }
    };
    struct Open {
        std::uint32_t first = 0;
        /// Names that were not added yet.
        std::uint32_t missing = 0;
    };
    std::unordered_map<fs::FileId, Open, IdHash> open_;
    /// All names, also the first ones, which name themselves.
    std::vector<HardLink> names_;
};

} // namespace thru
