// Disks that are really full or read-only, or show one folder under two names.
#include <cerrno>
#include <fstream>
#include <set>

#include <gtest/gtest.h>
#include <sys/mount.h>

#include "fs/disk.h"
#include "fs/small_disk_linux.h"
#include "journal/journal.h"
#include "support/prepare_folder.h"
#include "support/sizes.h"
#include "target/local_transfer.h"
#include "target/preflight.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

/// Leaves `left` bytes free.
void fill(const std::filesystem::path &disk, std::uint64_t left) {
    const std::uint64_t free = std::filesystem::space(disk).available;
    ASSERT_GT(free, left);
    test::write_file(disk / "filler", std::string(free - left, 'x'));
}

constexpr std::uint64_t kBeyondTheDisk = 1ULL << 40;

/// Logs more than is kept in memory while nothing can be written, then one more record.
void log_much(Journal &journal) {
    constexpr Slot kFiles = 80'000;
    EXPECT_TRUE(journal.add(test::file("large", kBeyondTheDisk)));
    const std::string tail(80, 'x');
    for (Slot slot = 1; slot < kFiles; ++slot) {
        ASSERT_TRUE(journal.add(test::file(std::to_string(slot) + tail, 1)));
    }
    journal.append(OpenRecord{.slot = 0, .part = 1, .file = 11});
    journal.append(ExtentRecord{.slot = 0, .extent = {.offset = 0, .length = 400}});
    ASSERT_TRUE(journal.sync());
}

/// Expects that the last records survived.
void expect_extent(const fs::FileHandle &root) {
    const auto file = fs::open_for_writing(root, journal_name("aabbcc"));
    ASSERT_TRUE(file);
    const auto journal = read_journal(*file);
    ASSERT_TRUE(journal && journal->content.file(0) != nullptr);
    EXPECT_EQ(journal->content.file(0)->extents.size(), 1u);
}

TEST(FullDisk, KeepsAJournalThatThereIsNoRoomToWriteAnew) {
    on_small_disk("size=48m", [](const std::filesystem::path &disk) {
        const auto root = fs::open_folder(disk.string()).value();
        log_much(*Journal::create(root, "aabbcc", {.id = {7}}).value());
        fill(disk, kMiB);
        auto old = fs::open_for_writing(root, journal_name("aabbcc")).value();
        const auto told = read_journal(old);
        const auto anew =
            Journal::resume_from(root, "aabbcc", {.id = {8}}, told->content, std::move(old));
        ASSERT_FALSE(anew);
        EXPECT_EQ(anew.error().kind, fs::ErrorKind::Full);
        EXPECT_FALSE(std::filesystem::exists(disk / (journal_name("aabbcc") + ".new")));
        expect_extent(root);
    });
}

TEST(FullDisk, KeepsAJournalThatThereIsNoRoomToRewrite) {
    on_small_disk("size=96m", [](const std::filesystem::path &disk) {
        const auto root = fs::open_folder(disk.string()).value();
        const auto journal = Journal::create(root, "aabbcc", {.id = {7}}).value();
        log_much(*journal);
        PublishedRecord named;
        for (Slot slot = 1; slot <= kMaxPublishedItems; ++slot) {
            named.items.push_back({.slot = slot, .name = std::string(200, 'n')});
        }
        // Makes most records obsolete.
        while (std::filesystem::file_size(disk / journal_name("aabbcc")) < 56 * kMiB) {
            journal->append(named);
            ASSERT_TRUE(journal->sync());
        }
        fill(disk, kMiB);
        journal->compact_if_large();
        journal->append(ProgressRecord{.slot = 0, .begin = 400, .end = 500});
        ASSERT_TRUE(journal->flush());
        expect_extent(root);
        const auto file = fs::open_for_writing(root, journal_name("aabbcc")).value();
        EXPECT_EQ(read_journal(file)->content.file(0)->progress.size(), 1u);
    });
}

TEST(FullDisk, RefusesDataWithoutRoomAndContinuesWhenThereIsSome) {
    on_small_disk("size=8m", [](const std::filesystem::path &disk) {
        constexpr std::uint64_t kSize = 100'000;
        constexpr std::size_t kBatch = 20;
        const std::string data = test::noise(kBatch * kSize, 1);
        test::write_file(disk / "filler", test::noise(3 * kMiB, 2));
        // Sparse files don't reveal the space that they need.
        const auto manifest = std::make_shared<ManifestTable>();
        for (int file = 0; file < 60; ++file) {
            EXPECT_TRUE(manifest->add({.sparse = true,
                                       .path = "f" + std::to_string(file),
                                       .size = kSize,
                                       .mtime_ns = 1}));
        }
        const auto received = test::open_in(disk / "in", manifest);
        std::size_t complete = 0;
        std::size_t paused = 0;
        while (complete < 60) {
            SegmentPlan plan;
            for (std::size_t file = 0; file < kBatch; ++file) {
                plan.push_back({complete + file, 0, kSize});
            }
            auto written = write_segment(received, segment_stream(plan, data));
            ASSERT_TRUE(written.result);
            EXPECT_TRUE(written.writer->failures().empty());
            if (written.writer->outcome() == SegmentOutcome::NoRoom) {
                EXPECT_EQ(++paused, 1u);
                EXPECT_EQ(written.writer->shortage().bytes, kBatch * kSize);
                std::filesystem::remove(disk / "filler");
                continue;
            }
            ASSERT_TRUE(written.whole());
            for (const Piece &piece : plan) {
                received->add_complete({piece.index});
            }
            complete += kBatch;
        }
        EXPECT_EQ(paused, 1u);
        EXPECT_EQ(received->commit().published.size(), 60u);
        EXPECT_TRUE(received->finish());
        const auto found = snapshot(disk / "in");
        EXPECT_EQ(found.size(), 60u);
        for (std::size_t file = 0; file < 60; ++file) {
            EXPECT_TRUE(found.at("f" + std::to_string(file)) ==
                        data.substr(file % kBatch * kSize, kSize));
        }
    });
}

TEST(FullDisk, ShowsBeforeAnythingIsAskedFor) {
    on_small_disk("size=8m", [](const std::filesystem::path &disk) {
        const auto manifest = files_of(2, 5 * kMiB);
        const auto received = ReceiveFolder::open(disk.string(), manifest, {}, {}).value();
        const auto refused = test::prepare(*received, 0, 2, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::DiskFull);
        EXPECT_GE(refused.error().cause, static_cast<std::int64_t>(2 * kMiB));
        EXPECT_TRUE(snapshot(disk).empty());
        EXPECT_TRUE(test::prepare(*received, 0, 2, {{0, 1}}));
    });
}

TEST(FullDisk, RefusesNothingThatWasAcceptedBefore) {
    on_small_disk("size=8m", [](const std::filesystem::path &disk) {
        const std::string data = test::noise(5 * kMiB, 1);
        const auto received =
            test::open_in(disk, files_of(2, 5 * kMiB), {.resume = false, .wait_for_room = true});
        EXPECT_TRUE(write_segment(received, segment_stream({{0, 0, 5 * kMiB}}, data)).whole());
        const auto second = write_segment(received, segment_stream({{1, 0, 1}}, "x"));
        EXPECT_EQ(second.writer->outcome(), SegmentOutcome::NoRoom);
        EXPECT_EQ(second.writer->shortage().bytes, 5 * kMiB);
    });
}

TEST(FullDisk, ShowsBeforeTheDataOfALargeFileComes) {
    on_small_disk("size=8m", [](const std::filesystem::path &disk) {
        const auto received = test::open_in(disk, files_of(1, 5 * kMiB), {.resume = false});
        test::write_file(disk / "filler", test::noise(4 * kMiB, 2));
        const Bytes stream = segment_stream({{0, 0, 1}}, "x");
        const auto first = write_segment(received, stream);
        EXPECT_TRUE(first.result);
        EXPECT_EQ(first.writer->outcome(), SegmentOutcome::NoRoom);
        EXPECT_EQ(first.writer->shortage().bytes, 5 * kMiB);
        std::filesystem::remove(disk / "filler");
        EXPECT_TRUE(write_segment(received, stream).whole());
        received->suspend();
        EXPECT_TRUE(snapshot(disk).empty());
        EXPECT_TRUE(received->has_room(8 * kMiB).value());
    });
}

TEST(FullDisk, NeedsNoMoreRoomForWhatAnEarlierAttemptTook) {
    on_small_disk("size=8m", [](const std::filesystem::path &disk) {
        const std::string data = test::noise(5 * kMiB, 1);
        const auto piece = [&data](std::uint64_t offset, std::uint64_t length) {
            return segment_stream({{0, offset, length}},
                                  std::string_view(data).substr(offset, length));
        };
        const auto first = test::open_in(disk, files_of(1, 5 * kMiB));
        ASSERT_TRUE(write_segment(first, piece(0, kMiB)).whole());
        first->suspend();
        const auto manifest = files_of(1, 5 * kMiB);
        EXPECT_EQ(preflight_target(disk.string(), *manifest, 1, {}, {})->resumed_bytes, kMiB);
        const auto second = ReceiveFolder::open(disk.string(), manifest, {}, {}).value();
        const auto prepared = test::prepare(*second, 0, 1, {});
        ASSERT_TRUE(prepared);
        EXPECT_EQ(prepared->have.at(0).offset, kMiB);
        ASSERT_TRUE(write_segment(second, piece(kMiB, 4 * kMiB)).whole());
        second->add_complete({0});
        EXPECT_EQ(second->commit().published.size(), 1u);
        EXPECT_TRUE(second->finish());
        EXPECT_TRUE(snapshot(disk) == (std::map<std::string, std::string>{{"f0", data}}));
    });
}

TEST(FullDisk, HasNoRoomForFolders) {
    on_small_disk("size=8m,nr_inodes=10", [](const std::filesystem::path &disk) {
        const auto manifest = std::make_shared<ManifestTable>();
        for (int folder = 0; folder < 30; ++folder) {
            EXPECT_TRUE(manifest->add(test::folder("d" + std::to_string(folder))));
        }
        const auto received = ReceiveFolder::open(disk.string(), manifest, {}, {}).value();
        const auto refused = test::prepare(*received, 0, 30, {});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::DiskFull);
        EXPECT_GT(refused.error().cause, 0);
    });
}

TEST(FullDisk, ReportsThatItHoldsNoMoreFiles) {
    on_small_disk("size=8m,nr_inodes=24", [](const std::filesystem::path &disk) {
        for (int filler = 0; filler < 10; ++filler) {
            test::write_file(disk / "filler" / std::to_string(filler), "");
        }
        const auto received = test::open_in(disk / "in", files_of(16, 0), {.resume = false});
        SegmentPlan plan;
        for (std::uint64_t file = 0; file < 16; ++file) {
            plan.push_back({file, 0, 0});
        }
        const Bytes stream = segment_stream(plan, "");
        const auto refused = write_segment(received, stream);
        EXPECT_EQ(refused.writer->outcome(), SegmentOutcome::NoRoom);
        EXPECT_EQ(refused.writer->shortage().kind, Shortage::Kind::Files);
        EXPECT_EQ(refused.writer->shortage().bytes, 1u);
        for (int more = 0; more < 24; ++more) {
            std::ofstream(disk / ("more" + std::to_string(more)));
        }
        EXPECT_EQ(received->has_room(1), false);
        for (int more = 0; more < 24; ++more) {
            std::filesystem::remove(disk / ("more" + std::to_string(more)));
        }
        std::filesystem::remove_all(disk / "filler");
        EXPECT_EQ(received->has_room(1), true);
        EXPECT_TRUE(write_segment(received, stream).whole());
    });
}

TEST(FullDisk, ReadOnlyDisksAreNotWritable) {
    on_small_disk("size=8m", [](const std::filesystem::path &disk) {
        const auto received = test::open_in(disk, files_of(2, 1), {.resume = false});
        ASSERT_EQ(::mount("none", disk.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
        const auto written = write_segment(received, segment_stream({{0, 0, 1}, {1, 0, 1}}, "ab"));
        EXPECT_TRUE(written.result);
        ASSERT_EQ(written.writer->failures().size(), 2u);
        EXPECT_EQ(written.writer->failures()[0].error.code, ErrorCode::TargetNotWritable);
        EXPECT_EQ(written.writer->failures()[0].error.cause, EROFS);
        const auto again = ReceiveFolder::open(disk.string(), files_of(2, 1), {}, {});
        ASSERT_FALSE(again);
        EXPECT_EQ(again.error().code, ErrorCode::TargetNotWritable);
        EXPECT_EQ(again.error().cause, EROFS);
    });
}

/// Sends files to two folders that are the same on disk, with existing files in all places.
void replace_in_one_folder(const std::filesystem::path &disk) {
    constexpr std::size_t kFiles = 2'000;
    auto manifest = std::make_shared<ManifestTable>();
    SegmentPlan plan;
    std::string data;
    std::vector<std::uint64_t> all;
    std::set<std::string> contents;
    for (std::size_t index = 0; index < 2 * kFiles; ++index) {
        const std::string name = std::to_string(index % kFiles);
        test::write_file(disk / "docs" / name, "before");
        const std::string content = std::to_string(10'000 + index);
        ASSERT_TRUE(
            manifest->add(test::file((index < kFiles ? "docs/" : "Docs/") + name, content.size())));
        plan.push_back({.index = index, .offset = 0, .length = content.size()});
        data += content;
        contents.insert(content);
        all.push_back(index);
    }
    const auto received =
        test::open_in(disk, manifest, {.conflict = ConflictPolicy::Replace, .resume = false});
    ASSERT_TRUE(write_segment(received, segment_stream(plan, data)).whole());
    received->add_complete(all);
    const CommitResult result = received->commit();
    EXPECT_TRUE(result.failures.empty());
    EXPECT_EQ(result.published.size(), 2 * kFiles);
    std::set<std::string> found;
    for (const auto &entry : std::filesystem::directory_iterator(disk / "docs")) {
        found.insert(test::read_file(entry.path()));
    }
    EXPECT_TRUE(found == contents) << found.size() << " of " << contents.size();
}

/// Imitates a disk that ignores case in names, on a system that does not.
TEST(FoldingDisk, OnlyOneOfTwoFilesOfOnePlaceReplacesWhatWasThere) {
    on_small_disk("size=256m", [](const std::filesystem::path &disk) {
        for (const char *folder : {"docs", "Docs"}) {
            std::filesystem::create_directory(disk / folder);
        }
        ASSERT_EQ(::mount((disk / "docs").c_str(), (disk / "Docs").c_str(), nullptr, MS_BIND, ""),
                  0);
        // Two threads collide in most rounds.
        for (int round = 0; round < 4; ++round) {
            replace_in_one_folder(disk);
            for (const auto &entry : std::filesystem::directory_iterator(disk / "docs")) {
                std::filesystem::remove(entry.path());
            }
        }
        ::umount2((disk / "Docs").c_str(), MNT_DETACH);
    });
}

} // namespace
} // namespace thru::test
