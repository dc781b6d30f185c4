// The result of a preflight for its owner, with paths instead of indexes.
#pragma once

#include "engine/commands.h"
#include "engine/events.h"
#include "target/preflight.h"
#include "transfer/manifest_table.h"

namespace thru {

PreflightEvent preflight_event(const Preflight &command, const ManifestTable &manifest,
                               Result<PreflightResult> found);

} // namespace thru
