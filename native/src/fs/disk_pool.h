// A few threads for everything that may block on a disk. Jobs of one strand run in order, one at a
// time. Jobs of different strands run in parallel, a few at a time per lane and disk. A job that
// hangs, as on a lost network drive, makes room for another, up to a limit per disk.
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

/// Kinds of jobs. A job never waits for another lane, even if both need the same disk.
enum class DiskLane : std::uint8_t {
    /// Scans, lists, comparing, preparing, choices: a person or the transfer waits for the result.
    Lookup,
    /// Data on its way from or to the network.
    Data,
    /// Makes written data durable.
    Commit,
};
inline constexpr std::size_t kDiskLanes = 3;

struct DiskUse {
    DiskLane lane = DiskLane::Lookup;
    /// Number of the disk; nullopt if the job needs none, or its disk is not known yet.
    std::optional<std::uint64_t> disk = std::nullopt;
    bool operator==(const DiskUse &) const = default;
};

/// Work on the pool, then a completion on the owner's thread. Neither may throw.
struct DiskJob {
    std::function<void()> work;
    /// Called by run_completions; may be empty.
    std::function<void()> completion;
    DiskUse use;
};

class DiskPool {
public:
    /// A queue whose jobs keep their order. Queued jobs still run after the last reference is gone.
    class Strand;

    /// Maximum number of hanging jobs of one disk in a lane before no more start. Otherwise a lost
    /// disk would take all threads of the lane.
    static constexpr std::size_t kMaxHangingOnDisk = 8;
    /// Maximum number of running jobs in one lane, including hanging ones.
    static constexpr std::size_t kMaxInLane = 32;

    /// A value of `at_once` for tests: all jobs run in the order of posting, one at a time.
    static constexpr std::size_t kInOrder = 0;

    struct Patience {
        /// Time after which a job counts as hanging.
        std::chrono::nanoseconds job = std::chrono::seconds(1);
        /// Time without a finished job after which closing gives up.
        std::chrono::nanoseconds close = std::chrono::seconds(10);
    };

    /// Runs `at_once` jobs of each lane and disk in parallel, or kInOrder. `on_completion` is
    /// called on a pool thread when completions wait; it must only wake the owner.
    DiskPool(std::size_t at_once, std::function<void()> on_completion, Patience patience);
    DiskPool(std::size_t at_once, std::function<void()> on_completion)
        : DiskPool(at_once, std::move(on_completion), Patience{}) {}
    /// Runs queued jobs, ends the threads, and drops completions. Hanging jobs and those behind
    /// them are abandoned, as if the process had been killed at that point.
    ~DiskPool();
    DiskPool(const DiskPool &) = delete;
    DiskPool &operator=(const DiskPool &) = delete;

    std::shared_ptr<Strand> make_strand();

    /// Runs `work` even if its owner is gone, then `then` with the result on the owner's thread,
    /// unless the owner is gone by then.
    template <class Work, class Then>
    void run(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use, Work work,
             Then then) {
        post_for(strand, owner, use, false, std::move(work), std::move(then));
    }
    /// Like run, but skips work whose owner is gone before it starts.
    template <class Work, class Then>
    void fetch(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use, Work work,
               Then then) {
        post_for(strand, owner, use, true, std::move(work), std::move(then));
    }
    /// Posts a job without an owner.
    void post(const std::shared_ptr<Strand> &strand, DiskJob job);

    /// Runs at most `limit` waiting completions on the caller's thread; returns true if more may be
    /// left. Also replaces hanging jobs, so it must be called at least once a second while jobs
    /// wait. Runs a job itself if the system has no thread for the pool.
    bool run_completions(std::size_t limit);
    /// True if waiting jobs can start after some time, even if no running job ends.
    bool waits() const;

private:
    template <class Work, class Then>
    void post_for(const std::shared_ptr<Strand> &strand, const Lifetime &owner, DiskUse use,
                  bool only_if_wanted, Work work, Then then);

    struct State;
    /// Shared with the threads, which may outlive the pool.
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
