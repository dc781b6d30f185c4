#include "napi/event_names.h"

namespace thru {

const char *stall_name(StallReason reason) {
    switch (reason) {
    case StallReason::None:
        return "none";
    case StallReason::Network:
        return "network";
    case StallReason::Relay:
        return "relay";
    case StallReason::PeerDisk:
        return "peer-disk";
    case StallReason::OwnDisk:
        return "own-disk";
    case StallReason::Source:
        return "source";
    case StallReason::Limit:
        return "limit";
    }
    return "none";
}

const char *flow_name(FlowState::Kind kind) {
    switch (kind) {
    case FlowState::Kind::Flowing:
        return "flowing";
    case FlowState::Kind::Paused:
        return "paused";
    case FlowState::Kind::PausedByPeer:
        return "paused-by-peer";
    case FlowState::Kind::DiskFull:
        return "disk-full";
    case FlowState::Kind::PeerDiskFull:
        return "peer-disk-full";
    case FlowState::Kind::Finishing:
        return "finishing";
    }
    return "flowing";
}

const char *file_state_name(FileState state) {
    switch (state) {
    case FileState::Active:
        return "active";
    case FileState::Received:
        return "received";
    case FileState::Saved:
        return "saved";
    case FileState::Sent:
        return "sent";
    case FileState::Present:
        return "present";
    case FileState::Skipped:
        return "skipped";
    case FileState::Failed:
        return "failed";
    case FileState::Waiting:
    case FileState::Gone:
        break;
    }
    return "waiting";
}

const char *careful_resume_name(CarefulResume state) {
    switch (state) {
    case CarefulResume::None:
        return "none";
    case CarefulResume::Pending:
        return "pending";
    case CarefulResume::Jumped:
        return "jumped";
    case CarefulResume::Retreated:
        return "retreated";
    }
    return "none";
}

const char *bottleneck_name(Bottleneck bottleneck) {
    switch (bottleneck) {
    case Bottleneck::Application:
        return "application";
    case Bottleneck::Peer:
        return "peer";
    case Bottleneck::Disk:
        return "disk";
    case Bottleneck::SendBuffer:
        return "send-buffer";
    case Bottleneck::FlowControl:
        return "flow-control";
    case Bottleneck::Congestion:
        return "congestion";
    case Bottleneck::Pacing:
        return "pacing";
    case Bottleneck::RateLimit:
        return "rate-limit";
    case Bottleneck::Paused:
        return "paused";
    case Bottleneck::Socket:
        return "socket";
    case Bottleneck::Processor:
        break;
    }
    return "processor";
}

const char *reason_name(RelayReason reason) {
    switch (reason) {
    case RelayReason::None:
        break;
    case RelayReason::OwnChoice:
        return "own-choice";
    case RelayReason::TheirChoice:
        return "their-choice";
    case RelayReason::OwnUdp:
        return "own-udp";
    case RelayReason::OwnAddress:
        return "own-address";
    case RelayReason::TheirAddress:
        return "their-address";
    case RelayReason::Routers:
        return "routers";
    }
    return nullptr;
}

} // namespace thru
