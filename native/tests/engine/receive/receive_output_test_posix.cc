// A received file that is written to a stream of the process.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "engine/output_pipe_posix.h"
#include "fs/disk.h"

namespace thru {
namespace {

void accept(EnginePair &pair, const OutputPipe &output, const SelectionText &selection = {}) {
    pair.receiver.post(Accept{.session = EnginePair::kReceive,
                              .directory = pair.target().string(),
                              .options = {},
                              .selection = selection,
                              .auto_accept = std::nullopt,
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
