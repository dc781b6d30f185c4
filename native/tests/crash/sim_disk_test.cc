#include "crash/sim_disk.h"

#include <gtest/gtest.h>

namespace thru::test {
namespace {

using fs::ErrorKind;
using Snapshot = std::map<std::string, std::string>;

class SimDiskTest : public testing::Test {
protected:
    SimDiskTest() { disk_.put_folder("/folder"); }

    static fs::FileHandle folder() { return fs::open_folder("/folder").value(); }
    static fs::FileHandle create(const std::string &name) {
        return fs::create_file(folder(), name, fs::kPrivateMode).value();
    }
    Snapshot found() const { return disk_.snapshot("/folder"); }

    SimDisk disk_;
};

TEST_F(SimDiskTest, RenumbersClosedFiles) {
    disk_.put_file("/folder/open", "x");
    disk_.put_file("/folder/closed", "x");
    const auto number = [this](const char *name) {
        return fs::status_beneath(folder(), name)->id.number;
    };
    const auto open = number("open");
    const auto closed = number("closed");
    const auto file = fs::open_for_writing(folder(), "open");
    disk_.number_anew();
    EXPECT_EQ(number("open"), open);
    EXPECT_NE(number("closed"), closed);
}

TEST_F(SimDiskTest, LocksOneHandleUntilItIsClosed) {
    auto first = create("file");
    const auto second = fs::open_for_writing(folder(), "file").value();
    EXPECT_EQ(fs::try_lock(first), true);
    EXPECT_EQ(fs::try_lock(second), false);
    ASSERT_TRUE(first.close());
    EXPECT_EQ(fs::try_lock(second), true);
    disk_.kill();
    EXPECT_EQ(fs::try_lock(*fs::open_for_writing(folder(), "file")), true);
}

TEST_F(SimDiskTest, FailsTheChosenCalls) {
    const auto file = create("file");
    disk_.fail(SimCall::Write, ErrorKind::Gone, 1, 2);
    disk_.fail(SimCall::Read, ErrorKind::Io);
    std::vector<bool> went_well;
    for (int call = 0; call < 4; ++call) {
        went_well.push_back(fs::write_at(file, 0, as_bytes("x")).has_value());
    }
    EXPECT_EQ(went_well, (std::vector<bool>{true, false, false, true}));
    Bytes read(1);
    EXPECT_EQ(fs::read_at(file, 0, read).error().kind, ErrorKind::Io);
    EXPECT_TRUE(fs::read_at(file, 0, read));
}

TEST_F(SimDiskTest, AKilledProcessLeavesWhatItDidBefore) {
    const auto run = [] {
        const auto top = fs::open_folder("/folder");
        const auto file = top ? fs::create_file(*top, "part", 0600) : std::unexpected(top.error());
        return file && fs::write_at(*file, 0, as_bytes("content")) && fs::sync_data(*file) &&
               fs::rename_new(*top, "part", "file") && fs::sync_folder(*top);
    };
    EXPECT_TRUE(run());
    EXPECT_EQ(disk_.operations(), 5u);
    EXPECT_EQ(disk_.trace()[3], "3 rename part to /folder/file");
    ASSERT_TRUE(fs::remove_file(folder(), "file"));
    const test::SimImage before = disk_.image();
    std::vector<Snapshot> after;
    for (std::uint64_t died = 0; died <= 5; ++died) {
        disk_.set_image(before);
        disk_.crash_after(died);
        EXPECT_EQ(run(), died == 5);
        EXPECT_EQ(disk_.crashed(), died < 5);
        EXPECT_EQ(fs::open_folder("/folder").has_value(), died == 5);
        disk_.kill();
        EXPECT_TRUE(fs::open_folder("/folder"));
        EXPECT_EQ(fs::boot_id(), "boot-0");
        after.push_back(found());
    }
    EXPECT_EQ(after[0], Snapshot{});
    ASSERT_TRUE(after[1].contains("part"));
    EXPECT_TRUE(std::string_view("content").starts_with(after[1]["part"]));
    for (const int died : {2, 3}) {
        EXPECT_EQ(after[died], (Snapshot{{"part", "content"}})) << died;
    }
    for (const int died : {4, 5}) {
        EXPECT_EQ(after[died], (Snapshot{{"file", "content"}})) << died;
    }
}

TEST_F(SimDiskTest, HandlesFromBeforeARestartReachNothing) {
    const auto file = create("file");
    disk_.kill();
    EXPECT_FALSE(fs::write_at(file, 0, as_bytes("x")));
    EXPECT_FALSE(fs::sync_data(file));
    EXPECT_FALSE(fs::try_lock(file));
    EXPECT_EQ(disk_.content("/folder/file"), "");
}

} // namespace
} // namespace thru::test
