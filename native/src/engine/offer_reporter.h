// Tells what is offered to a receive: summed up off the network thread, and not for every change
// that a sender makes.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "engine/context.h"
#include "engine/events.h"
#include "engine/receive_transfer.h"

namespace thru {

/// Network thread only.
class OfferReporter {
public:
    /// Of this session and peer; sums up on `strand`.
    OfferReporter(EngineContext &context, SessionNumber session, std::string peer,
                  std::shared_ptr<DiskPool::Strand> strand);

    /// The offer is another one than was told.
    void changed() { changed_ = true; }
    /// Tells of changes, four times a second at most; once in each turn of the loop. With `last`
    /// at once, because the end of the receive waits for it.
    void service(const ReceiveTransfer &transfer, bool last, Timestamp now);
    /// A change is not told yet.
    bool pending() const { return changed_ || summing_; }
    Timestamp deadline() const { return changed_ && !summing_ ? next_ : kNever; }

private:
    EngineContext &context_;
    SessionNumber session_;
    std::string peer_;
    std::shared_ptr<DiskPool::Strand> strand_;
    bool changed_ = false;
    bool summing_ = false;
    /// Not to be told again before.
    Timestamp next_ = 0;
    std::shared_ptr<bool> alive_;
};

} // namespace thru
