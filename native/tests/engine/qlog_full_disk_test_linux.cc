// The log of a connection on a disk that fills up.
#include <fstream>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "fs/small_disk_linux.h"

namespace thru {
namespace {

TEST(QlogOnAFullDisk, EndsWithAWholeRecordWhileTheTransferGoesOn) {
    test::on_small_disk("size=1m", [](const std::filesystem::path &disk) {
        EnginePair pair;
        pair.write_source("file.bin", 30'000'000);
        pair.sender.post(SetQlog{(disk / "logs").string()});
        pair.start({(pair.source() / "file.bin").string()});
        pair.receiver.wait_for<OfferEvent>();
        pair.accept();
        EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().problems, 0U);
        const auto full = pair.sender.wait_for<StatisticsEvent>([](const StatisticsEvent &event) {
            return event.qlog && event.qlog->error && event.qlog->dropped > 0;
        });
        ASSERT_TRUE(full.qlog && full.qlog->error);
        EXPECT_EQ(full.qlog->error->code, ErrorCode::DiskFull);
        pair.sender.close();
        for (const auto &entry : std::filesystem::directory_iterator(disk / "logs")) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string content{std::istreambuf_iterator<char>(file), {}};
            ASSERT_FALSE(content.empty());
            EXPECT_EQ(content.back(), '\n');
        }
    });
}

} // namespace
} // namespace thru
