#include "io/segment_reader.h"

#include <gtest/gtest.h>

#include "crypto/digest.h"
#include "io/disk.h"
#include "io/local_transfer.h"

namespace thru {
namespace {

using test::read_segment;
using test::TemporaryFolder;
using test::write_file;

/// Why reading the whole of the single scanned file fails.
ErrorCode failure_of(const test::Source &source) {
    const auto stream = read_segment(source, {{0, 0, source.manifest->file_size(0)}});
    EXPECT_FALSE(stream.has_value());
    return stream ? ErrorCode::Internal : stream.error().error.code;
}

TEST(SegmentReader, GivesHeaderDataAndHash) {
    const TemporaryFolder folder;
    write_file(folder / "set/file", "some content");
    write_file(folder / "set/empty", "");
    const auto source = test::scan({(folder / "set").string()});
    SegmentPlan plan;
    std::string data;
    for (std::size_t index = 1; index < 3; ++index) {
        plan.push_back({index, 0, source.manifest->file_size(index)});
    }
    for (const std::size_t chunk : {1uz, 2uz, 7uz, 1000uz}) {
        const auto stream = read_segment(source, plan, chunk);
        ASSERT_TRUE(stream);
        EXPECT_EQ(*stream, test::segment_stream(plan, "some content"));
    }
}

TEST(SegmentReader, FillsEveryChunkButTheLast) {
    const TemporaryFolder folder;
    write_file(folder / "file", test::noise(100'000, 1));
    const auto source = test::scan({(folder / "file").string()});
    SegmentReader reader(source.files, {{0, 500, 99'000}});
    Bytes chunk(4096);
    std::uint64_t total = 0;
    while (!reader.finished()) {
        const auto got = reader.read(chunk);
        ASSERT_TRUE(got);
        total += *got;
        EXPECT_TRUE(*got == chunk.size() || reader.finished());
    }
    EXPECT_EQ(total, reader.stream_bytes());
    EXPECT_EQ(reader.read(chunk), 0u);
}

TEST(SegmentReader, NoticesWhatChangedSinceTheScan) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    const auto scanned = [&] {
        write_file(path, "0123456789");
        return test::scan({path.string()});
    };
    {
        const auto source = scanned();
        std::filesystem::resize_file(path, 5);
        EXPECT_EQ(failure_of(source), ErrorCode::SourceChanged);
    }
    {
        const auto source = scanned();
        std::filesystem::resize_file(path, 15);
        EXPECT_EQ(failure_of(source), ErrorCode::SourceChanged);
    }
    {
        const auto source = scanned();
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) -
                                                   std::chrono::milliseconds(1));
        EXPECT_EQ(failure_of(source), ErrorCode::SourceChanged);
    }
    {
        const auto source = scanned();
        write_file(folder / "other", "9876543210");
        std::filesystem::last_write_time(folder / "other",
                                         std::filesystem::file_time_type::clock::now() -
                                             std::chrono::hours(1));
        std::filesystem::rename(folder / "other", path);
        EXPECT_EQ(failure_of(source), ErrorCode::SourceChanged);
    }
    {
        const auto source = scanned();
        std::filesystem::remove(path);
        EXPECT_EQ(failure_of(source), ErrorCode::PathNotFound);
    }
    {
        const auto source = scanned();
        std::filesystem::remove(path);
        std::filesystem::create_directory(path);
        EXPECT_EQ(failure_of(source), ErrorCode::SourceChanged);
    }
}

TEST(SegmentReader, NoticesChangesWhileItReads) {
    const TemporaryFolder folder;
    const auto path = folder / "file";
    for (const std::size_t new_size : {50'000uz, 100'000uz, 150'000uz}) {
        write_file(path, test::noise(100'000, 1));
        const auto source = test::scan({path.string()});
        SegmentReader reader(source.files, {{0, 0, 100'000}});
        Bytes chunk(60'000);
        ASSERT_TRUE(reader.read(chunk));
        // The same size is a rewrite in place: only the time tells.
        std::filesystem::resize_file(path, new_size);
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                                   std::chrono::hours(1));
        const auto rest = reader.read(chunk);
        ASSERT_FALSE(rest);
        EXPECT_EQ(rest.error().index, 0u);
        EXPECT_EQ(rest.error().error.code, ErrorCode::SourceChanged);
    }
}

TEST(SegmentReader, ReadsBeyondFourGigabytes) {
    constexpr std::uint64_t kSize = (4ULL << 30) + 10'000;
    const TemporaryFolder folder;
    write_file(folder / "sparse", "begin");
    std::filesystem::resize_file(folder / "sparse", kSize - 3);
    {
        std::FILE *file = std::fopen((folder / "sparse").string().c_str(), "ab");
        ASSERT_NE(file, nullptr);
        std::fputs("end", file);
        std::fclose(file);
    }
    const auto source = test::scan({(folder / "sparse").string()});
    EXPECT_EQ(source.manifest->file_size(0), kSize);
    const auto stream = read_segment(source, {{0, kSize - 10, 10}});
    ASSERT_TRUE(stream);
    const std::string data(as_text(ByteView(*stream).last(10 + 32).first(10)));
    EXPECT_EQ(data, std::string(7, '\0') + "end");
}

} // namespace
} // namespace thru
