// A journal whose disk failed one sync.
#include <gtest/gtest.h>

#include "crash/sim_disk.h"
#include "journal/journal.h"

namespace thru::test {
namespace {

using fs::ErrorKind;

constexpr std::uint64_t kExtentBytes = 100;
/// Enough records for several blocks of the disk.
constexpr std::uint64_t kExtents = 600;

TEST(JournalSync, LosesNoRecordBehindASyncThatFailed) {
    SimDisk disk;
    disk.put_folder("/home");
    const auto root = fs::open_folder("/home").value();
    auto journal = Journal::create(root, "000001", {.id = {1}}).value();
    ASSERT_TRUE(journal->add({.path = "file", .size = kExtents * kExtentBytes}));
    const auto append = [&](std::uint64_t first, std::uint64_t end) {
        for (std::uint64_t extent = first; extent < end; ++extent) {
            journal->append(
                ExtentRecord{.extent = {.offset = extent * kExtentBytes, .length = kExtentBytes}});
        }
    };
    append(0, 200);
    ASSERT_TRUE(journal->sync());
    append(200, 400);
    disk.fail(SimCall::SyncData, ErrorKind::Io);
    EXPECT_FALSE(journal->sync());
    EXPECT_TRUE(journal->sync());
    append(400, kExtents);
    ASSERT_TRUE(journal->sync());
    journal.reset();
    const auto image = disk.image();
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        disk.set_image(image);
        disk.lose_power(seed);
        const auto file = fs::open_for_reading("/home/" + journal_name("000001"));
        ASSERT_TRUE(file) << seed;
        const auto read = read_journal(*file);
        ASSERT_TRUE(read) << seed;
        ASSERT_NE(read->content.file(0), nullptr) << seed;
        EXPECT_EQ(read->content.file(0)->extents.size(), kExtents) << seed;
    }
}

} // namespace
} // namespace thru::test
