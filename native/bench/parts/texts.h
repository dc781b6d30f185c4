// Texts for measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "parts/part.h"
#include "transfer/manifest_table.h"

namespace thru::bench {

/// Paths as in a camera's folders, with a hundred files each.
std::vector<std::string> sample_paths(std::uint64_t count);
/// Files with these paths, of a few kilobytes each.
std::shared_ptr<ManifestTable> sample_manifest(const std::vector<std::string> &paths);

/// The baseline for parts that process each text: copies of all of them in turn.
std::function<Took()> copies_of(std::vector<std::string> texts);

} // namespace thru::bench
