// A few threads for everything that may block on a disk. Jobs of one strand run in order, one at a
// time; jobs of different strands run side by side, a few at once of each lane and disk. One that
// hangs, as on a network drive that went away, is made up for by another one; a disk on which many
// hang gets no further ones.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/lifetime.h"

namespace thru {

/// Kinds of jobs. Those of one lane wait for none of another, even if they need the same disk.
enum class DiskLane : std::uint8_t {
    /// Scans, lists, comparing, preparing, choices: somebody waits for the result.
    Lookup,
    /// Bytes on their way from or to the network.
    Data,
    /// Making what was written durable.
    Commit,
};
inline constexpr std::size_t kDiskLanes = 3;

/// What a job needs.
struct DiskUse {
    DiskLane lane = DiskLane::Lookup;
    /// Number of the disk; nullopt for none, or one that is not known yet.
    std::optional<std::uint64_t> disk = std::nullopt;
    bool operator==(const DiskUse &) const = default;
};

/// Work on the pool, then its completion on the owner's thread. Neither may throw.
struct DiskJob {
    std::function<void()> work;
    /// Called by run_completions; may be empty.
    std::function<void()> completion;
    DiskUse use;
};

class DiskPool {
public:
    /// A queue whose jobs keep their order. Dropping it lets queued jobs finish.
    class Strand;

    /// While so many jobs of one disk hang in a lane, no more of them begin there: else a disk that
    /// went away would take all threads of the lane.
    static constexpr std::size_t kMaxHangingOnDisk = 8;
    /// Jobs of one lane that are under way, those that hang included.
    static constexpr std::size_t kMaxInLane = 32;

    /// For those who have to know what happens when: all jobs are begun in the order of their
    /// posting, one at a time, whatever they need.
    static constexpr std::size_t kInOrder = 0;

    /// How long the pool waits before it acts.
    struct Patience {
        /// A job after which it counts as hanging.
        std::chrono::nanoseconds job = std::chrono::seconds(1);
        /// Closing, while no job ends.
        std::chrono::nanoseconds close = std::chrono::seconds(10);
    };

    /// Runs `at_once` jobs of one lane and disk at once, or kInOrder. `on_completion` is called on
    /// a pool thread whenever completions wait; it only wakes.
    DiskPool(std::size_t at_once, std::function<void()> on_completion, Patience patience);
    DiskPool(std::size_t at_once, std::function<void()> on_completion)
        : DiskPool(at_once, std::move(on_completion), Patience{}) {}
    /// Runs what is queued, ends the threads, drops completions. Jobs that hang are left to
    /// themselves, and so is what waits behind them: as if the program had been killed there.
    ~DiskPool();
    DiskPool(const DiskPool &) = delete;
    DiskPool &operator=(const DiskPool &) = delete;

    std::shared_ptr<Strand> make_strand();

    /// Runs `work`, whatever becomes of its owner; then `then` with what it returned, on the
    /// owner's thread, unless the owner is gone by then.
    template <class Work, class Then>
    void run(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use, Work work,
             Then then) {
        post_for(strand, owner, use, false, std::move(work), std::move(then));
    }
    /// As run, for work that is nothing without its result: skipped when its owner is gone before
    /// it begins.
    template <class Work, class Then>
    void fetch(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use, Work work,
               Then then) {
        post_for(strand, owner, use, true, std::move(work), std::move(then));
    }
    /// A job that its owner leaves behind.
    void post(const std::shared_ptr<Strand> &strand, DiskJob job);

    /// Runs waiting completions on the caller's thread, at most `limit`; true when some are left,
    /// or may be. Makes up for jobs that hang: to be called at least once a second while jobs wait.
    /// Does a job itself when the system has no thread for the pool.
    bool run_completions(std::size_t limit);
    /// Jobs wait that may begin in time, whatever happens to those under way.
    bool waits() const;

private:
    template <class Work, class Then>
    void post_for(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use,
                  bool only_if_wanted, Work work, Then then);

    struct State;
    /// With the threads, which can outlast this.
    std::shared_ptr<State> state_;
};

template <class Work, class Then>
void DiskPool::post_for(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use,
                        bool only_if_wanted, Work work, Then then) {
    using Value = std::invoke_result_t<Work &>;
    constexpr bool kIsVoid = std::is_void_v<Value>;
    using Kept = std::conditional_t<kIsVoid, std::monostate, Value>;
    const auto result = std::make_shared<std::optional<Kept>>();
    post(strand,
         {.work =
              [owner = owner.watch(), only_if_wanted, result, work = std::move(work)]() mutable {
                  if (only_if_wanted && owner.over()) {
                      return;
                  }
                  if constexpr (kIsVoid) {
                      work();
                  } else {
                      result->emplace(work());
                  }
              },
          .completion =
              [owner = owner.watch(), result, then = std::move(then)]() mutable {
                  if (owner.over()) {
                      return;
                  }
                  if constexpr (kIsVoid) {
                      then();
                  } else {
                      then(std::move(**result));
                  }
                  owner.on_result();
              },
          .use = use});
}

} // namespace thru
