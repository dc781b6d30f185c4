// What the engine tells; the C++ form of EngineEvent in native/index.d.ts.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "engine/commands.h"
#include "path/ice_path.h"
#include "transfer/manifest_table.h"

namespace thru {

struct ScanEvent {
    SessionNumber session = 0;
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t bytes = 0;
    bool complete = false;
};
struct ScanItemsEvent {
    SessionNumber session = 0;
    std::vector<ManifestTable::TopItem> items;
};
struct ItemProblemEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string path;
    Error error;
};
struct SignalEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string payload;
};
struct PairingDoneEvent {
    SessionNumber session = 0;
    std::string peer;
};
struct ConnectedEvent {
    SessionNumber session = 0;
    std::string peer;
    std::string name;
    Route route;
};
struct OfferEvent {
    SessionNumber session = 0;
    std::string peer;
    std::vector<ManifestTable::TopItem> items;
    std::uint64_t files = 0;
    std::uint64_t folders = 0;
    std::uint64_t bytes = 0;
};
struct AcceptedEvent {
    SessionNumber session = 0;
    std::string peer;
};
struct ProgressEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t total_files = 0;
    std::uint64_t total_bytes = 0;
};
struct FinishedEvent {
    SessionNumber session = 0;
    std::string peer;
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::uint64_t problems = 0;
    std::uint64_t renamed = 0;
};
struct FailedEvent {
    SessionNumber session = 0;
    std::string peer;
    Error error;
};

using Event = std::variant<ScanEvent, ScanItemsEvent, ItemProblemEvent, SignalEvent,
                           PairingDoneEvent, ConnectedEvent, OfferEvent, AcceptedEvent,
                           ProgressEvent, FinishedEvent, FailedEvent>;

} // namespace thru
