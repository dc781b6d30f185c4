// Events that links report to the program by way of the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "path/candidate_line.h"

namespace thru {

/// Chosen by the caller, unique for each engine.
using SessionNumber = std::uint32_t;
/// One candidate that has a name in place of an address; each engine counts them from 1.
using NameQuestion = std::uint32_t;

/// A link has a port that others can only reach when a router maps it. AddMapping answers.
struct PortOpenedEvent {
    SessionNumber session = 0;
    UdpPort port;
};
/// No link has it any more. Of no session.
struct PortClosedEvent {
    SessionNumber session = 0;
    UdpPort port;
};
/// The other computer has given a name of mDNS in place of an address. AnswerName answers.
struct NameAskedEvent {
    SessionNumber session = 0;
    NameQuestion question = 0;
    std::string name;
};
/// No link wants an answer to it any more. Of no session.
struct NameDroppedEvent {
    SessionNumber session = 0;
    NameQuestion question = 0;
};

using LinkEvent = std::variant<PortOpenedEvent, PortClosedEvent, NameAskedEvent, NameDroppedEvent>;
/// Called on the network thread.
using LinkEventReport = std::function<void(LinkEvent)>;

} // namespace thru
