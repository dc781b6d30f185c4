// Where every offered entry goes below the target: as offered where the system can hold the name,
// else under a similar one. Refuses manifests that contradict themselves. Pure: asks no disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "names/safe_rel_path.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

/// A name that this system can't hold, and what it is written as.
struct MappedName {
    std::string path;
    std::string written_as;
};

/// Most mapped names, conflicts and too large files that are listed; the rest are only counted.
inline constexpr std::size_t kMaxListedNames = 1000;

/// Entries are added in order; what was added can be asked by any thread that was handed work
/// since. Always of the same manifest, which outlives it. A name never changes once it was added.
class NameMap {
public:
    /// `rules` say what names can be; `folds_case`: names that differ in case or in composition of
    /// their characters only are one (Windows, macOS).
    NameMap(TargetRules rules, bool folds_case);
    /// For this system, or for every one with ReceiveOptions::portable_names.
    explicit NameMap(const ReceiveOptions &options);
    ~NameMap();

    /// Checks and maps entries [first, end), linear in their number. BadManifest, naming the first
    /// bad entry: a path that no offer may have (check_offered_path), the same path twice (removed
    /// entries aside), a file where others need a folder, a link that leads out of its shared item,
    /// more folders that are not entries than kMaxManifestEntries. Then none of them is added.
    Result<> extend(const ManifestTable &manifest, std::size_t first, std::size_t end);
    /// Taken out of the share: their paths may come again. Those that were not added yet never are.
    /// What was added keeps its place(), for part files that are left.
    void forget(const ManifestTable &manifest, const IndexRanges &ranges);

    /// It was added: not so what is Gone or was forgotten before.
    bool has(std::uint64_t index) const;
    /// Below the target; a valid SafeRelPath of `rules`. Of entries that it has.
    SafeRelPath place(const ManifestTable &manifest, std::uint64_t index) const;

    /// Where an entry with this path went in an earlier attempt, had no other name been in its way;
    /// nullopt when no offer may have the path.
    std::optional<SafeRelPath> usual_place(std::string_view path) const;

    /// The target to write into a link, with the names that its components have on this disk. Only
    /// for links that place() accepts; adding thread.
    std::string target(const ManifestTable &manifest, std::uint64_t index) const;

    /// Entries, and folders that need not be entries, whose own last component was changed: how
    /// many, and the first kMaxListedNames, a folder before what is in it; those forgotten since
    /// included. Of the adding thread.
    std::uint64_t mapped() const;
    const std::vector<MappedName> &listed() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
