// What parts are measured with that read texts.
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

/// Paths as a camera's folder has them, a hundred in a folder.
std::vector<std::string> sample_paths(std::uint64_t count);
/// Files with these paths, of some kilobytes each.
std::shared_ptr<ManifestTable> sample_manifest(const std::vector<std::string> &paths);

/// The limit of what looks at each text: a copy of each, one after another.
std::function<Took()> copies_of(std::vector<std::string> texts);

} // namespace thru::bench
