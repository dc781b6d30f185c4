// Publishing: part files get their final names.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "target/receive_state.h"

namespace thru {

/// Renames a complete part file into place, whatever exists there now. Its name if not that of its
/// place, else empty; TargetNotWritable when the part file was replaced. `part` gets the file's
/// present id.
Result<std::string> publish(const ReceiveFolder::State &state, FolderCursor &cursor,
                            std::uint64_t index, PartFile &part);

/// A complete file, and what publish() returned for it.
struct Publication {
    std::uint64_t index = 0;
    PartFile part;
    Result<std::string> name;
};

/// Publishes each, by several threads when there are many. Returns the folders that got names.
std::set<std::string> publish_all(const ReceiveFolder::State &state,
                                  std::vector<Publication> &files);

/// Logs that these files have their names durably.
void log_published(Journal &journal, const PublishedRecord &published);

/// Makes names in these folders durable.
fs::SystemResult<> sync_folders(const Target &target, const std::set<std::string> &folders);

} // namespace thru
