#include "crash/sim_disk.h"

#include <set>

#include <gtest/gtest.h>

namespace thru {
namespace {

using fs::ErrorKind;
using test::SimCall;
using test::SimDisk;
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

TEST_F(SimDiskTest, HoldsWhatIsWritten) {
    const auto file = create("file");
    EXPECT_TRUE(fs::write_at(file, 5000, as_bytes("content")));
    EXPECT_EQ(disk_.content("/folder/file"), std::string(5000, '\0') + "content");
    EXPECT_EQ(fs::status_of(file)->size, 5007u);
    EXPECT_EQ(fs::status_of(file)->allocated, 4096u);
    Bytes read(100);
    EXPECT_EQ(fs::read_at(file, 5004, read), 3u);
    EXPECT_TRUE(fs::set_size(file, 5002));
    EXPECT_TRUE(fs::set_size(file, 5004));
    EXPECT_EQ(fs::read_at(file, 5000, read), 4u);
    EXPECT_EQ(as_text(ByteView(read).first(4)), std::string_view("co\0\0", 4));
}

TEST_F(SimDiskTest, DistinguishesHolesFromData) {
    const auto file = create("file");
    ASSERT_TRUE(fs::set_size(file, 100'000));
    ASSERT_TRUE(fs::write_at(file, 8192, as_bytes(std::string(8192, 'x'))));
    EXPECT_EQ(fs::next_data(file, 0)->begin, 8192u);
    EXPECT_EQ(fs::next_data(file, 9000)->begin, 9000u);
    EXPECT_EQ(fs::next_data(file, 0)->end, 16384u);
    EXPECT_EQ(fs::next_data(file, 16384)->begin, 100'000u);
}

TEST_F(SimDiskTest, FollowsLinksOnlyInTheUsersPaths) {
    disk_.put_file("/outside/file", "content");
    disk_.put_link("/folder/link", "../outside");
    disk_.put_link("/loop", "/loop");
    EXPECT_EQ(fs::resolve("/folder/link/file"), "/outside/file");
    EXPECT_EQ(fs::status_of("/folder/link/file")->size, 7u);
    EXPECT_EQ(fs::status_of("/loop/file").error().kind, ErrorKind::Link);
    EXPECT_EQ(fs::open_for_reading("/folder/link").error().kind, ErrorKind::Link);
    EXPECT_EQ(fs::open_folder_beneath(folder(), "link").error().kind, ErrorKind::Link);
    EXPECT_EQ(fs::open_beneath_for_reading(folder(), "link/file").error().kind, ErrorKind::Link);
    EXPECT_FALSE(fs::open_beneath_for_reading(folder(), "../outside/file"));
    EXPECT_EQ(fs::status_beneath(folder(), "link")->type, fs::FileType::Link);
    EXPECT_EQ(fs::read_link(folder(), "link"), "../outside");
    EXPECT_EQ(fs::read_link("/folder/link"), "../outside");
}

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

TEST_F(SimDiskTest, KeepsTheRulesOfNames) {
    disk_.put_folder("/folder/below");
    disk_.put_file("/folder/old", "old");
    disk_.put_file("/folder/from", "new");
    for (const char *taken : {"below", "old"}) {
        EXPECT_EQ(fs::create_file(folder(), taken, 0600).error().kind, ErrorKind::Exists);
        EXPECT_EQ(fs::make_link(folder(), taken, "x").error().kind, ErrorKind::Exists);
        EXPECT_EQ(fs::rename_new(folder(), "from", taken).error().kind, ErrorKind::Exists);
    }
    EXPECT_EQ(fs::rename_over(folder(), "from", "below").error().kind, ErrorKind::Exists);
    EXPECT_EQ(fs::rename_over(folder(), "gone", "new").error().kind, ErrorKind::NotFound);
    EXPECT_EQ(fs::make_folder(folder(), "a/b").error().kind, ErrorKind::BadName);
    EXPECT_TRUE(fs::rename_over(folder(), "from", "old"));
    EXPECT_TRUE(fs::rename_new(folder(), "old", "newest"));
    EXPECT_EQ(found(), (Snapshot{{"below", "(folder)"}, {"newest", "new"}}));
    EXPECT_TRUE(fs::remove_file(folder(), "newest"));
    EXPECT_FALSE(fs::remove_file(folder(), "newest"));
    EXPECT_FALSE(fs::remove_file(folder(), "below"));
}

TEST_F(SimDiskTest, ListsFolders) {
    ASSERT_TRUE(fs::make_folders("/a/b/c"));
    ASSERT_TRUE(fs::make_folders("/a/b/c"));
    disk_.put_file("/a/file", "content");
    auto reader = fs::FolderReader::open("/a").value();
    std::set<std::string> names;
    while (const auto entry = reader.next().value()) {
        names.insert(entry->name);
        EXPECT_TRUE(entry->status);
    }
    EXPECT_EQ(names, (std::set<std::string>{"b", "file"}));
    EXPECT_EQ(reader.open_child("b")->next().value()->name, "c");
    EXPECT_EQ(fs::list_names(*fs::open_folder("/a"), "f", 5), std::vector<std::string>{"file"});
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

TEST_F(SimDiskTest, RunsOutOfSpaceAndGetsItBack) {
    disk_.set_free_bytes(3 * 4096);
    auto file = create("file");
    EXPECT_EQ(fs::write_at(file, 0, as_bytes(std::string(5 * 4096, 'x'))).error().kind,
              ErrorKind::Full);
    EXPECT_EQ(fs::status_of(file)->size, 3 * 4096u);
    EXPECT_EQ(fs::volume_facts(file)->free_bytes, 0u);
    ASSERT_TRUE(fs::remove_file(folder(), "file"));
    EXPECT_EQ(fs::volume_facts(folder())->free_bytes, 0u);
    ASSERT_TRUE(file.close());
    EXPECT_EQ(fs::volume_facts(folder())->free_bytes, 3 * 4096u);
    const auto other = create("other");
    EXPECT_EQ(fs::reserve(other, 0, 4 * 4096).error().kind, ErrorKind::Full);
    EXPECT_TRUE(fs::reserve(other, 0, 3 * 4096));
    EXPECT_EQ(fs::write_at(create("third"), 0, as_bytes("x")).error().kind, ErrorKind::Full);
    EXPECT_TRUE(fs::write_at(other, 0, as_bytes(std::string(3 * 4096, 'x'))));
    disk_.kill();
    EXPECT_EQ(fs::volume_facts(folder())->free_bytes, 0u);
}

TEST_F(SimDiskTest, FilesHaveALargestSize) {
    disk_.set_max_file_bytes(1000);
    const auto file = create("file");
    EXPECT_EQ(fs::volume_facts(file)->max_file_bytes, 1000u);
    EXPECT_EQ(fs::write_at(file, 999, as_bytes("xy")).error().kind, ErrorKind::TooLarge);
    EXPECT_EQ(fs::set_size(file, 1001).error().kind, ErrorKind::TooLarge);
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

TEST(NoSimDisk, NothingWorks) {
    EXPECT_FALSE(fs::open_folder("/"));
    EXPECT_FALSE(fs::status_of("/"));
    EXPECT_TRUE(fs::boot_id().empty());
}

} // namespace
} // namespace thru
