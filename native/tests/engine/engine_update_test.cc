// Updates of files between two engines.
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"
#include "fs/disk.h"
#include "wire/control.h"

namespace thru {
namespace {

FinishedEvent update(EnginePair &pair) {
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept({.conflict = ConflictPolicy::Update});
    auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.problems, 0U);
    EXPECT_TRUE(pair.same_trees(pair.source()));
    return finished;
}

TEST(EngineUpdate, ReceivesOnlyTheChunksThatTheFolderLacks) {
    constexpr std::size_t kBytes = 24'000'000;
    constexpr std::uint64_t kMaxChunk = 64 * 1024;
    EnginePair pair;
    pair.write_source("dump.sql", kBytes);
    pair.write_source("mail", kBytes, 2);
    pair.write_source("new", kBytes, 3);
    const auto older = pair.target() / "source";
    std::filesystem::create_directories(older);
    for (const char *name : {"dump.sql", "mail"}) {
        std::string content = test::read_file(pair.source() / name);
        for (const std::size_t at : {1'000'000, 9'000'000, 17'000'000}) {
            content.erase(at, 1'000);
        }
        test::write_file(older / name, content);
    }
    const auto finished = update(pair);
    constexpr std::uint64_t kMostChanged = 2 * 3 * 2 * kMaxChunk;
    EXPECT_LT(finished.transferred, kBytes + kMostChanged);
    EXPECT_GT(finished.reused_bytes, 2 * kBytes - kMostChanged);
}

TEST(EngineUpdate, ReceivesOnlyTheBlocksThatWereEdited) {
    constexpr std::size_t kBytes = 24'000'000;
    constexpr std::size_t kEdits = 40;
    EnginePair pair;
    const auto older = pair.target() / "source";
    std::filesystem::create_directories(older);
    for (const char *name : {"disk", "other"}) {
        pair.write_source(name, kBytes);
        std::string content = test::read_file(pair.source() / name);
        for (std::size_t edit = 0; edit < kEdits; ++edit) {
            content[500'000 * (edit + 1)] ^= 1;
        }
        test::write_file(older / name, content);
    }
    const auto finished = update(pair);
    EXPECT_EQ(finished.transferred, 2 * kEdits * kFileBlockBytes);
    EXPECT_EQ(finished.transferred + finished.reused_bytes, 2 * kBytes);
}

/// A paused sender lists no blocks, so the folder is not prepared until it continues.
class PausedUpdate : public testing::Test {
protected:
    static constexpr std::size_t kBytes = 24'000'000;

    PausedUpdate() {
        const auto older = pair_.target() / "source";
        std::filesystem::create_directories(older);
        pair_.write_source("disk", kBytes);
        std::string content = test::read_file(pair_.source() / "disk");
        content[kBytes / 2] ^= 1;
        test::write_file(older / "disk", content);
        pair_.start({pair_.source().string()});
        pair_.receiver.wait_for<OfferEvent>();
        pair_.sender.post(SetPaused{EnginePair::kShare, "", true});
        pair_.accept({.conflict = ConflictPolicy::Update});
        pair_.receiver.wait_for<FlowEvent>([](const FlowEvent &event) {
            return event.state.kind == FlowState::Kind::PausedByPeer;
        });
    }

    EnginePair pair_;
};

TEST_F(PausedUpdate, GoesOnWithTheSender) {
    EXPECT_EQ(pair_.receiver.count<AcceptedEvent>(), 0u);
    pair_.sender.post(SetPaused{EnginePair::kShare, "", false});
    const auto finished = pair_.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.transferred, kFileBlockBytes);
    EXPECT_TRUE(pair_.same_trees(pair_.source()));
}

TEST_F(PausedUpdate, HasNoProgressBeforeItsFolderIsPrepared) {
    pair_.sender.post(EndSession{EnginePair::kShare});
    pair_.receiver.wait_for<FailedEvent>();
    EXPECT_EQ(pair_.receiver.count<ProgressEvent>(), 0u);
}

TEST(EngineUpdate, ReceivesOnlyTheBlocksBetweenWhichAllWasEditedOrMoved) {
    constexpr std::size_t kBytes = 24'000'000;
    EnginePair pair;
    const auto older = pair.target() / "source";
    std::filesystem::create_directories(older);
    pair.write_source("disk", kBytes);
    pair.write_source("mail", kBytes, 2);
    std::string disk = test::read_file(pair.source() / "disk");
    std::uint64_t changed = 0;
    for (std::size_t at = 0; at + kFileBlockBytes <= kBytes; at += 2 * kFileBlockBytes) {
        disk[at] ^= 1;
        disk[at + kFileBlockBytes - 1] ^= 1;
        changed += kFileBlockBytes;
    }
    test::write_file(older / "disk", disk);
    const std::string mail = test::read_file(pair.source() / "mail");
    std::string older_mail;
    for (std::size_t at = 0; at < kBytes; at += 50'000) {
        older_mail += mail.substr(at, 49'000);
        changed += 2 * kFileBlockBytes;
    }
    test::write_file(older / "mail", older_mail);
    const auto finished = update(pair);
    EXPECT_LE(finished.transferred, changed);
    // Each segment has a hash.
    EXPECT_NEAR(static_cast<double>(finished.transferred + finished.reused_bytes), 2 * kBytes,
                kBytes / 100);
}

} // namespace
} // namespace thru
