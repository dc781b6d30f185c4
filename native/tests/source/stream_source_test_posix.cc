// A window of the data read from a pipe.
#include "source/stream_source.h"

#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "fs/disk.h"

namespace thru {
namespace {

struct Pipe {
    Pipe() { EXPECT_EQ(::pipe(ends), 0); }
    ~Pipe() {
        ::close(ends[0]);
        close_writer();
    }
    void close_writer() {
        if (ends[1] >= 0) {
            ::close(std::exchange(ends[1], -1));
        }
    }
    void write(std::string_view bytes) const {
        ASSERT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }

    int ends[2] = {-1, -1};
};

std::string read(const StreamSource &source, std::uint64_t offset, std::size_t size) {
    Bytes bytes(size);
    EXPECT_TRUE(source.read(offset, bytes));
    return {bytes.begin(), bytes.end()};
}

TEST(StreamSource, HandsOutWhatCameAndKnowsTheEnd) {
    Pipe pipe;
    StreamSource source(pipe.ends[0]);
    pipe.write("hello");
    auto filled = source.fill();
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->end, 5U);
    EXPECT_FALSE(filled->ended);
    pipe.write(" you");
    pipe.close_writer();
    filled = source.fill();
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->end, 9U);
    EXPECT_TRUE(filled->ended);
    EXPECT_EQ(read(source, 3, 5), "lo yo");
}

TEST(StreamSource, ReturnsWhenNothingComes) {
    const Pipe pipe;
    StreamSource source(pipe.ends[0]);
    const auto filled = source.fill();
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->end, 0U);
    EXPECT_FALSE(filled->ended);
}

TEST(StreamSource, RefusesWhatItNoLongerHasAndWhatDidNotCome) {
    Pipe pipe;
    StreamSource source(pipe.ends[0]);
    const auto block = test::noise(60'000, 1);
    std::string all;
    for (int round = 0; round < 10; ++round) {
        pipe.write(block);
        all += block;
        ASSERT_TRUE(source.fill());
    }
    EXPECT_EQ(read(source, 200'000, 200'000), all.substr(200'000, 200'000));
    source.forget_before(300'000);
    Bytes out(10);
    EXPECT_EQ(source.read(100'000, out).error().code, ErrorCode::StreamBroken);
    EXPECT_EQ(source.read(600'000, out).error().code, ErrorCode::StreamBroken);
    EXPECT_EQ(read(source, 300'000, 1000), all.substr(300'000, 1000));
    EXPECT_LE(source.kept_bytes(), 512U * 1024);
}

TEST(StreamSource, SaysWhenItCanNotBeRead) {
    StreamSource source(9999);
    EXPECT_EQ(source.fill().error().code, ErrorCode::StreamBroken);
}

} // namespace
} // namespace thru
