// Connection logs: the contents of their files, and logs that can't be written.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "engine/engine_pair.h"
#include "engine/held_disk.h"
#include "fs/disk.h"
#include "link/qlog_file.h"

namespace thru::test {
namespace {

constexpr std::string_view kLogName = "0a0b0c_server.sqlog";

std::string log_content(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct QlogFileOf : testing::Test {
    std::unique_ptr<QlogFile> begin(const std::filesystem::path &directory,
                                    QlogFile::Limits limits = {.block_bytes = 1}) {
        auto log = std::make_unique<QlogFile>(disk.pool(), directory.string(), limits);
        log->begin(Bytes{0x0a, 0x0b, 0x0c}, true);
        return log;
    }
    static void write(QlogFile &log, std::string_view record) { log.write(as_bytes(record)); }

    TemporaryFolder folder;
    test::HeldDisk disk;
};

TEST_F(QlogFileOf, RecordsStandInAPrivateFileOfAFolderThatIsMade) {
    auto log = begin(folder / "new" / "logs");
    write(*log, "\x1e{\"first\":1}\n");
    write(*log, "\x1e{\"second\":2}\n");
    disk.finish();
    const auto path = folder / "new" / "logs" / kLogName;
    EXPECT_EQ(log_content(path), "\x1e{\"first\":1}\n\x1e{\"second\":2}\n");
    struct stat status{};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_EQ(log->status().bytes, std::filesystem::file_size(path));
    EXPECT_FALSE(log->status().error);
}

TEST_F(QlogFileOf, WhatWasGatheredIsWrittenWithTheLastBreath) {
    auto log = begin(folder.path(), {});
    write(*log, "record");
    disk.finish();
    EXPECT_FALSE(std::filesystem::exists(folder / kLogName));
    log.reset();
    disk.finish();
    EXPECT_EQ(log_content(folder / kLogName), "record");
}

TEST_F(QlogFileOf, ABeginningThatWasNoneLeavesNothing) {
    auto log = begin(folder.path(), {});
    write(*log, "of nothing");
    log->begin(Bytes{0x01}, true);
    write(*log, "of something");
    log.reset();
    disk.finish();
    EXPECT_EQ(log_content(folder / "01_server.sqlog"), "of something");
    EXPECT_FALSE(std::filesystem::exists(folder / kLogName));
}

TEST_F(QlogFileOf, AFolderThatIsALinkIsRefused) {
    std::filesystem::create_directory(folder / "elsewhere");
    std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "logs");
    auto log = begin(folder / "logs");
    write(*log, "record");
    disk.finish();
    ASSERT_TRUE(log->status().error);
    EXPECT_EQ(log->status().bytes, 0U);
    EXPECT_TRUE(std::filesystem::is_empty(folder / "elsewhere"));
    write(*log, "another");
    EXPECT_EQ(log->status().dropped, 1U);
}

TEST_F(QlogFileOf, AFileOrLinkOfItsNameIsLeftAlone) {
    std::ofstream(folder / "other") << "other";
    std::filesystem::create_symlink(folder / "other", folder / kLogName);
    auto log = begin(folder.path());
    write(*log, "record");
    disk.finish();
    EXPECT_TRUE(log->status().error);
    EXPECT_EQ(log_content(folder / "other"), "other");
}

TEST_F(QlogFileOf, RecordsThatTheDiskDoesNotTakeAreDroppedAndCounted) {
    auto log = begin(folder.path(), {.waiting_bytes = 30, .block_bytes = 10});
    std::mutex mutex;
    std::unique_lock held(mutex);
    disk.pool().post(disk.pool().make_strand(),
                     {.work = [&] { const std::lock_guard wait(mutex); }, .completion = {}});
    for (int record = 0; record < 5; ++record) {
        write(*log, "0123456789");
    }
    EXPECT_EQ(log->status().dropped, 2U);
    held.unlock();
    disk.finish();
    write(*log, "goes on...");
    disk.finish();
    EXPECT_EQ(log_content(folder / kLogName), "012345678901234567890123456789goes on...");
    EXPECT_EQ(log->status().dropped, 2U);
    EXPECT_FALSE(log->status().error);
}

TEST_F(QlogFileOf, AFileEndsBeforeItsLimitWithAWholeRecord) {
    auto log = begin(folder.path(), {.file_bytes = 25, .block_bytes = 1});
    for (int record = 0; record < 4; ++record) {
        write(*log, "0123456789");
        disk.finish();
    }
    EXPECT_EQ(log_content(folder / kLogName), "01234567890123456789");
    EXPECT_EQ(log->status().dropped, 2U);
    ASSERT_TRUE(log->status().error);
    EXPECT_EQ(log->status().error->code, ErrorCode::LimitExceeded);
}

TEST_F(QlogFileOf, TokensThatCouldEndTheConnectionAreZeros) {
    auto log = begin(folder.path());
    const std::string token(32, 'a');
    write(*log, R"({"stateless_reset_token":{"data":")" + token + R"("},"id":"abc"})");
    write(*log, R"({"stateless_reset_token":")" + token + R"("})");
    write(*log, R"({"stateless_reset_token":")");
    disk.finish();
    const auto content = log_content(folder / kLogName);
    EXPECT_EQ(content.find(token), std::string::npos);
    EXPECT_NE(content.find(R"({"data":"00000000000000000000000000000000"},"id":"abc"})"),
              std::string::npos);
}

TEST(QlogFolder, GivesNoFileWithoutAFolderAndNoMoreThanAThousand) {
    test::HeldDisk disk;
    QlogFolder folder;
    EXPECT_EQ(folder.next_file(disk.pool()), nullptr);
    folder.set_directory("/nowhere");
    for (int file = 0; file < 1000; ++file) {
        EXPECT_NE(folder.next_file(disk.pool()), nullptr);
    }
    EXPECT_EQ(folder.next_file(disk.pool()), nullptr);
}

using Records = std::vector<nlohmann::json>;

/// Parses a JSON text sequence (RFC 7464); every record must be complete.
Records records_of(const std::filesystem::path &path) {
    const auto content = log_content(path);
    Records records;
    for (std::size_t at = 0; at < content.size();) {
        EXPECT_EQ(content[at], '\x1e');
        const auto end = content.find('\n', at);
        EXPECT_NE(end, std::string::npos);
        records.push_back(nlohmann::json::parse(content.substr(at + 1, end - at - 1)));
        at = end + 1;
    }
    return records;
}

TEST(EngineQlog, BothEndsLeaveALogWithTheSameIdAndNothingOfWhatTheySent) {
    EnginePair pair;
    const auto logs = pair.source().parent_path() / "logs";
    pair.write_source("secret name.bin", 3'000'000);
    pair.sender.post(SetQlog{logs.string()});
    pair.receiver.post(SetQlog{logs.string()});
    pair.start({(pair.source() / "secret name.bin").string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    pair.receiver.wait_for<FinishedEvent>();
    pair.sender.wait_for<FinishedEvent>();
    const auto measured = pair.sender.wait_for<StatisticsEvent>();
    ASSERT_TRUE(measured.qlog);
    EXPECT_FALSE(measured.qlog->error);
    pair.sender.close();
    pair.receiver.close();

    std::map<std::string, std::filesystem::path> found;
    for (const auto &entry : std::filesystem::directory_iterator(logs)) {
        found.emplace(entry.path().filename().string(), entry.path());
    }
    ASSERT_EQ(found.size(), 2U);
    const auto id = found.begin()->first.substr(0, 32);
    for (const std::string end : {"client", "server"}) {
        const auto path = found[id + "_" + end + ".sqlog"];
        const auto records = records_of(path);
        ASSERT_GT(records.size(), 100U) << end;
        const auto &first = records.front();
        EXPECT_EQ(first["qlog_format"], "JSON-SEQ");
        EXPECT_EQ(first["trace"]["vantage_point"]["type"], end);
        EXPECT_EQ(first["trace"]["common_fields"]["group_id"], id);
        const auto content = log_content(path);
        EXPECT_EQ(content.find("secret"), std::string::npos);
        EXPECT_EQ(content.find("127.0.0.1"), std::string::npos);
        EXPECT_EQ(content.find("Mina"), std::string::npos);
        EXPECT_NE(content.find("congestion_window"), std::string::npos);
    }
}

} // namespace
} // namespace thru::test
