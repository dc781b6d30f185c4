// A disk pool where no thread can be started.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "fs/disk_pool.h"
#include "support/latch.h"
#include "support/refused_calls.h"

namespace thru {
namespace {

/// True if a pool that can't start threads runs all jobs on its owner's thread, in strand order,
/// including those left when it ends.
bool works_on_the_owners_thread() {
    int wakes = 0;
    std::vector<int> ran;
    std::vector<int> completed;
    {
        DiskPool pool(2, [&wakes] { ++wakes; });
        const auto strand = pool.make_strand();
        for (int job = 0; job < 20; ++job) {
            pool.post(strand, {[&ran, job] { ran.push_back(job); },
                               [&completed, job] { completed.push_back(job); }});
        }
        if (wakes == 0 || !ran.empty()) {
            return false;
        }
        while (completed.size() < 10) {
            pool.run_completions(1);
        }
    }
    return ran.size() == 20 && std::ranges::is_sorted(ran) && std::ranges::is_sorted(completed);
}

/// True if a pool keeps working with the threads it has.
bool works_with_fewer_threads() {
    test::Latch begun(1);
    test::Latch may_end(1);
    test::Latch done(4);
    DiskPool pool(3, [] {});
    pool.post(pool.make_strand(), {[&] {
                                       begun.count_down();
                                       may_end.wait();
                                   },
                                   {}});
    begun.wait();
    test::take_threads_away();
    for (int strand = 0; strand < 4; ++strand) {
        pool.post(pool.make_strand(), {[&done] { done.count_down(); }, {}});
    }
    may_end.count_down();
    done.wait();
    return true;
}

/// True if a job that only waited for a thread is dropped with its pool. It must not run when the
/// only thread returns from a hanging job.
bool drops_what_waits_for_a_thread() {
    test::Latch begun(1);
    test::Latch may_end(1);
    test::Latch ended(1);
    bool ran = false;
    {
        using namespace std::chrono_literals;
        DiskPool pool(3, [] {}, {.job = 1ms, .close = 20ms});
        pool.post(pool.make_strand(), {[&] {
                                           begun.count_down();
                                           may_end.wait();
                                       },
                                       {}});
        begun.wait();
        test::take_threads_away();
        const auto held = std::shared_ptr<void>(nullptr, [&](void *) { ended.count_down(); });
        pool.post(pool.make_strand(), {[&ran, held] { ran = true; }, {}});
    }
    may_end.count_down();
    ended.wait();
    return !ran;
}

TEST(DiskPoolDeathTest, WithoutAnyThreadItsOwnerDoesTheJobs) {
    EXPECT_EXIT(
        {
            test::take_threads_away();
            _exit(works_on_the_owners_thread() ? EXIT_SUCCESS : EXIT_FAILURE);
        },
        testing::ExitedWithCode(EXIT_SUCCESS), "");
}

TEST(DiskPoolDeathTest, DoesNothingAfterItsEndThatHadNoThread) {
    EXPECT_EXIT(_exit(drops_what_waits_for_a_thread() ? EXIT_SUCCESS : EXIT_FAILURE),
                testing::ExitedWithCode(EXIT_SUCCESS), "");
}

TEST(DiskPoolDeathTest, GoesOnWithTheThreadsThatItHas) {
    EXPECT_EXIT(_exit(works_with_fewer_threads() ? EXIT_SUCCESS : EXIT_FAILURE),
                testing::ExitedWithCode(EXIT_SUCCESS), "");
}

} // namespace
} // namespace thru
