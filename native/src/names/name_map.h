// Maps each offered entry to its place below the target: under its own name if the system allows
// it, otherwise under a similar one. Items get the names that the receiver chose. Refuses
// contradictory manifests. Doesn't access the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "names/renames.h"
#include "names/safe_rel_path.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

/// An offered name that is written differently: chosen by the receiver, or not allowed here.
struct MappedName {
    std::string path;
    std::string written_as;
};

/// See NameMap::journal_path. The manifest must outlive this.
class JournalPath {
public:
    explicit JournalPath(std::string_view offered) : offered_(offered) {}
    explicit JournalPath(std::string renamed) : renamed_(std::move(renamed)) {}
    std::string_view text() const { return renamed_ ? std::string_view(*renamed_) : offered_; }

private:
    std::string_view offered_;
    std::optional<std::string> renamed_;
};

/// Maximum number of listed mapped names, conflicts and too large files; the rest are only counted.
inline constexpr std::size_t kMaxListedNames = 1000;

/// Entries are added in order. Once added, a name never changes, and any thread handed work since
/// then may read it. All calls must pass the same manifest, which outlives the map.
class NameMap {
public:
    /// `folds_case`: names that differ only in case or composition are equal (Windows, macOS).
    NameMap(TargetRules rules, bool folds_case, std::shared_ptr<const Renames> renames = nullptr);
    /// Uses this system's rules, or portable ones with ReceiveOptions::portable_names, and the
    /// renames, which check() must have accepted.
    explicit NameMap(const ReceiveOptions &options);
    ~NameMap();
    /// check_renames by the rules of a map with these options.
    static Result<> check(const ReceiveOptions &options);

    /// Checks and maps entries [first, end), in linear time. NameNotAllowed names a chosen name
    /// that makes a path too long. BadManifest names the first bad entry: an invalid path
    /// (check_offered_path), a duplicate path (removed entries aside), a file that others need as a
    /// folder, a link that leads out of its shared item, or too many implied folders
    /// (kMaxManifestEntries). On an error none of them is added.
    Result<> extend(const ManifestTable &manifest, std::size_t first, std::size_t end);
    /// Handles entries that were removed from the share: their paths may be offered again. Entries
    /// not added yet never will be; the others keep their place() for leftover part files.
    void forget(const ManifestTable &manifest, const IndexRanges &ranges);

    /// True if the entry was added; false for Gone and forgotten entries.
    bool has(std::uint64_t index) const;
    /// The place below the target, a valid SafeRelPath under `rules`, of an added entry.
    SafeRelPath place(const ManifestTable &manifest, std::uint64_t index) const;

    /// The path by which a journal knows an entry. It begins with the item's name in the target if
    /// the receiver chose names: no two items have one path. To a journal, an item under another
    /// name is another item. Empty, then, for entries that were not added.
    JournalPath journal_path(const ManifestTable &manifest, std::uint64_t index) const;
    /// The entry for a journal; nullopt if no journal contains it.
    std::optional<ManifestEntry> journal_entry(const ManifestTable &manifest,
                                               std::uint64_t index) const;

    /// The place of a journal's `path` in an earlier attempt, unless taken; nullopt if no offer may
    /// have it.
    std::optional<SafeRelPath> usual_place(std::string_view path) const;

    /// A placed link's target, with its components named as on this disk. Adding thread only.
    std::string target(const ManifestTable &manifest, std::uint64_t index) const;

    /// Number of entries and implied folders with a changed name, including forgotten ones, and the
    /// first kMaxListedNames of them, folders before their contents. Adding thread only.
    std::uint64_t mapped() const;
    const std::vector<MappedName> &listed() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
