// Selects the entries of an offer that a receiver wants, by patterns.
#pragma once

#include <cstddef>
#include <vector>

#include "base/path_pattern.h"
#include "engine/commands.h"
#include "transfer/manifest_table.h"
#include "wire/index_ranges.h"

namespace thru {

/// Immutable; any thread.
class Selection {
public:
    /// Wants everything.
    Selection() = default;
    /// BadArgument for an invalid pattern, or too many.
    static Result<Selection> parse(const SelectionText &text);

    bool wants(std::string_view path) const;
    /// The unwanted entries of [first, end). Folders above a wanted entry are wanted.
    IndexRanges unwanted(const ManifestTable &manifest, std::size_t first, std::size_t end) const;
    /// The wanted files of [0, end), without `removed`.
    IndexRanges files(const ManifestTable &manifest, std::size_t end,
                      const IndexRanges &removed) const;
    /// Files to receive before the others, by pattern, then in manifest order.
    std::vector<IndexRanges> first(const ManifestTable &manifest, std::size_t first,
                                   std::size_t end) const;

private:
    std::vector<PathPattern> only_;
    std::vector<PathPattern> except_;
    std::vector<PathPattern> first_;
};

IndexRanges matching_files(const ManifestTable &manifest, std::size_t end,
                           const std::vector<PathPattern> &patterns);

} // namespace thru
