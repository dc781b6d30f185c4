#pragma once

#include "engine/events.h"

namespace thru {

const char *stall_name(StallReason reason);
const char *flow_name(FlowState::Kind kind);
const char *file_state_name(FileState state);
const char *bottleneck_name(Bottleneck bottleneck);
const char *careful_resume_name(CarefulResume state);
/// nullptr for None.
const char *reason_name(RelayReason reason);

} // namespace thru
