#include "engine/receive/offer_reporter.h"

#include <utility>

namespace thru {

namespace {

constexpr std::size_t kMaxOfferedItems = 1000;
/// Fast enough for people; a million entries take 100 ms of a disk thread each time.
constexpr Timestamp kInterval = 250 * kMillisecond;

} // namespace

OfferReporter::OfferReporter(EngineContext &context, Scheduler::Task &task, SessionNumber session,
                             std::string peer, std::shared_ptr<DiskPool::Strand> strand)
    : context_(context), session_(session), peer_(std::move(peer)), strand_(std::move(strand)),
      lifetime_([&task] { task.wake(); }) {}

void OfferReporter::service(const ReceiveTransfer &transfer, bool last, Timestamp now) {
    if (!changed_ || summing_ || (!last && now < next_)) {
        return;
    }
    next_ = now + kInterval;
    if (!last && context_.events.full()) {
        return;
    }
    changed_ = false;
    summing_ = true;
    OfferEvent offer{.session = session_,
                     .peer = peer_,
                     .followable = transfer.followable(),
                     .left_out = transfer.left_out()};
    context_.disk.fetch(
        strand_, lifetime_, {},
        [offer = std::move(offer), manifest = transfer.manifest(), end = transfer.offered_end(),
         removed = transfer.removed()]() mutable {
            auto sum = manifest->summary({.count = end}, kMaxOfferedItems, removed);
            offer.files = sum.files;
            offer.folders = sum.folders;
            offer.bytes = sum.bytes;
            offer.dot_names = sum.dot_names;
            for (auto &top : sum.items) {
                offer.items.push_back({.top = std::move(top)});
            }
            return std::move(offer);
        },
        [this](OfferEvent summed) {
            summing_ = false;
            context_.events.push(std::move(summed));
        });
}

} // namespace thru
