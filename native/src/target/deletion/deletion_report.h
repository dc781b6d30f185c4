#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thru {

/// An entry that the sender no longer has, but that stays.
struct KeptEntry {
    enum class Why : std::uint8_t {
        /// The receiver's person changed it; it is no longer examined.
        Changed,
        /// The system refused to move it.
        Failed,
        /// The whole item, `path`, is gone or empty.
        ItemGone,
        /// The sender could not read everything, so nothing was moved; `path` is empty.
        Incomplete,
    };
    std::string path;
    Why why = Why::Changed;
};
/// Outcome for entries that the sender no longer has.
struct DeletionReport {
    /// Files and links moved to `folder` below the target; if there were several, it is the last.
    std::uint64_t moved = 0;
    std::string folder;
    std::uint64_t kept = 0;
    /// The first kMaxListedNames of them.
    std::vector<KeptEntry> listed;
    bool any() const { return moved > 0 || kept > 0; }
};

} // namespace thru
