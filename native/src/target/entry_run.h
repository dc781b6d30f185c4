#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fs/file_system.h"
#include "target/existing/conflict.h"
#include "target/previous_attempt.h"
#include "target/receive_folder.h"

namespace thru {

/// Measures the work of one step: about 50 ms on an uncached disk.
class StepBudget {
public:
    static constexpr std::uint64_t kEntries = 4096;
    static constexpr std::uint64_t kBytes = 64ULL << 20;

    void begin_step() { spent_ = 0; }
    /// Adds work; false once it is enough for one step.
    bool spend(std::uint64_t entries) {
        spent_ += entries;
        return spent_ < kEntries;
    }
    /// Reading this many bytes takes about as long as inspecting one entry.
    bool spend_bytes(std::uint64_t bytes) { return spend(bytes / (kBytes / kEntries)); }

private:
    std::uint64_t spent_ = 0;
};

/// A file that may be partly present, or is not simply written.
struct FoundFile {
    std::uint64_t index = 0;
    Decision decision = Decision::Write;
    fs::FileStatus existing;
    Resumed resumed;
    /// Hash of the existing file if its content decides.
    std::optional<Hash> content;
    /// Path below the target of another version of the file, to take unchanged blocks from.
    std::optional<std::string> basis{};
};

/// State of the entries [first, end) between phases. Lists by entry begin with `first`.
struct EntryRun {
    EntryRun(const ManifestTable &of, std::size_t first_entry, std::size_t end_entry,
             const IndexRanges &unwanted_ranges);

    bool is_wanted(std::uint64_t index) const;
    /// True for a wanted file; false for texts, which are not written.
    bool is_wanted_file(std::uint64_t index) const;
    /// Records the failure; nothing of the entry is written.
    void fail_entry(std::uint64_t index, Error error);

    const ManifestTable &manifest;
    const std::size_t first;
    const std::size_t end;
    std::vector<bool> unwanted;
    std::vector<std::optional<Slot>> slots;
    /// Files with bytes to write.
    std::vector<bool> written;
    /// Files that this receive publishes or has published, without comparing their content.
    std::vector<bool> own;
    /// Written entries that can be linked to own files instead; rising.
    std::vector<HardLink> links;
    /// Own files in the place of first names that are no own files.
    std::unordered_map<std::uint32_t, std::uint32_t> firsts;
    std::vector<FoundFile> found;
    /// Paths of large files that the sender has moved or deleted, by size and time.
    std::map<std::pair<std::uint64_t, std::int64_t>, std::string> going;
    StepBudget budget;
    Prepared prepared;
};

} // namespace thru
