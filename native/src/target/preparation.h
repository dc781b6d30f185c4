// Prepares a run of offered entries in a folder: inspects all of them, then acts, in steps short
// enough for commits to come between them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crypto/digest.h"
#include "journal/foreign_files.h"
#include "target/conflict.h"
#include "target/receive_state.h"

namespace thru {

/// Reported need when not even folders or the journal can be made, in bytes.
inline constexpr std::int64_t kRoomForFolders = 1 << 20;

/// One run of entries. For one thread at a time; `state` outlives it.
class Preparation {
public:
    Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                const IndexRanges &unwanted);

    /// Does one step: a few thousand entries, or some 64 MiB of reading. The result after the last
    /// step; nullopt when there is more to do. The errors of ReceiveFolder::prepare_some.
    Result<std::optional<Prepared>> step();

private:
    /// A file that is not simply written, or may be partly present.
    struct Found {
        std::uint64_t index = 0;
        Decision decision = Decision::Write;
        fs::FileStatus existing;
        Resumed resumed;
        std::optional<Hash> content;
    };
    /// An existing file whose content is being read.
    struct Comparing {
        Found found;
        fs::FileHandle file;
        std::uint64_t read = 0;
        Blake3 hasher;
    };
    /// A phase processes the run from `next_` on: true when it is done, false when the step is.
    using Phase = Result<bool> (Preparation::*)();

    Result<bool> add_names();
    Result<bool> search_journal();
    Result<bool> match();
    Result<bool> inspect();
    Result<bool> make_folders();
    Result<bool> begin_journal();
    Result<bool> adopt_found();
    Result<bool> adopt_complete_files();
    Result<bool> log_results();

    /// Counts work of this step; false when that is enough for one.
    bool spend(std::uint64_t entries);
    bool is_wanted(std::uint64_t index) const;
    bool is_inspected(std::uint64_t index) const;
    void inspect_file(std::uint64_t index);
    std::optional<fs::FileStatus> existing_at(const SafeRelPath &place);
    void inspect_link(std::uint64_t index);
    void decide_conflict(Found &found);
    bool compare_some();
    void conclude(Found found);
    Result<> make_folder(std::uint64_t index);
    void adopt(const Found &found);
    bool adopt_partial(const Found &found, const ResumedPartial &part);
    void adopt_complete_file(std::uint64_t index);
    void log_unlogged();
    void add_present(std::uint64_t index, std::uint64_t resumed_bytes);
    void fail_entry(std::uint64_t index, Error error);

    static const std::array<Phase, 9> kPhases;

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    const std::size_t first_;
    const std::size_t end_;
    std::size_t phase_ = 0;
    /// Position of the phase.
    std::size_t next_ = 0;
    std::uint64_t spent_ = 0;
    ForeignFiles foreign_files_;
    FolderCursor cursor_;
    /// The last missing folder: files of one folder are adjacent.
    std::optional<std::string> missing_folder_;
    std::optional<Comparing> comparing_;
    /// The last folder that was made, and its result.
    std::optional<std::string> made_folder_;
    Result<> made_;
    /// Folders that were searched for part files unknown to the journal.
    std::set<std::string> cleaned_folders_;
    std::vector<bool> unwanted_;
    std::vector<std::optional<Slot>> slots_;
    std::vector<Found> found_;
    std::vector<bool> written_;
    std::uint64_t needed_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t free_ = 0;
    /// Complete files of earlier attempts, from batches that were not committed.
    std::vector<std::uint64_t> complete_;
    /// All of them are durable, except on other volumes.
    fs::SystemResult<bool> synced_at_once_ = false;
    std::vector<std::uint64_t> present_;
    /// Folders whose published names are not logged yet.
    std::set<std::string> unlogged_folders_;
    PublishedRecord unlogged_;
    Prepared prepared_;
};

} // namespace thru
