// Work on the disk pool, and its result, when the owner of the work ends.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "fs/disk_pool.h"
#include "support/latch.h"

namespace thru {
namespace {

/// An owner of work, and the results it received.
struct Asker {
    std::vector<int> heard;
    Lifetime lifetime;
};

class DiskPoolOwner : public testing::Test {
protected:
    /// Waits for all posted work and its completions.
    void finish() {
        hold_.count_down();
        bool done = false;
        pool_.post(strand_, {.work = [] {}, .completion = [&done] { done = true; }, .use = {}});
        while (!done) {
            pool_.run_completions(1);
        }
    }

    test::Latch hold_{1};
    DiskPool pool_{1, [] {}};
    std::shared_ptr<DiskPool::Strand> strand_ = pool_.make_strand();
    std::unique_ptr<Asker> asker_ = std::make_unique<Asker>();
};

TEST_F(DiskPoolOwner, GetsWhatItsWorkReturned) {
    pool_.run(
        strand_, asker_->lifetime, {}, [] { return std::make_unique<int>(1); },
        [this](std::unique_ptr<int> value) { asker_->heard.push_back(*value); });
    pool_.fetch(
        strand_, asker_->lifetime, {}, [] { return 2; },
        [this](int value) { asker_->heard.push_back(value); });
    bool ran = false;
    pool_.run(
        strand_, asker_->lifetime, {}, [&ran] { ran = true; },
        [this, &ran] { asker_->heard.push_back(ran ? 3 : 0); });
    finish();
    EXPECT_EQ(asker_->heard, (std::vector{1, 2, 3}));
}

TEST_F(DiskPoolOwner, ThatIsGoneHearsNothing) {
    bool ran = false;
    const auto then = [](int) { FAIL() << "heard of it after its end"; };
    pool_.post(strand_, {.work = [this] { hold_.wait(); }, .completion = {}, .use = {}});
    pool_.run(
        strand_, asker_->lifetime, {},
        [&ran] {
            ran = true;
            return 1;
        },
        then);
    asker_.reset();
    finish();
    EXPECT_TRUE(ran) << "others rely on it";
}

TEST_F(DiskPoolOwner, ThatIsGoneLetsWorkForItsResultBeSkipped) {
    bool ran = false;
    const auto held = std::make_shared<int>(1);
    pool_.post(strand_, {.work = [this] { hold_.wait(); }, .completion = {}, .use = {}});
    pool_.fetch(
        strand_, asker_->lifetime, {},
        [&ran, held] {
            ran = true;
            return 1;
        },
        [held](int) { FAIL() << "heard of it after its end"; });
    asker_.reset();
    finish();
    EXPECT_FALSE(ran);
    EXPECT_EQ(held.use_count(), 1);
}

} // namespace
} // namespace thru
