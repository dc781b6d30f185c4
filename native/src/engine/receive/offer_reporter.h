// Reports the offer of a receive. Sums it up off the network thread, and not for every change.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/lifetime.h"
#include "engine/context.h"
#include "engine/events.h"
#include "engine/receive/receive_transfer.h"

namespace thru {

/// Network thread only.
class OfferReporter {
public:
    /// Sums up on `strand`. Wakes `task`, which must outlive this, after each report.
    OfferReporter(EngineContext &context, Scheduler::Task &task, SessionNumber session,
                  std::string peer, std::shared_ptr<DiskPool::Strand> strand);

    /// The offer differs from the last report.
    void changed() { changed_ = true; }
    /// Reports changes at most four times a second; called once per turn. `last`: reports
    /// immediately, because the end of the receive waits for it.
    void service(const ReceiveTransfer &transfer, bool last, Timestamp now);
    bool pending() const { return changed_ || summing_; }
    Timestamp deadline() const { return changed_ && !summing_ ? next_ : kNever; }

private:
    EngineContext &context_;
    SessionNumber session_;
    std::string peer_;
    std::shared_ptr<DiskPool::Strand> strand_;
    bool changed_ = false;
    bool summing_ = false;
    /// Earliest time of the next report.
    Timestamp next_ = 0;
    Lifetime lifetime_;
};

} // namespace thru
