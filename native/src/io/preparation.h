// A run of offered entries on its way into a folder: looked at first, all of them, then done, in
// steps that are short enough for rounds of settling to come between them. Private to io/.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crypto/digest.h"
#include "io/conflict.h"
#include "io/foreign_files.h"
#include "io/receive_state.h"

namespace thru {

/// Told as needed when not even folders or the journal can be made, in bytes.
inline constexpr std::int64_t kRoomForFolders = 1 << 20;

/// One run of entries. For one thread at a time; `state` outlives it.
class Preparation {
public:
    Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                const IndexRanges &unwanted);

    /// Does some of it: a few thousand entries, or some 64 MiB of what is read. What was found when
    /// that was the last step; nullopt when there is more to do. The errors of
    /// ReceiveFolder::prepare_some.
    Result<std::optional<Prepared>> step();

private:
    /// A file that is not simply written, or that something may be here of.
    struct Found {
        std::uint64_t index = 0;
        Decision decision = Decision::Write;
        fs::FileStatus existing;
        Resumed resumed;
        std::optional<Hash> content;
    };
    /// A file that stands there, whose content is being read.
    struct Comparing {
        Found found;
        fs::FileHandle file;
        std::uint64_t read = 0;
        Blake3 hasher;
    };
    /// A phase goes through the run from `next_` on: true when it is through, false when the step
    /// is.
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

    /// Counts work of this step; false when it was enough for one.
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
    /// Where the phase is in what it goes through.
    std::size_t next_ = 0;
    std::uint64_t spent_ = 0;
    ForeignFiles foreign_files_;
    FolderCursor cursor_;
    /// The folder that was looked for last and is not there: files of one folder stand together.
    std::optional<std::string> missing_folder_;
    std::optional<Comparing> comparing_;
    /// The last folder that was made, and how it went.
    std::optional<std::string> made_folder_;
    Result<> made_;
    /// Folders where parts were looked for that the journal does not know.
    std::set<std::string> cleaned_folders_;
    std::vector<bool> unwanted_;
    std::vector<std::optional<Slot>> slots_;
    std::vector<Found> found_;
    std::vector<bool> written_;
    std::uint64_t needed_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t free_ = 0;
    /// Of earlier attempts, in batches that were not settled.
    std::vector<std::uint64_t> complete_;
    /// All of them are on the disk, but those on other volumes.
    fs::SystemResult<bool> synced_at_once_ = false;
    std::vector<std::uint64_t> present_;
    /// Folders whose names the journal has yet to be told of.
    std::set<std::string> unlogged_folders_;
    PublishedRecord unlogged_;
    Prepared prepared_;
};

} // namespace thru
