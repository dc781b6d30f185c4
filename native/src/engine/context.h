// What all sessions of an engine share. Lives on the network thread.
#pragma once

#include <memory>

#include "base/buffer_pool.h"
#include "engine/event_buffer.h"
#include "io/disk_pool.h"
#include "path/event_loop.h"

namespace thru {

struct EngineContext {
    EventLoop &loop;
    DiskPool &disk;
    EventBuffer &events;
    std::shared_ptr<BufferPool> buffers;
};

} // namespace thru
