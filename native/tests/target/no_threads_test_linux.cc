// Receiving in a process that can't start threads.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "fs/writeback.h"
#include "support/refused_calls.h"
#include "support/sizes.h"
#include "target/local_transfer.h"
#include "transfer/manifests.h"

namespace thru {
namespace {

TEST(ReceiveFolderDeathTest, NamesThousandsOfFilesWithoutAnotherThread) {
    const test::TemporaryFolder target;
    constexpr std::size_t kFiles = 2'000;
    auto manifest = std::make_shared<ManifestTable>();
    SegmentPlan plan;
    std::vector<std::uint64_t> all;
    for (std::size_t index = 0; index < kFiles; ++index) {
        ASSERT_TRUE(manifest->add(test::file(std::to_string(index), 1)));
        plan.push_back({.index = index, .offset = 0, .length = 1});
        all.push_back(index);
    }
    const auto received = test::open_in(target.path(), manifest);
    const std::string data(kFiles, 'x');
    ASSERT_TRUE(test::write_segment(received, test::segment_stream(plan, data)).whole());
    received->add_complete(all);
    EXPECT_EXIT(
        {
            test::take_threads_away();
            const CommitResult result = received->commit();
            _exit(result.published.size() == kFiles ? EXIT_SUCCESS : EXIT_FAILURE);
        },
        testing::ExitedWithCode(EXIT_SUCCESS), "");
}

TEST(OlderVersionDeathTest, IsCopiedWithoutAnotherThread) {
    const test::TemporaryFolder folder;
    const auto root = fs::open_folder(folder.path().string()).value();
    if (!fs::open_direct(fs::create_file(root, "probe", fs::kPlainMode).value())) {
        GTEST_SKIP() << "nothing is written directly on this file system";
    }
    const std::string old = test::noise(3 * test::kMiB, 1);
    test::write_file(folder / "file", old + "new");
    test::make_old(folder / "file");
    std::filesystem::create_directory(folder / "in");
    test::write_file(folder / "in" / "file", old);
    EXPECT_EXIT(
        {
            test::take_threads_away();
            const auto done = test::transfer({(folder / "file").string()}, folder / "in",
                                             {.receive = {.conflict = ConflictPolicy::Update}});
            const bool reused = done.finished && done.bytes_reused == old.size();
            _exit(reused && test::read_file(folder / "in" / "file") == old + "new" ? EXIT_SUCCESS
                                                                                   : EXIT_FAILURE);
        },
        testing::ExitedWithCode(EXIT_SUCCESS), "");
}

} // namespace
} // namespace thru
