// Publishing: gives part files their final names.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "target/receive_state.h"

namespace thru {

/// The name of a published file.
struct PublishedName {
    /// Empty if it is the place's own.
    std::string name;
    /// A file with the same content had the name before; the part file was removed.
    bool existed = false;
};

/// Renames a complete part file into place, whatever exists there. TargetNotWritable if the part
/// file was replaced. Updates the id in `part`.
Result<PublishedName> publish(const ReceiveFolder::State &state, FolderCursor &cursor,
                              std::uint64_t index, PartFile &part);

/// A complete file and the result of publishing it.
struct Publication {
    std::uint64_t index = 0;
    PartFile part;
    Result<PublishedName> published;
};

/// Publishes each file, in several threads if there are many. Returns the folders that changed.
std::set<std::string> publish_all(const ReceiveFolder::State &state,
                                  std::vector<Publication> &files);

/// Logs that these files durably have their names.
void log_published(Journal &journal, const PublishedRecord &published);

/// Makes the names in these folders durable.
fs::SystemResult<> sync_folders(const Target &target, const std::set<std::string> &folders);

} // namespace thru
