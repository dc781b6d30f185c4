// The simulated disk loses unsynced data in every way a real one may, and nothing else.
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "crash/sim_disk.h"

namespace thru::test {
namespace {

using fs::ErrorKind;
using Snapshot = std::map<std::string, std::string>;

constexpr std::uint64_t kSeeds = 200;

/// Contents of /folder after a power loss, for all seeds.
std::set<Snapshot> outcomes(const std::function<void(const fs::FileHandle &)> &work,
                            const std::function<void(SimDisk &)> &prepare = {}) {
    std::set<Snapshot> found;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SimDisk disk;
        disk.put_folder("/folder");
        if (prepare) {
            prepare(disk);
        }
        work(fs::open_folder("/folder").value());
        disk.lose_power(seed);
        found.insert(disk.snapshot("/folder"));
    }
    return found;
}

fs::FileHandle create(const fs::FileHandle &folder, const std::string &name) {
    return fs::create_file(folder, name, fs::kPrivateMode).value();
}

void write(const fs::FileHandle &file, std::uint64_t offset, std::string_view bytes) {
    ASSERT_TRUE(fs::write_at(file, offset, as_bytes(bytes)));
}

void put_old(SimDisk &disk) { disk.put_file("/folder/old", "old"); }

TEST(PowerLoss, MayTakeWhatWasNotSynced) {
    const auto found = outcomes([](const auto &folder) { write(create(folder, "file"), 0, "x"); });
    EXPECT_EQ(found, (std::set<Snapshot>{{}, // the name lost
                                         {{"file", ""}},
                                         {{"file", std::string(1, '\0')}}, // the size kept
                                         {{"file", "x"}}}));
}

TEST(PowerLoss, TakesNothingThatWasSynced) {
    const std::set<Snapshot> all = {{{"file", "content"}}};
    EXPECT_EQ(outcomes([](const auto &folder) {
                  const auto file = create(folder, "file");
                  write(file, 0, "content");
                  ASSERT_TRUE(fs::sync_data(file));
                  ASSERT_TRUE(fs::sync_folder(folder));
              }),
              all);
    EXPECT_EQ(outcomes([](const auto &folder) {
                  write(create(folder, "file"), 0, "content");
                  ASSERT_TRUE(fs::sync_file_system(folder).value());
              }),
              all);
}

TEST(PowerLoss, TakesTheNameOfASyncedFileWithoutItsFolder) {
    EXPECT_EQ(outcomes([](const auto &folder) {
                  const auto file = create(folder, "file");
                  write(file, 0, "content");
                  ASSERT_TRUE(fs::sync_data(file));
              }),
              (std::set<Snapshot>{{}, {{"file", "content"}}}));
}

TEST(PowerLoss, TakesDataOfANameThatWasSynced) {
    const auto found = outcomes([](const auto &folder) {
        write(create(folder, "file"), 0, "x");
        ASSERT_TRUE(fs::sync_folder(folder));
    });
    EXPECT_TRUE(found.contains({{"file", ""}}));
    EXPECT_TRUE(found.contains({{"file", "x"}}));
    EXPECT_FALSE(found.contains({}));
}

TEST(PowerLoss, TearsAndReordersWrites) {
    constexpr std::size_t kBlock = 4096;
    const auto found = outcomes([](const auto &folder) {
        const auto file = create(folder, "file");
        write(file, 0, std::string(2 * kBlock, 'a'));
        ASSERT_TRUE(fs::sync_file_system(folder));
        write(file, 0, std::string(kBlock, 'b'));
        write(file, kBlock, std::string(kBlock, 'c'));
    });
    std::set<std::string> blocks;
    bool torn = false;
    for (const Snapshot &snapshot : found) {
        const std::string &content = snapshot.at("file");
        ASSERT_EQ(content.size(), 2 * kBlock);
        blocks.insert({content.front(), content.back()});
        for (std::size_t at = 1; at < kBlock; ++at) {
            if (content[at] != content[at - 1]) {
                torn = true;
                EXPECT_EQ(at % 512, 0u);
            }
        }
    }
    EXPECT_TRUE(torn);
    // The second write may survive without the first.
    EXPECT_EQ(blocks, (std::set<std::string>{"aa", "ba", "ac", "bc"}));
}

TEST(PowerLoss, MayFindAnyVersionOfABlock) {
    const auto found = outcomes([](const auto &folder) {
        const auto file = create(folder, "file");
        ASSERT_TRUE(fs::sync_folder(folder));
        for (const char *version : {"1", "2", "3"}) {
            write(file, 0, version);
        }
    });
    for (const char *version : {"", "1", "2", "3"}) {
        EXPECT_TRUE(found.contains({{"file", version}})) << version;
    }
}

TEST(PowerLoss, FindsARenamedFileUnderOneName) {
    EXPECT_EQ(outcomes(
                  [](const auto &folder) { //
                      ASSERT_TRUE(fs::rename_new(folder, "old", "b"));
                      ASSERT_TRUE(fs::rename_new(folder, "b", "c"));
                  },
                  put_old),
              (std::set<Snapshot>{{{"old", "old"}}, {{"b", "old"}}, {{"c", "old"}}}));
}

TEST(PowerLoss, FindsTheOldFileOrTheNewOne) {
    const auto found = outcomes(
        [](const auto &folder) {
            const auto file = create(folder, "part");
            write(file, 0, "new");
            ASSERT_TRUE(fs::sync_data(file));
            ASSERT_TRUE(fs::sync_folder(folder));
            ASSERT_TRUE(fs::rename_over(folder, "part", "old"));
        },
        put_old);
    EXPECT_EQ(found, (std::set<Snapshot>{{{"old", "old"}, {"part", "new"}}, {{"old", "new"}}}));
}

TEST(PowerLoss, TakesNoFileThatMadeRoomForAnother) {
    const auto found = outcomes(
        [](const auto &folder) {
            const auto file = create(folder, "part");
            ASSERT_TRUE(fs::sync_folder(folder));
            ASSERT_TRUE(fs::rename_new(folder, "old", "backup"));
            ASSERT_TRUE(fs::rename_new(folder, "part", "old"));
        },
        put_old);
    EXPECT_EQ(found, (std::set<Snapshot>{{{"old", "old"}, {"part", ""}},
                                         {{"backup", "old"}, {"part", ""}},
                                         {{"backup", "old"}, {"old", ""}}}));
}

TEST(PowerLoss, BringsBackARemovedFile) {
    EXPECT_EQ(
        outcomes([](const auto &folder) { ASSERT_TRUE(fs::remove_file(folder, "old")); }, put_old),
        (std::set<Snapshot>{{}, {{"old", "old"}}}));
}

TEST(PowerLoss, BringsBackWhatAKilledProcessHadRemoved) {
    std::set<Snapshot> found;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SimDisk disk;
        put_old(disk);
        ASSERT_TRUE(fs::remove_file(*fs::open_folder("/folder"), "old"));
        disk.kill();
        EXPECT_EQ(disk.snapshot("/folder"), Snapshot{});
        disk.lose_power(seed);
        found.insert(disk.snapshot("/folder"));
    }
    EXPECT_EQ(found, (std::set<Snapshot>{{}, {{"old", "old"}}}));
}

TEST(PowerLoss, TakesAFolderWithAllThatIsInIt) {
    EXPECT_EQ(outcomes([](const auto &folder) {
                  ASSERT_TRUE(fs::make_folder(folder, "below"));
                  const auto below = fs::open_folder_beneath(folder, "below");
                  create(*below, "file");
                  ASSERT_TRUE(fs::sync_folder(*below));
              }),
              (std::set<Snapshot>{{}, {{"below", "(folder)"}, {"below/file", ""}}}));
}

TEST(PowerLoss, MayTakeTimesUnlessTheFolderWasSynced) {
    const auto times = [](bool sync_data, bool sync_folder, bool folder_syncs) {
        std::set<std::int64_t> found;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            SimDisk disk;
            put_old(disk);
            disk.set_folder_syncs_attributes(folder_syncs);
            const auto folder = fs::open_folder("/folder").value();
            const auto file = fs::open_for_writing(folder, "old").value();
            fs::set_attributes(file, 42, fs::kPlainMode);
            EXPECT_TRUE(!sync_data || fs::sync_data(file));
            EXPECT_TRUE(!sync_folder || fs::sync_folder(folder));
            disk.lose_power(seed);
            found.insert(fs::status_of("/folder/old")->mtime_ns);
        }
        return found;
    };
    EXPECT_EQ(times(false, false, true), (std::set<std::int64_t>{0, 42}));
    EXPECT_EQ(times(true, false, true), (std::set<std::int64_t>{0, 42}));
    EXPECT_EQ(times(false, true, true), (std::set<std::int64_t>{42}));
    EXPECT_EQ(times(true, true, false), (std::set<std::int64_t>{0, 42}));
}

TEST(PowerLoss, TakesWhatAFailedSyncLeftOutForGood) {
    const auto found = outcomes(
        [](const auto &folder) {
            const auto file = create(folder, "file");
            ASSERT_TRUE(fs::sync_folder(folder));
            write(file, 0, "content");
            EXPECT_FALSE(fs::sync_data(file));
            EXPECT_TRUE(fs::sync_data(file));
        },
        [](SimDisk &disk) { disk.fail(SimCall::SyncData, ErrorKind::Io); });
    EXPECT_EQ(found, (std::set<Snapshot>{{{"file", std::string(7, '\0')}}, {{"file", "content"}}}));
    const auto rewritten = outcomes(
        [](const auto &folder) {
            const auto file = create(folder, "file");
            ASSERT_TRUE(fs::sync_folder(folder));
            write(file, 0, "content");
            EXPECT_FALSE(fs::sync_data(file));
            write(file, 0, "content");
            EXPECT_TRUE(fs::sync_data(file));
        },
        [](SimDisk &disk) { disk.fail(SimCall::SyncData, ErrorKind::Io); });
    EXPECT_EQ(rewritten, (std::set<Snapshot>{{{"file", "content"}}}));
}

TEST(PowerLoss, IsAnotherStartOfTheComputer) {
    SimDisk disk;
    const std::string before = fs::boot_id();
    disk.kill();
    EXPECT_EQ(fs::boot_id(), before);
    disk.lose_power(1);
    EXPECT_NE(fs::boot_id(), before);
}

TEST(PowerLoss, IsTheSameForTheSameSeed) {
    const auto found = [](std::uint64_t seed) {
        SimDisk disk;
        disk.put_folder("/folder");
        const auto folder = fs::open_folder("/folder").value();
        for (const char *name : {"a", "b", "c", "d"}) {
            write(create(folder, name), 0, std::string(10'000, 'x'));
        }
        disk.lose_power(seed);
        return disk.snapshot();
    };
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        EXPECT_TRUE(found(seed) == found(seed));
    }
}

} // namespace
} // namespace thru::test
