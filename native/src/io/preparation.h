// A run of offered entries on its way into a folder: looked at first, all of them, then done.
// Private to io/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/conflict.h"
#include "io/receive_state.h"

namespace thru {

/// Told as needed when not even folders or the journal can be made, in bytes.
inline constexpr std::int64_t kRoomForFolders = 1 << 20;

/// One run of entries.
class Preparation {
public:
    Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                const IndexRanges &unwanted);

    Result<Prepared> run();

private:
    /// A file that is not simply written, or that something may be here of.
    struct Found {
        std::uint64_t index = 0;
        Decision decision = Decision::Write;
        fs::FileStatus there;
        Resumed resumed;
        std::optional<Hash> content;
    };

    bool is_wanted(std::uint64_t index) const;
    Result<> look_for_journal();
    Result<> look();
    void look_at(std::uint64_t index);
    void decide_conflict(Found &found);
    Result<> make_folders();
    Result<> begin_journal();
    void take(const Found &found);
    bool take_part(const Found &found, const ResumedPart &part);
    void take_whole_files();
    void tell_untold();
    void here(std::uint64_t index, std::uint64_t resumed_bytes);
    void fail_entry(std::uint64_t index, Error error);

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    const std::size_t first_;
    const std::size_t end_;
    FolderCursor cursor_;
    /// The folder that was looked for last and is not there: files of one folder stand together.
    std::optional<std::string> missing_folder_;
    std::vector<bool> unwanted_;
    std::vector<std::optional<Slot>> slots_;
    std::vector<Found> found_;
    std::vector<bool> written_;
    std::uint64_t needed_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t free_ = 0;
    std::vector<std::uint64_t> whole_;
    std::vector<std::uint64_t> here_;
    /// Folders whose names the journal has yet to be told of.
    std::set<std::string> untold_folders_;
    NamedRecord untold_;
    Prepared prepared_;
};

} // namespace thru
