#include "engine/receive/preflight_event.h"

#include <string>
#include <utility>

namespace thru {

PreflightEvent preflight_event(const Preflight &command, const ManifestTable &manifest,
                               Result<PreflightResult> found) {
    PreflightEvent event{.session = command.session, .directory = command.directory};
    if (!found) {
        event.error = found.error();
        return event;
    }
    event.result = std::move(*found);
    for (const auto &conflict : event.result.listed_conflicts) {
        event.conflicts.push_back({.path = std::string(manifest.path(conflict.index)),
                                   .bytes = manifest.file_size(conflict.index),
                                   .mtime_ns = manifest.mtime_ns(conflict.index)});
    }
    for (const auto index : event.result.too_large) {
        event.too_large.emplace_back(manifest.path(index));
    }
    return event;
}

} // namespace thru
