// What ReceiveFolder and SegmentWriter share. Private to io/.
#pragma once

#include <utility>

#include "io/part_files.h"
#include "io/receive_folder.h"
#include "io/target.h"

namespace thru {

struct ReceiveFolder::State {
    explicit State(Target opened) : target(std::move(opened)) {}

    const Target target;
    PartFiles parts{target};
};

} // namespace thru
