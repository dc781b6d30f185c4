#include "fs/disk_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "support/latch.h"

namespace thru {
namespace {

/// Acts as the engine's loop: sleeps until woken, then runs completions.
class Owner {
public:
    void wake() {
        const std::lock_guard lock(mutex_);
        ++wakes_;
        woken_.notify_one();
    }

    void run_until(DiskPool &pool, const std::function<bool()> &done) {
        while (!done()) {
            std::unique_lock lock(mutex_);
            woken_.wait(lock, [this] { return wakes_ > 0; });
            wakes_ = 0;
            lock.unlock();
            while (pool.run_completions(3)) {
            }
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable woken_;
    int wakes_ = 0;
};

TEST(DiskPool, RunsJobsOfAStrandInOrderOneAtATime) {
    Owner owner;
    DiskPool pool(4, [&owner] { owner.wake(); });
    // Written by pool threads without a lock: the strand is the lock.
    std::vector<std::vector<int>> seen(8);
    std::vector<std::vector<int>> completed(8);
    std::vector<std::shared_ptr<DiskPool::Strand>> strands;
    for (std::size_t strand = 0; strand < seen.size(); ++strand) {
        strands.push_back(pool.make_strand());
    }
    int left = 0;
    for (int job = 0; job < 200; ++job) {
        for (std::size_t strand = 0; strand < seen.size(); ++strand) {
            ++left;
            pool.post(strands[strand], {[&seen, strand, job] { seen[strand].push_back(job); },
                                        [&completed, &left, strand, job] {
                                            completed[strand].push_back(job);
                                            --left;
                                        }});
        }
    }
    owner.run_until(pool, [&left] { return left == 0; });
    for (std::size_t strand = 0; strand < seen.size(); ++strand) {
        ASSERT_EQ(seen[strand].size(), 200u);
        EXPECT_TRUE(std::ranges::is_sorted(seen[strand]));
        EXPECT_EQ(completed[strand], seen[strand]);
    }
}

TEST(DiskPool, RunsStrandsSideBySide) {
    test::Latch both(2);
    DiskPool pool(2, [] {});
    for (int strand = 0; strand < 2; ++strand) {
        pool.post(pool.make_strand(), {[&both] { both.arrive_and_wait(); }, {}});
    }
    both.wait();
}

TEST(DiskPool, RunsCompletionsOnTheOwnersThreadAFewAtATime) {
    test::Latch done(5);
    DiskPool pool(2, [] {});
    std::vector<std::thread::id> threads;
    for (int strand = 0; strand < 5; ++strand) {
        pool.post(pool.make_strand(),
                  {[] {}, [&threads] { threads.push_back(std::this_thread::get_id()); }});
    }
    const auto strand = pool.make_strand();
    for (int job = 0; job < 5; ++job) {
        pool.post(strand, {[&done] { done.count_down(); }, {}});
    }
    done.wait();
    while (threads.size() < 4) {
        pool.run_completions(4 - threads.size());
    }
    EXPECT_EQ(threads.size(), 4u);
    while (threads.size() < 5) {
        pool.run_completions(4);
    }
    EXPECT_FALSE(pool.run_completions(1));
    for (const auto &thread : threads) {
        EXPECT_EQ(thread, std::this_thread::get_id());
    }
}

TEST(DiskPool, RunsWhatIsQueuedAndDropsCompletionsWhenItEnds) {
    int ran = 0;
    bool completed = false;
    auto held = std::make_shared<int>(1);
    {
        DiskPool pool(1, [] {});
        const auto strand = pool.make_strand();
        for (int job = 0; job < 50; ++job) {
            pool.post(strand, {[&ran, held] { ++ran; }, [&completed, held] { completed = true; }});
        }
    }
    EXPECT_EQ(ran, 50);
    EXPECT_FALSE(completed);
    EXPECT_EQ(held.use_count(), 1);
}

TEST(DiskPool, FinishesJobsOfADroppedStrandAndThoseThatJobsPost) {
    std::atomic<int> ran = 0;
    {
        DiskPool pool(3, [] {});
        for (int chain = 0; chain < 20; ++chain) {
            auto strand = pool.make_strand();
            pool.post(strand, {[&pool, &ran] {
                                   ++ran;
                                   pool.post(pool.make_strand(), {[&ran] { ++ran; }, {}});
                               },
                               {}});
        }
    }
    EXPECT_EQ(ran, 40);
}

TEST(DiskPool, MakesUpForThreadsThatHang) {
    Owner owner;
    test::Latch answer(1);
    bool done = false;
    DiskPool pool(2, [&owner] { owner.wake(); }, {.job = std::chrono::milliseconds(1)});
    for (int hung = 0; hung < 2; ++hung) {
        pool.post(pool.make_strand(), {[&answer] { answer.wait(); }, {}});
    }
    pool.post(pool.make_strand(), {[] {}, [&done] { done = true; }});
    while (!done) {
        pool.run_completions(10);
    }
    EXPECT_FALSE(pool.waits());
    answer.count_down();
}

TEST(DiskPool, ADiskThatHangsTakesFewThreadsFromOthers) {
    constexpr std::size_t kJobsAtOnce = 2;
    constexpr std::uint64_t kDead = 7;
    constexpr std::size_t kJobs = 100;
    test::Latch answer(1);
    std::atomic<std::size_t> begun = 0;
    std::size_t ended = 0;
    bool done = false;
    DiskPool pool(kJobsAtOnce, [] {}, {.job = std::chrono::milliseconds(1)});
    for (std::size_t job = 0; job < kJobs; ++job) {
        pool.post(pool.make_strand(), {.work =
                                           [&] {
                                               ++begun;
                                               answer.wait();
                                           },
                                       .completion = [&ended] { ++ended; },
                                       .use = {.disk = kDead}});
    }
    pool.post(pool.make_strand(),
              {.work = [] {}, .completion = [&done] { done = true; }, .use = {.disk = kDead + 1}});
    while (!done || pool.waits()) {
        pool.run_completions(10);
    }
    EXPECT_LE(begun, DiskPool::kMaxHangingOnDisk + kJobsAtOnce);
    answer.count_down();
    while (ended < kJobs) {
        pool.run_completions(10);
    }
}

TEST(DiskPool, EndsAlthoughAJobHangs) {
    const auto answer = std::make_shared<test::Latch>(1);
    const auto let_go = std::make_shared<test::Latch>(2);
    const auto next = std::make_shared<std::atomic<bool>>(false);
    std::atomic<bool> behind = false;
    {
        const auto hold = [let_go] {
            return std::shared_ptr<void>(nullptr, [let_go](void *) { let_go->count_down(); });
        };
        DiskPool pool(
            1, [] {},
            {.job = std::chrono::milliseconds(1), .close = std::chrono::milliseconds(500)});
        const auto strand = pool.make_strand();
        pool.post(strand, {[answer, held = hold()] { answer->wait(); }, {}});
        pool.post(strand, {[next, held = hold()] { *next = true; }, {}});
        pool.post(pool.make_strand(), {[&behind] { behind = true; }, {}});
    }
    EXPECT_TRUE(behind) << "another strand waited for the one that hangs";
    answer->count_down();
    let_go->wait();
    EXPECT_FALSE(*next) << "long after its owner";
}

TEST(DiskPool, LetsGoOfWhatAJobHoldsOnThePool) {
    Owner owner;
    DiskPool pool(1, [&owner] { owner.wake(); });
    std::thread::id released_on;
    bool done = false;
    {
        std::shared_ptr<void> held(
            nullptr, [&released_on](void *) { released_on = std::this_thread::get_id(); });
        pool.post(pool.make_strand(), {[held = std::move(held)] {}, [&done] { done = true; }});
    }
    owner.run_until(pool, [&done] { return done; });
    EXPECT_NE(released_on, std::this_thread::get_id());
}

} // namespace
} // namespace thru
