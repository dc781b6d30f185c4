// A few threads for everything that may block on a disk. Jobs of one strand run in order, one at a
// time; jobs of different strands run side by side. A thread whose job hangs, as on a network drive
// that went away, is made up for by another one; a disk on which many hang gets no further ones.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace thru {

/// Work on the pool, then its result on the owner's thread. Neither may throw.
struct DiskJob {
    std::function<void()> work;
    /// Called by run_completions; may be empty.
    std::function<void()> completion;
    /// Number of the disk that it uses. Without one the job begins whatever hangs.
    std::optional<std::uint64_t> disk = std::nullopt;
};

class DiskPool {
public:
    /// A queue whose jobs keep their order. Dropping it lets queued jobs finish.
    class Strand;

    /// While so many jobs of one disk hang, no more of them begin: else a disk that went away would
    /// take all threads, of which there are 64 at most.
    static constexpr std::size_t kMostHangingOnDisk = 8;

    /// How long the pool waits before it acts.
    struct Patience {
        /// A job after which its thread counts as hanging.
        std::chrono::nanoseconds job = std::chrono::seconds(1);
        /// Closing, while no job ends.
        std::chrono::nanoseconds close = std::chrono::seconds(10);
    };

    /// `on_completion` is called on a pool thread whenever completions wait; it only wakes.
    DiskPool(std::size_t threads, std::function<void()> on_completion, Patience patience);
    DiskPool(std::size_t threads, std::function<void()> on_completion)
        : DiskPool(threads, std::move(on_completion), Patience{}) {}
    /// Runs what is queued, ends the threads, drops completions. Jobs that hang are left to
    /// themselves, and so is what waits behind them: as if the program had been killed there.
    ~DiskPool();
    DiskPool(const DiskPool &) = delete;
    DiskPool &operator=(const DiskPool &) = delete;

    std::shared_ptr<Strand> make_strand();
    void post(const std::shared_ptr<Strand> &strand, DiskJob job);

    /// Runs waiting completions on the caller's thread, at most `limit`; true when some are left.
    /// Makes up for threads that hang: to be called at least once a second while jobs wait.
    bool run_completions(std::size_t limit);
    /// Jobs wait for a thread.
    bool waits() const;

private:
    struct State;
    /// With the threads, which can outlast this.
    std::shared_ptr<State> state_;
};

} // namespace thru
