// Prepares a run of offered entries: inspects all, then acts, in steps that commits may interrupt.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "target/adoption.h"
#include "target/deletion/deletions.h"
#include "target/entry_run.h"
#include "target/inspection.h"
#include "target/receive_state.h"

namespace thru {

/// One run of entries. Folder's strand; `state` must outlive this.
class Preparation {
public:
    Preparation(ReceiveFolder::State &state, std::size_t first, std::size_t end,
                const IndexRanges &unwanted);

    /// Does one step: a few thousand entries, or about 64 MiB of reading. Returns the result after
    /// the last step; nullopt before. Errors as in ReceiveFolder::prepare_some.
    Result<std::optional<Prepared>> step();

private:
    /// A phase is called until it returns true; false ends the step.
    using Phase = Result<bool> (Preparation::*)();

    Result<bool> add_names();
    Result<bool> search_journal();
    Result<bool> clear_way();
    Result<bool> inspect();
    Result<bool> make_folders();
    Result<bool> begin_journal();
    Result<bool> adopt();

    Result<> make_folders_to(std::uint64_t index);
    Result<> make_folder(std::uint64_t index);
    /// Logs the folders that are missing on the way to `relative`, the place of `path`.
    Result<> record_folders(std::string_view path, std::string_view relative);

    static const std::array<Phase, 7> kPhases;

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    EntryRun run_;
    Inspection inspection_;
    Adoption adoption_;
    std::unique_ptr<Deletions> deletions_;
    std::size_t phase_ = 0;
    FolderCursor cursor_;
    /// The entry whose folder is made next.
    std::size_t next_;
    /// Wanted folders with attributes that no file has needed yet, by their paths.
    std::unordered_map<std::string_view, std::size_t> unmade_;
    /// The last folder made, and the result.
    std::optional<std::string> made_folder_;
    Result<> made_;
    /// Folders already searched for part files unknown to the journal.
    std::set<std::string> cleaned_folders_;
};

} // namespace thru
