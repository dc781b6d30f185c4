// A received file that goes to a stream of the process.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <unistd.h>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "fs/disk.h"

namespace thru {
namespace {

/// A pipe in the place of standard output, and what comes out of it.
class OutputPipe {
public:
    OutputPipe() {
        // As in every program that writes to pipes: the error tells it.
        std::signal(SIGPIPE, SIG_IGN);
        EXPECT_EQ(::pipe(ends_), 0);
    }
    ~OutputPipe() {
        close_reader();
        close_writer();
    }

    int writer() const { return ends_[1]; }
    void close_reader() { close(0); }
    void close_writer() { close(1); }
    /// Reads on a thread of its own until the writer's end is closed.
    std::future<std::string> read_all() {
        return std::async(std::launch::async, [this] {
            std::string all;
            std::string block(1 << 16, '\0');
            for (ssize_t got = 0; (got = ::read(ends_[0], block.data(), block.size())) > 0;) {
                all.append(block, 0, static_cast<std::size_t>(got));
            }
            return all;
        });
    }

private:
    void close(int end) {
        if (ends_[end] >= 0) {
            ::close(std::exchange(ends_[end], -1));
        }
    }

    int ends_[2] = {-1, -1};
};

void accept(EnginePair &pair, const OutputPipe &output, const SelectionText &selection = {}) {
    pair.receiver.post(Accept{.session = EnginePair::kReceive,
                              .directory = pair.target().string(),
                              .options = {},
                              .selection = selection,
                              .unasked = std::nullopt,
                              .output = output.writer()});
}

TEST(ReceiveOutput, TakesAFileInOrderAndWritesNothingElse) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("big.bin", 100'000'001);
    pair.start({(pair.source() / "big.bin").string()});
    pair.receiver.wait_for<OfferEvent>();
    auto read = output.read_all();
    accept(pair, output);
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().bytes, 100'000'001U);
    EXPECT_EQ(pair.sender.wait_for<FinishedEvent>().files, 1U);
    output.close_writer();
    EXPECT_TRUE(read.get() == test::read_file(pair.source() / "big.bin"));
    EXPECT_FALSE(std::filesystem::exists(pair.target()));
}

TEST(ReceiveOutput, TakesAnEmptyFile) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("empty", 0);
    pair.start({(pair.source() / "empty").string()});
    pair.receiver.wait_for<OfferEvent>();
    accept(pair, output);
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 1U);
}

TEST(ReceiveOutput, WritesHolesAsZeros) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("sparse", 100'000);
    const auto path = pair.source() / "sparse";
    std::filesystem::resize_file(path, 40'000'000);
    pair.start({path.string()});
    pair.receiver.wait_for<OfferEvent>();
    auto read = output.read_all();
    accept(pair, output);
    pair.receiver.wait_for<FinishedEvent>();
    output.close_writer();
    EXPECT_TRUE(read.get() == test::read_file(path));
}

TEST(ReceiveOutput, TakesTheOneFileThatIsSelected) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("a", 1000, 1);
    pair.write_source("b", 2000, 2);
    pair.write_source("c", 3000, 3);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    auto read = output.read_all();
    accept(pair, output, {.only = {"b"}});
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().bytes, 2000U);
    output.close_writer();
    EXPECT_TRUE(read.get() == test::read_file(pair.source() / "b"));
}

TEST(ReceiveOutput, RefusesSeveralFiles) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("a", 1000);
    pair.write_source("b", 2000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    accept(pair, output);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::BadArgument);
}

TEST(ReceiveOutput, EndsWhenNobodyReads) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("big.bin", 20'000'000);
    pair.start({(pair.source() / "big.bin").string()});
    pair.receiver.wait_for<OfferEvent>();
    accept(pair, output);
    output.close_reader();
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::OutputClosed);
    EXPECT_EQ(pair.sender.wait_for<FailedEvent>().error.code, ErrorCode::OutputClosed);
}

TEST(ReceiveOutput, ClosesWhileItsReaderTakesNothing) {
    EnginePair pair;
    OutputPipe output;
    pair.write_source("big.bin", 20'000'000);
    pair.start({(pair.source() / "big.bin").string()});
    pair.receiver.wait_for<OfferEvent>();
    accept(pair, output);
    pair.receiver.wait_for<ProgressEvent>();
    const auto began = std::chrono::steady_clock::now();
    pair.receiver.close();
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

} // namespace
} // namespace thru
