// Entries of earlier rounds that the sender no longer has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "target/entry_run.h"
#include "target/receive_state.h"

namespace thru {

/// Moves entries to kRemovedFolder, but only those that this receive made and that are as it made
/// them. Each step can be repeated after a kill: it starts from the state of the disk.
class Deletions {
public:
    /// `content` says what is published. The entries below `end` are offered. Both references must
    /// outlive this. Folder's strand.
    Deletions(ReceiveFolder::State &state, const JournalContent &content, std::size_t end);

    /// Moves what is in the way: files where folders are offered, and the contents of folders where
    /// files are. False if that was enough for one step.
    bool clear_way(StepBudget &budget);
    /// Moves the rest. `whole`: the sender could read everything. Nothing is moved out of an item
    /// that is no longer offered, or empty: its disk may be missing.
    void move_rest(bool whole);
    /// Moves nothing.
    void keep_rest();
    /// The published slots that the next round needs. After move_rest or keep_rest.
    const std::vector<bool> &needed() const { return needed_; }
    /// The slots that are published in the offered version, by entry.
    const std::vector<std::optional<Slot>> &present() const { return present_; }

    /// Size and time of large files that go, with their paths below the target.
    std::map<std::pair<std::uint64_t, std::int64_t>, std::string> going() const;

private:
    struct Old {
        std::string place;
        Slot slot = 0;
    };
    enum class Outcome : std::uint8_t { Gone, Moved, Changed, InUse, Failed };

    void note_offered();
    void sort_out(Slot slot);
    std::optional<std::string> place_of(Slot slot) const;
    bool is_present(std::uint64_t index, Slot slot) const;
    void note_place(const std::string &place, unsigned kind);
    /// The kinds of offered entries with this hash.
    static unsigned kinds_in(const std::vector<std::uint64_t> &hashes, std::uint64_t hash);
    bool is_safe(const std::string &root);
    void remove(const Old &old);
    Outcome try_to_remove(const Old &old);
    bool is_as_made(Slot slot, const fs::FileHandle &folder, const std::string &name,
                    const fs::FileStatus &status) const;
    bool move_away(const fs::FileHandle &folder, const Old &old);
    void report(const std::string &path, KeptEntry::Why why);

    ReceiveFolder::State &state_;
    const ManifestTable &manifest_;
    const JournalContent &content_;
    const JournalPaths paths_;
    const std::size_t end_;
    /// Hashes of all places that are offered; the lowest bits are the kind.
    std::vector<std::uint64_t> offered_;
    /// The same, but equal for all places that some system treats as one.
    std::vector<std::uint64_t> offered_alike_;
    /// Items with entries below them.
    std::set<std::string, std::less<>> items_;
    std::set<std::string, std::less<>> refused_items_;
    std::vector<std::optional<Slot>> present_;
    std::vector<bool> is_present_;
    std::vector<bool> needed_;
    /// True at the latest slot of a path if an older version is needed.
    std::vector<bool> has_older_;
    /// Sorted by place.
    std::vector<Old> going_;
    /// Entries in the way, with the contents of folders; the last is removed first.
    std::vector<Old> in_the_way_;
    FolderCursor from_;
    FolderCursor to_;
    /// Number of the folder of the day that has room for these names.
    unsigned folder_number_ = 1;
};

} // namespace thru
