// Hard links: entries that become further names of a published file, instead of being received.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "target/publish.h"
#include "target/receive_state.h"

namespace thru {

/// A published file, to which names can be linked.
struct LinkedFile {
    std::uint64_t index = 0;
    /// Empty if it is the place's own.
    std::string name;
    /// fs::FileId::number.
    std::uint64_t file = 0;
};

/// Gives the file the name of entry `index`, by the same conflict policy as publish(). Any error
/// means that the entry must be received.
Result<PublishedName> link_name(ReceiveFolder::State &state, FolderCursor &cursor,
                                const LinkedFile &file, std::uint64_t index);

} // namespace thru
