#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "crypto/digest.h"
#include "journal/foreign_files.h"
#include "target/entry_run.h"
#include "target/receive_state.h"

namespace thru {

/// Decides about each entry, changing nothing. Folder's strand; `state` and `run` outlive this.
class Inspection {
public:
    Inspection(ReceiveFolder::State &state, EntryRun &run);

    /// Does one step; true once all are inspected. DiskFull: see ReceiveFolder::prepare_some.
    Result<bool> step();

private:
    /// An existing file whose content is being read.
    struct Comparing {
        FoundFile found;
        fs::FileHandle file;
        std::uint64_t read = 0;
        Blake3 hasher;
    };

    Result<> begin();
    void inspect_file(std::uint64_t index);
    void inspect_link(std::uint64_t index);
    std::optional<fs::FileStatus> existing_at(const SafeRelPath &place);
    void decide_conflict(FoundFile &found);
    bool compare_some();
    std::optional<std::string> basis_of(const FoundFile &found) const;
    void conclude(FoundFile found);
    bool plan_link(const FoundFile &found);
    std::optional<Slot> slot(std::uint64_t index) const { return run_.slots[index - run_.first]; }

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    EntryRun &run_;
    bool begun_ = false;
    PreviousAttempt *previous_ = nullptr;
    std::size_t next_;
    ForeignFiles foreign_files_;
    FolderCursor cursor_;
    /// The last missing folder, remembered because files of one folder are adjacent.
    std::optional<std::string> missing_folder_;
    std::optional<Comparing> comparing_;
    std::uint64_t needed_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t free_ = 0;
};

} // namespace thru
