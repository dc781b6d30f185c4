// Names that the receiver chose for items. Neither the sender nor the selection knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "names/safe_rel_path.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

/// NameNotAllowed, with the reason: a chosen name that `rules` refuse, or that two items would have
/// on a system that `folds_case`.
Result<> check_renames(const Renames &renames, TargetRules rules, bool folds_case);

/// An offered path with the chosen name of its item. Journals contain such paths: to them, an item
/// under another name is another item. No journal contains an item whose own name was chosen for
/// another one: two items would have one path.
class RenamedPath {
public:
    /// `path` and `renames`, which may be null, must outlive this.
    RenamedPath(std::string_view path, const Renames *renames);
    RenamedPath(const RenamedPath &) = delete;
    RenamedPath &operator=(const RenamedPath &) = delete;

    /// Empty if no journal contains it.
    std::string_view text() const { return text_; }

private:
    std::string changed_;
    std::string_view text_;
};

/// The origin for a journal. Under other names, a file of the same path, size and time may be
/// another item. So a journal of other names counts as another sender's.
OriginId renamed_origin(const OriginId &origin, const Renames *renames);

/// The entry for a journal; nullopt if no journal contains it.
std::optional<ManifestEntry> renamed_entry(const ManifestTable &manifest, std::uint64_t index,
                                           const Renames *renames);

} // namespace thru
