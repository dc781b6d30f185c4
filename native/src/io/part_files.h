// Part files of the files that come in several segments: made on the first one, shared by the
// strands that write them, open only as many at once as the system likes. Private to io/.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "io/file_system.h"
#include "io/target.h"

namespace thru {

/// Thread-safe.
class PartFiles {
public:
    explicit PartFiles(const Target &target) : target_(target) {}

    /// The entry's part file, with room for all of it.
    Result<std::shared_ptr<fs::FileHandle>> open(std::uint64_t index);
    /// Gives the complete file its name; true when it got another one.
    Result<bool> name(std::uint64_t index);
    /// Deletes all part files; nothing can be opened afterwards.
    void discard();

private:
    struct Part {
        std::mutex mutex;
        /// Empty until it is made.
        std::string name;
        fs::FileId id;
        /// Open as long as `open_` or a strand keeps it so.
        std::weak_ptr<fs::FileHandle> file;
        /// Why it can't be used.
        std::optional<Error> failure;
    };

    Result<std::shared_ptr<Part>> find(std::uint64_t index);
    Result<std::shared_ptr<fs::FileHandle>> open(Part &part, std::uint64_t index);
    Result<fs::FileHandle> create(Part &part, std::uint64_t index);
    Result<fs::FileHandle> reopen(const Part &part, std::uint64_t index);
    void keep_open(std::uint64_t index, std::shared_ptr<fs::FileHandle> file);
    void forget(std::uint64_t index);

    const Target &target_;
    /// Never taken while a part's mutex is waited for: parts are locked first.
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<Part>> parts_;
    /// The last used ones, oldest first.
    std::deque<std::pair<std::uint64_t, std::shared_ptr<fs::FileHandle>>> open_;
    bool discarded_ = false;
};

} // namespace thru
