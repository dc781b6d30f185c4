#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "journal/journal_record.h"
#include "target/entry_run.h"
#include "target/hard_links.h"
#include "target/older/part_copy.h"
#include "target/receive_state.h"

namespace thru {

/// Resumes part files of a previous attempt, publishes complete ones, and records present and
/// left-out entries. Folder's strand, once the journal has the run; `state` and `run` outlive this.
class Adoption {
public:
    Adoption(ReceiveFolder::State &state, EntryRun &run);

    /// Does one step; true once everything is adopted and logged.
    bool step();

private:
    void drop_unwanted();
    void count_gaps();
    void adopt(const FoundFile &found);
    /// Makes a present file executable, or no longer.
    bool adopt_partial(const FoundFile &found, const ResumedPartial &part);
    /// Copies more of a basis; false if that was enough for one step.
    bool copy_some();
    /// Asks for the lists of chunks that are needed next.
    void ask_for_chunks();
    std::unique_ptr<PartCopy> begin_copy(const FoundFile &found);
    void claim(const ResumedPartial &part);
    void publish_complete(std::uint64_t index);
    void note_named(LinkedFile file);
    void link_names(const LinkedFile &file);
    void await_links();
    void log_results();
    void add_present(std::uint64_t index, std::uint64_t resumed_bytes);

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    EntryRun &run_;
    FolderCursor cursor_;
    std::size_t next_found_ = 0;
    /// The found file whose chunks are asked for next.
    std::size_t next_asked_ = 0;
    /// The copy in progress.
    std::unique_ptr<PartCopy> copy_;
    std::size_t next_complete_ = 0;
    /// Complete files of earlier attempts, from uncommitted batches.
    std::vector<std::uint64_t> complete_;
    /// True if all of them are durable, except on other volumes.
    fs::SystemResult<bool> synced_at_once_ = false;
    /// Published files that get further names.
    std::vector<LinkedFile> named_;
    std::size_t next_named_ = 0;
    std::vector<std::uint64_t> present_;
    std::vector<std::uint64_t> uncompared_;
    /// Folders with published names that are not logged yet.
    std::set<std::string> unlogged_folders_;
    PublishedRecord unlogged_;
};

} // namespace thru
