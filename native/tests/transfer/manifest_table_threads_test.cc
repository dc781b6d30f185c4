#include "transfer/manifest_table.h"

#include <atomic>
#include <thread>

#include "transfer/manifests.h"

namespace thru::test {
namespace {

TEST(ManifestTable, EntriesStayWhereTheyAreWhileMoreAreAdded) {
    ManifestTable table;
    constexpr std::size_t kEntries = 30'000;
    std::atomic<std::size_t> handed_over = 0;
    std::thread reader([&] {
        for (std::size_t index = 0; index < kEntries;) {
            for (const std::size_t end = handed_over.load(); index < end; ++index) {
                EXPECT_EQ(table.file_size(index), index);
                EXPECT_EQ(table.path(index), "folder/" + std::to_string(index));
                EXPECT_EQ(table.path(0), "folder/0");
            }
        }
    });
    for (std::size_t index = 0; index < kEntries; ++index) {
        EXPECT_TRUE(table.add(file("folder/" + std::to_string(index), index)));
        handed_over = index + 1;
    }
    reader.join();
}

} // namespace
} // namespace thru::test
