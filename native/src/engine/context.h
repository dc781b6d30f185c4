// State that all sessions of an engine share. Network thread only.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "base/buffer_pool.h"
#include "base/rate_limiter.h"
#include "crypto/secret_key.h"
#include "engine/contact_book.h"
#include "engine/event_buffer.h"
#include "engine/segment_cache.h"
#include "engine/send_budget.h"
#include "engine/shown_guesses.h"
#include "fs/disk_pool.h"
#include "link/lingering_links.h"
#include "link/link_context.h"
#include "link/scheduler.h"
#include "loop/event_loop.h"

namespace thru {

inline constexpr Timestamp kProgressInterval = 100 * kMillisecond;
/// Time to wait for the other side's BYE. Everything is durable by then, so losing it does no harm.
inline constexpr Timestamp kGoodbyeTimeout = 5 * kSecond;

struct EngineContext {
    EventLoop &loop;
    DiskPool &disk;
    EventBuffer &events;
    std::shared_ptr<BufferPool> buffers;
    /// Limits everything that is sent.
    RateLimiter upload;
    /// Shared by all sending transfers.
    SendBudget send_budget{};
    /// Folders of receives that have ended and are still being suspended.
    std::multiset<std::string> suspending;
    ShownGuesses guesses{};
    ContactBook contacts;
    /// The secret that record_key derives from; received files are not recorded without it.
    std::optional<SecretKey> installation{};
    /// Transfers use only capacity that other traffic leaves.
    bool background = false;
    LinkContext links{.loop = loop, .disk = disk, .report = [&events = events](LinkEvent event) {
                          std::visit(
                              [&](auto &&each) { events.push(std::forward<decltype(each)>(each)); },
                              std::move(event));
                      }};
    Scheduler scheduler{};
    LingeringLinks lingering{scheduler};
    SegmentCache segments{disk, scheduler, buffers, [&clock = loop] { return clock.now(); }};
};

} // namespace thru
