#include "link/lingering_links.h"

#include <algorithm>
#include <utility>

#include "link/peer_link.h"

namespace thru {

namespace {

/// Each holds a socket and an ICE agent, and hundreds of receivers may leave together.
constexpr std::size_t kMaxLinks = 64;

} // namespace

LingeringLinks::LingeringLinks(Scheduler &scheduler)
    : task_(scheduler, [this](Timestamp now) { return turn(now); }) {}
LingeringLinks::~LingeringLinks() = default;

void LingeringLinks::add(std::unique_ptr<PeerLink> link) {
    if (!link || !link->closed() || link->lingers_until() == 0) {
        return;
    }
    link->reassign(task_);
    links_.push_back(std::move(link));
    if (links_.size() > kMaxLinks) {
        links_.pop_front();
    }
}

Timestamp LingeringLinks::turn(Timestamp now) {
    for (const auto &link : links_) {
        link->service(now);
    }
    std::erase_if(links_, [&](const auto &link) { return link->lingers_until() <= now; });
    auto earliest = kNever;
    for (const auto &link : links_) {
        earliest = std::min(earliest, link->lingers_until());
    }
    return earliest;
}

bool LingeringLinks::owes_reason() const {
    return std::ranges::any_of(links_,
                               [](const auto &link) { return link->closed()->error.has_value(); });
}

void LingeringLinks::clear() { links_.clear(); }

} // namespace thru
