// What JavaScript asks of the engine; the C++ form of EngineCommand in native/index.d.ts.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "path/ice_path.h"

namespace thru {

/// Chosen by the caller, unique for each engine.
using SessionNumber = std::uint32_t;

struct OpenShare {
    SessionNumber session = 0;
    std::vector<std::string> paths;
    std::string name;
    IceServers ice;
};
struct SetCode {
    SessionNumber session = 0;
    std::string code;
};
struct AddPeer {
    SessionNumber session = 0;
    std::string peer;
};
struct DropPeer {
    SessionNumber session = 0;
    std::string peer;
};
struct OpenReceive {
    SessionNumber session = 0;
    std::string code;
    std::string peer;
    std::string name;
    IceServers ice;
};
struct Signal {
    SessionNumber session = 0;
    std::string peer;
    std::string payload;
};
struct Accept {
    SessionNumber session = 0;
    std::string directory;
};
struct EndSession {
    SessionNumber session = 0;
};

using Command =
    std::variant<OpenShare, SetCode, AddPeer, DropPeer, OpenReceive, Signal, Accept, EndSession>;

/// Commands waiting for the network thread; a caller that floods gets EngineBusy.
inline constexpr std::size_t kMaxQueuedCommands = 10'000;

} // namespace thru
