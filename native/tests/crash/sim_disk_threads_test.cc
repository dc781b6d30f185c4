#include "crash/sim_disk.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace thru {
namespace {

using test::SimDisk;

TEST(SimDisk, ServesManyThreads) {
    SimDisk disk;
    disk.put_folder("/folder");
    constexpr int kFiles = 50;
    const auto work = [](const std::string &prefix) {
        for (int file = 0; file < kFiles; ++file) {
            const auto created = fs::create_file(fs::open_folder("/folder").value(),
                                                 prefix + std::to_string(file), fs::kPrivateMode)
                                     .value();
            EXPECT_TRUE(fs::write_at(created, 0, as_bytes(prefix)));
            EXPECT_TRUE(fs::sync_data(created));
        }
    };
    std::vector<std::thread> threads;
    for (const char *prefix : {"a", "b", "c"}) {
        threads.emplace_back(work, prefix);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    EXPECT_EQ(disk.snapshot("/folder").size(), 3u * kFiles);
    EXPECT_EQ(disk.operations(), 3u * 3 * kFiles);
}

} // namespace
} // namespace thru
