// State that all links of an engine share. Network thread only.
#pragma once

#include "fs/disk_pool.h"
#include "link/link_events.h"
#include "link/mdns_candidates.h"
#include "link/qlog_file.h"
#include "link/router_ports.h"
#include "link/saved_paths.h"
#include "link/transport.h"
#include "loop/event_loop.h"

namespace thru {

struct LinkContext {
    EventLoop &loop;
    DiskPool &disk;
    LinkEventReport report;
    Transport transport{};
    QlogFolder qlogs{};
    RouterPorts ports{report};
    MdnsCandidates names{report};
    SavedPaths paths{report};
};

} // namespace thru
