// Publishing: gives part files their final names.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "target/receive_state.h"

namespace thru {

/// Renames a complete part file into place, whatever exists there. Returns the name if it differs
/// from the place's, otherwise an empty string; TargetNotWritable if the part file was replaced.
/// Updates the id in `part`.
Result<std::string> publish(const ReceiveFolder::State &state, FolderCursor &cursor,
                            std::uint64_t index, PartFile &part);

/// A complete file and the result of publishing it.
struct Publication {
    std::uint64_t index = 0;
    PartFile part;
    Result<std::string> name;
};

/// Publishes each file, in several threads if there are many. Returns the folders that changed.
std::set<std::string> publish_all(const ReceiveFolder::State &state,
                                  std::vector<Publication> &files);

/// Logs that these files durably have their names.
void log_published(Journal &journal, const PublishedRecord &published);

/// Makes the names in these folders durable.
fs::SystemResult<> sync_folders(const Target &target, const std::set<std::string> &folders);

} // namespace thru
