// Receivers start, take, stop and leave at random, while time passes and a file changes.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/held_disk.h"
#include "engine/segment_cache.h"
#include "engine/taking.h"
#include "fs/disk.h"

namespace thru::test {
namespace {

constexpr std::size_t kMaxAtOnce = 12;
constexpr std::uint64_t kSmallFiles = 40;
constexpr std::uint64_t kSteps = 150;
constexpr std::size_t kLargeBytes = 1'500'000;

/// One share, whose large file changes once.
class Walk {
public:
    explicit Walk(std::uint64_t seed) : random_(seed) {
        write("large", test::noise(kLargeBytes, seed));
        for (std::uint64_t file = 0; file < kSmallFiles; ++file) {
            write("small" + std::to_string(file), test::noise(file % 5 * 20'000, seed + file));
        }
        share_.add(paths_);
        const auto large = share_.index_of("large");
        SegmentPlan batch;
        for (std::uint64_t file = 0; file < kSmallFiles; ++file) {
            const auto index = share_.index_of("small" + std::to_string(file));
            batch.push_back({index, 0, share_.manifest->file_size(index)});
        }
        std::ranges::sort(batch, {}, &Piece::index);
        plans_ = {{{large, 0, kLargeBytes}}, {{large, 0, 1'000'000}}, {{large, 7, 1}}, batch};
        for (const auto &plan : plans_) {
            contents_.push_back(*test::read_segment(share_, plan));
        }
    }

    void step() {
        switch (below(10)) {
        case 0:
        case 1:
            come();
            break;
        case 2:
            if (!receivers_.empty()) {
                receivers_.erase(receivers_.begin() + any_receiver());
            }
            break;
        case 3:
            now_ += below(2 * kSecond);
            scheduler_.run(now_);
            break;
        case 4:
            disk_.hold();
            break;
        case 5:
        case 6:
            disk_.release();
            disk_.finish();
            break;
        default:
            if (!receivers_.empty()) {
                auto &taking = *receivers_[static_cast<std::size_t>(any_receiver())].taking;
                taking.take(below(8));
            }
        }
        check();
    }
    void change() {
        test::write_file(folder_ / "large", test::noise(kLargeBytes, 99));
        changed_at_ = now_;
    }
    void end() {
        for (auto &each : receivers_) {
            each.taking->take_all();
        }
        disk_.release();
        disk_.finish();
        check();
        for (const auto &each : receivers_) {
            EXPECT_TRUE(each.taking->done() || each.taking->failure()) << "waits for ever";
        }
        receivers_.clear();
        EXPECT_EQ(cache_.kept_bytes(), 0U) << "kept for nobody";
    }

private:
    struct Receiver {
        std::size_t plan = 0;
        Timestamp begun = 0;
        bool alone = false;
        bool after_change = false;
        std::unique_ptr<Taking> taking;
    };

    std::uint64_t below(std::uint64_t end) { return random_() % end; }
    void write(const std::string &name, const std::string &content) {
        const auto path = folder_ / name;
        test::write_file(path, content);
        // Makes any later change visible in the modification time.
        test::make_old(path);
        paths_.push_back(path.string());
    }
    std::ptrdiff_t any_receiver() { return static_cast<std::ptrdiff_t>(below(receivers_.size())); }
    void come() {
        if (receivers_.size() == kMaxAtOnce) {
            return;
        }
        const auto plan = below(plans_.size());
        const bool alone = below(6) == 0;
        auto reader = alone ? cache_.open_alone(share_.files, plans_[plan], 0)
                            : cache_.open(share_.files, plans_[plan], 0);
        receivers_.push_back(
            {.plan = plan,
             .begun = now_,
             .alone = alone,
             .after_change = changed_at_.has_value(),
             .taking = std::make_unique<Taking>(cache_, share_, std::move(reader))});
    }
    /// Completed segments match the share, and only receivers of changed files fail.
    void check() {
        EXPECT_LE(cache_.kept_bytes(), kMaxCached);
        for (const auto &each : receivers_) {
            const auto &got = each.taking->got();
            const auto &content = contents_[each.plan];
            const bool of_large = each.plan < 3;
            const bool changes = changed_at_ && of_large;
            // A change is detected at the end of the file: bytes read until then are void.
            if (!changes || each.taking->done()) {
                ASSERT_LE(got.size(), content.size());
                ASSERT_TRUE(std::equal(got.begin(), got.end(), content.begin()));
            }
            EXPECT_FALSE(each.taking->failure() && !changes);
            const bool too_late = of_large && each.after_change &&
                                  (each.alone || each.begun >= *changed_at_ + kSharedFor);
            EXPECT_FALSE(too_late && each.taking->done()) << "given what was there before";
        }
    }

    std::mt19937_64 random_;
    const test::TemporaryFolder folder_;
    std::vector<std::string> paths_;
    test::Share share_;
    std::vector<SegmentPlan> plans_;
    std::vector<Bytes> contents_;
    Timestamp now_ = kSecond;
    std::optional<Timestamp> changed_at_;
    test::HeldDisk disk_;
    Scheduler scheduler_;
    SegmentCache cache_{disk_.pool(), scheduler_, BufferPool::create(), [this] { return now_; }};
    std::vector<Receiver> receivers_;
};

TEST(SegmentCacheWalk, EachGetsWhatWasSharedOrLearnsOfTheChange) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Walk walk(seed);
        for (std::uint64_t step = 0; step < kSteps; ++step) {
            if (step == kSteps / 2) {
                walk.change();
            }
            walk.step();
        }
        walk.end();
        if (testing::Test::HasFailure()) {
            return;
        }
    }
}

} // namespace
} // namespace thru::test
