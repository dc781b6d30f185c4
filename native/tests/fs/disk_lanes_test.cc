// Lanes of the disk pool: jobs that wait for each other, and jobs that don't.
#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "fs/disk_pool.h"
#include "support/latch.h"

namespace thru {
namespace {

constexpr std::size_t kAtOnce = 2;
constexpr std::uint64_t kDisk = 7;
/// Patience that never counts a job as hanging.
constexpr DiskPool::Patience kEndless{.job = std::chrono::hours(1)};
/// Patience that counts every running job as hanging.
constexpr DiskPool::Patience kNone{.job = std::chrono::nanoseconds(0)};
constexpr auto kLanes = {DiskLane::Lookup, DiskLane::Data, DiskLane::Commit};

/// Jobs that run until the end of the test.
class StuckJobs {
public:
    ~StuckJobs() { end(); }

    void post(DiskPool &pool, DiskUse use, std::size_t count) {
        for (std::size_t job = 0; job < count; ++job) {
            pool.post(pool.make_strand(), {.work =
                                               [this] {
                                                   ++begun_;
                                                   answer_.wait();
                                               },
                                           .completion = {},
                                           .use = use});
        }
    }
    std::size_t begun() const { return begun_; }
    void end() {
        if (!answer_.try_wait()) {
            answer_.count_down();
        }
    }

private:
    test::Latch answer_{1};
    std::atomic<std::size_t> begun_ = 0;
};

/// Runs a job of this kind on a new strand, and waits for it.
void expect_runs(DiskPool &pool, DiskUse use) {
    bool done = false;
    pool.post(pool.make_strand(),
              {.work = [] {}, .completion = [&done] { done = true; }, .use = use});
    while (!done) {
        pool.run_completions(1);
    }
}

TEST(DiskLanes, OneHoldsUpNoOther) {
    for (const DiskLane stuck : kLanes) {
        StuckJobs jobs;
        DiskPool pool(kAtOnce, [] {}, kEndless);
        jobs.post(pool, {.lane = stuck, .disk = kDisk}, 10);
        for (const DiskLane lane : kLanes) {
            if (lane != stuck) {
                expect_runs(pool, {.lane = lane, .disk = kDisk});
            }
        }
        EXPECT_LE(jobs.begun(), kAtOnce);
        jobs.end();
    }
}

TEST(DiskLanes, OneDiskHoldsUpNoOther) {
    StuckJobs jobs;
    DiskPool pool(kAtOnce, [] {}, kEndless);
    jobs.post(pool, {.lane = DiskLane::Data, .disk = kDisk}, 10);
    expect_runs(pool, {.lane = DiskLane::Data, .disk = kDisk + 1});
    expect_runs(pool, {.lane = DiskLane::Data});
    EXPECT_LE(jobs.begun(), kAtOnce);
    jobs.end();
}

TEST(DiskLanes, HoweverManyHangInOneTheOthersGoOn) {
    StuckJobs jobs;
    DiskPool pool(kAtOnce, [] {}, kNone);
    jobs.post(pool, {.lane = DiskLane::Lookup}, 200);
    jobs.post(pool, {.lane = DiskLane::Data, .disk = kDisk}, 200);
    for (const DiskLane lane : {DiskLane::Data, DiskLane::Commit}) {
        expect_runs(pool, {.lane = lane});
    }
    expect_runs(pool, {.lane = DiskLane::Commit, .disk = kDisk});
    EXPECT_LE(jobs.begun(), DiskPool::kMaxInLane + DiskPool::kMaxHangingOnDisk + kAtOnce);
    jobs.end();
}

TEST(DiskLanes, AStrandKeepsItsOrderAcrossThem) {
    std::vector<int> seen;
    {
        DiskPool pool(kAtOnce, [] {});
        const auto strand = pool.make_strand();
        for (int job = 0; job < 300; ++job) {
            const DiskUse use{.lane = *(kLanes.begin() + job % 3),
                              .disk = static_cast<std::uint64_t>(job % 2)};
            pool.post(
                strand,
                {.work = [&seen, job] { seen.push_back(job); }, .completion = {}, .use = use});
        }
    }
    ASSERT_EQ(seen.size(), 300U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST(DiskLanes, AreOneInAPoolThatKeepsTheOrder) {
    std::vector<int> seen;
    {
        DiskPool pool(DiskPool::kInOrder, [] {});
        for (int job = 0; job < 300; ++job) {
            const DiskUse use{.lane = *(kLanes.begin() + job % 3),
                              .disk = static_cast<std::uint64_t>(job % 2)};
            pool.post(
                pool.make_strand(),
                {.work = [&seen, job] { seen.push_back(job); }, .completion = {}, .use = use});
        }
    }
    ASSERT_EQ(seen.size(), 300U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
}

} // namespace
} // namespace thru
