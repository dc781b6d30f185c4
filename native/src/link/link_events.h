// Events that links report to the program through the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "path/candidate_line.h"

namespace thru {

/// Chosen by the caller; unique within an engine.
using SessionNumber = std::uint32_t;
/// Identifies a candidate with a name instead of an address; each engine counts from 1.
using NameQuestion = std::uint32_t;

/// A link has a port that others can reach only if a router maps it. AddMapping answers.
struct PortOpenedEvent {
    SessionNumber session = 0;
    UdpPort port;
};
/// No link uses the port anymore. Belongs to no session.
struct PortClosedEvent {
    SessionNumber session = 0;
    UdpPort port;
};
/// The other computer sent an mDNS name instead of an address. AnswerName answers.
struct NameAskedEvent {
    SessionNumber session = 0;
    NameQuestion question = 0;
    std::string name;
};
/// No link needs the answer anymore. Belongs to no session.
struct NameDroppedEvent {
    SessionNumber session = 0;
    NameQuestion question = 0;
};

using LinkEvent = std::variant<PortOpenedEvent, PortClosedEvent, NameAskedEvent, NameDroppedEvent>;
/// Called on the network thread.
using LinkEventReport = std::function<void(LinkEvent)>;

} // namespace thru
