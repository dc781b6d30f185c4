// Events that links report to the program through the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "base/clock.h"
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

/// A connection has measured its path, for SetSavedPaths of a later program. Belongs to no session.
struct PathSavedEvent {
    SessionNumber session = 0;
    /// See SavedPaths::Entry.
    std::string network;
    /// Bytes; 0: what was saved of this network is wrong.
    std::uint64_t window = 0;
    Timestamp round_trip = 0;
    /// The time for which it may be used.
    Timestamp lifetime = 0;
};

using LinkEvent = std::variant<PortOpenedEvent, PortClosedEvent, NameAskedEvent, NameDroppedEvent,
                               PathSavedEvent>;
/// Called on the network thread.
using LinkEventReport = std::function<void(LinkEvent)>;

} // namespace thru
