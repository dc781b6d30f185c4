// What all sessions of an engine share. Lives on the network thread.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "base/buffer_pool.h"
#include "base/rate_limiter.h"
#include "engine/contact_book.h"
#include "engine/event_buffer.h"
#include "engine/lingering_links.h"
#include "engine/name_questions.h"
#include "engine/qlog_file.h"
#include "engine/router_ports.h"
#include "engine/scheduler.h"
#include "engine/segment_cache.h"
#include "engine/send_budget.h"
#include "engine/shown_guesses.h"
#include "engine/transport.h"
#include "fs/disk_pool.h"
#include "path/event_loop.h"

namespace thru {

struct EngineContext {
    EventLoop &loop;
    DiskPool &disk;
    EventBuffer &events;
    std::shared_ptr<BufferPool> buffers;
    /// Limits everything that is sent.
    RateLimiter upload;
    /// Shared by the transfers that send.
    SendBudget send_budget{};
    /// Folders of receives that are over and still being suspended.
    std::multiset<std::string> suspending;
    ShownGuesses guesses{};
    ContactBook contacts;
    Transport transport{};
    /// A person wants that transfers take only what others leave of the network.
    bool leaves_room = false;
    QlogFolder qlogs{};
    RouterPorts ports{events};
    NameQuestions names{events};
    Scheduler scheduler{};
    LingeringLinks lingering{scheduler};
    SegmentCache segments{disk, scheduler, buffers, [&clock = loop] { return clock.now(); }};
};

} // namespace thru
