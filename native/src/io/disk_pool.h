// A few threads for everything that may block on a disk. Jobs of one strand run in order, one at a
// time; jobs of different strands run side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace thru {

/// Work on the pool, then its result on the owner's thread. Neither may throw.
struct DiskJob {
    std::function<void()> work;
    /// Called by run_completions; may be empty.
    std::function<void()> completion;
};

class DiskPool {
public:
    /// A queue whose jobs keep their order. Dropping it lets queued jobs finish.
    class Strand;

    /// `on_completion` is called on a pool thread whenever completions wait; it only wakes.
    DiskPool(std::size_t threads, std::function<void()> on_completion);
    /// Runs what is queued, joins the threads, drops completions.
    ~DiskPool();
    DiskPool(const DiskPool &) = delete;
    DiskPool &operator=(const DiskPool &) = delete;

    std::shared_ptr<Strand> make_strand();
    void post(const std::shared_ptr<Strand> &strand, DiskJob job);

    /// Runs waiting completions on the caller's thread, at most `limit`; true when some are left.
    bool run_completions(std::size_t limit);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace thru
