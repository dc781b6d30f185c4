// User commands during a transfer: pause, choose, limit, change the share.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"

namespace thru {
namespace {

std::function<bool(const FlowEvent &)> flow_is(FlowState::Kind kind) {
    return [kind](const FlowEvent &event) { return event.state.kind == kind; };
}

TEST(EngineControl, EitherSidePausesAndTheOtherShowsIt) {
    EnginePair pair;
    pair.write_source("big.bin", 60'000'000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.sender.post(SetPaused{EnginePair::kShare, "", true});
    pair.accept();
    pair.sender.wait_for<FlowEvent>(flow_is(FlowState::Kind::Paused));
    pair.receiver.wait_for<FlowEvent>(flow_is(FlowState::Kind::PausedByPeer));
    pair.receiver.post(SetPaused{EnginePair::kReceive, "", true});
    pair.receiver.wait_for<FlowEvent>(flow_is(FlowState::Kind::Paused));
    EXPECT_EQ(pair.receiver.count<FinishedEvent>(), 0U);
    pair.sender.post(SetPaused{EnginePair::kShare, "", false});
    pair.sender.wait_for<FlowEvent>(flow_is(FlowState::Kind::PausedByPeer));
    EXPECT_EQ(pair.receiver.count<FinishedEvent>(), 0U);
    pair.receiver.post(SetPaused{EnginePair::kReceive, "", false});
    pair.receiver.wait_for<FinishedEvent>();
    EXPECT_TRUE(pair.same_trees(pair.source()));
}

TEST(EngineControl, OnlySelectedFilesAreSent) {
    EnginePair pair;
    pair.write_source("photos/a.jpg", 1000);
    pair.write_source("photos/b.raw", 1000);
    pair.write_source("notes/c.txt", 1000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept({}, {.only = {"source/photos/"}, .except = {"*.raw"}, .first = {}});
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 1U);
    EXPECT_EQ(finished.problems, 0U);
    EXPECT_TRUE(std::filesystem::exists(pair.target() / "source/photos/a.jpg"));
    EXPECT_FALSE(std::filesystem::exists(pair.target() / "source/photos/b.raw"));
    EXPECT_FALSE(std::filesystem::exists(pair.target() / "source/notes"));
}

TEST(EngineControl, BothSidesCountIdenticalAndUnwantedFiles) {
    EnginePair pair;
    pair.write_source("here.txt", 1000);
    pair.write_source("new.txt", 2000);
    pair.write_source("other.raw", 4000);
    std::filesystem::create_directories(pair.target());
    std::filesystem::copy(pair.source(), pair.target() / "source");
    std::filesystem::remove(pair.target() / "source/new.txt");
    std::filesystem::last_write_time(pair.target() / "source/here.txt",
                                     std::filesystem::last_write_time(pair.source() / "here.txt"));
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept({}, {.only = {}, .except = {"*.raw"}, .first = {}});
    for (const auto &finished :
         {pair.receiver.wait_for<FinishedEvent>(), pair.sender.wait_for<FinishedEvent>()}) {
        EXPECT_EQ(finished.files, 2U);
        EXPECT_EQ(finished.identical, 1U);
        EXPECT_EQ(finished.identical_bytes, 1000U);
        EXPECT_EQ(finished.uncompared, 1U);
        EXPECT_EQ(finished.offered_files, 3U);
        EXPECT_EQ(finished.unwanted_files, 1U);
    }
}

TEST(EngineControl, AFileCanBeSkippedWhileItIsOnItsWay) {
    EnginePair pair;
    pair.write_source("huge.bin", 300'000'000);
    pair.write_source("small.txt", 1000);
    pair.start({pair.source().string()});
    pair.sender.post(SetLimits{30'000'000, 0});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > 10'000'000; });
    pair.receiver.post(ChangeSelection{EnginePair::kReceive, {"huge.bin"}, false});
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 1U);
    EXPECT_FALSE(std::filesystem::exists(pair.target() / "source/huge.bin"));
    EXPECT_TRUE(std::filesystem::exists(pair.target() / "source/small.txt"));
    pair.receiver.close();
    std::size_t files = 0;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(pair.target())) {
        files += entry.is_regular_file() ? 1U : 0U;
    }
    EXPECT_EQ(files, 1U) << "a part file was left";
}

TEST(EngineControl, WhatIsAddedWhileTheFilesAreListedIsSharedToo) {
    EnginePair pair;
    pair.write_source("first", 1);
    pair.write_source("second", 2);
    pair.share({(pair.source() / "first").string()});
    pair.sender.post(AddItems{EnginePair::kShare, {{.path = (pair.source() / "second").string()}}});
    const auto scan = pair.sender.wait_for<ScanEvent>(
        [](const auto &event) { return event.files == 2 && event.complete; });
    EXPECT_EQ(scan.bytes, 3U);
}

TEST(EngineControl, WhatIsAddedIsComparedWhileTheRestIsFinished) {
    EnginePair pair;
    pair.write_source("first/a.bin", 3'000'000);
    pair.write_source("second/b.bin", 100'000'000);
    std::filesystem::create_directories(pair.target() / "second");
    std::filesystem::copy_file(pair.source() / "second/b.bin", pair.target() / "second/b.bin");
    std::filesystem::last_write_time(pair.target() / "second/b.bin",
                                     std::filesystem::file_time_type{});
    pair.start({(pair.source() / "first").string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.sender.post(SetPaused{EnginePair::kShare, "", true});
    pair.accept({.compare_content = true});
    pair.sender.wait_for<AcceptedEvent>();
    pair.sender.post(AddItems{EnginePair::kShare, {{.path = (pair.source() / "second").string()}}});
    pair.receiver.wait_for<OfferEvent>([](const OfferEvent &event) { return event.files == 2; });
    pair.sender.post(SetPaused{EnginePair::kShare, "", false});
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 2U);
    EXPECT_EQ(finished.identical, 1U);
    EXPECT_EQ(finished.uncompared, 0U);
    EXPECT_TRUE(pair.same_trees(pair.source() / "first"));
    EXPECT_TRUE(pair.same_trees(pair.source() / "second"));
}

TEST(EngineControl, ARemovedItemIsNoLongerSent) {
    EnginePair pair;
    pair.write_source("keep/a.bin", 1'000'000);
    pair.write_source("secret/b.bin", 1'000'000);
    pair.start({(pair.source() / "keep").string(), (pair.source() / "secret").string()});
    const auto items = pair.sender.wait_for<ScanItemsEvent>();
    ASSERT_EQ(items.items.size(), 2U);
    pair.receiver.wait_for<OfferEvent>();
    pair.sender.post(RemoveItem{EnginePair::kShare, items.items[1].id});
    pair.receiver.wait_for<OfferEvent>([](const OfferEvent &event) { return event.files == 1; });
    pair.accept();
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 1U);
    EXPECT_FALSE(std::filesystem::exists(pair.target() / "secret/b.bin"));

    pair.join(3, "late");
    const auto late = pair.receiver.wait_for<OfferEvent>(
        [](const OfferEvent &event) { return event.session == 3; });
    ASSERT_EQ(late.items.size(), 1U);
    EXPECT_EQ(late.items[0].top.name, "keep");
}

TEST(EngineControl, ATextIsShownAndNotWritten) {
    EnginePair pair;
    pair.write_source("a.bin", 1000);
    pair.start({(pair.source() / "a.bin").string()}, "apple-banana-cactus", {"hello there"});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    EXPECT_EQ(pair.receiver.wait_for<TextEvent>().text, "hello there");
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 2U);
    std::size_t entries = 0;
    for (const auto &entry : std::filesystem::directory_iterator(pair.target())) {
        EXPECT_EQ(entry.path().filename(), "a.bin");
        ++entries;
    }
    EXPECT_EQ(entries, 1U);
}

TEST(EngineControl, ALimitHoldsForWhatIsReceived) {
    EnginePair pair;
    pair.write_source("a.bin", 8'000'000);
    pair.receiver.post(SetLimits{0, 4'000'000});
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    const auto before = std::chrono::steady_clock::now();
    pair.accept();
    pair.receiver.wait_for<FinishedEvent>();
    // A slow machine takes longer; no machine can be faster than the limit.
    EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(1850));
}

TEST(EngineControl, ReceiversBeyondTheLimitAreRefused) {
    EnginePair pair;
    pair.write_source("a.bin", 1000);
    pair.start({pair.source().string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.sender.post(SetMaxReceivers{EnginePair::kShare, 1});
    pair.join(3, "second");
    const auto refused = pair.sender.wait_for<FailedEvent>();
    EXPECT_EQ(refused.peer, "second");
    EXPECT_EQ(refused.error.code, ErrorCode::TooManyReceivers);
    EXPECT_EQ(pair.receiver.wait_for<FailedEvent>().error.code, ErrorCode::TooManyReceivers);
    pair.accept();
    EXPECT_EQ(pair.receiver.wait_for<FinishedEvent>().files, 1U);
}

TEST(EngineControl, AFolderOfTheOfferIsListedPageByPage) {
    EnginePair pair;
    pair.write_source("photos/one/a.jpg", 10);
    pair.write_source("photos/one/b.jpg", 20);
    pair.write_source("photos/two.jpg", 30);
    pair.start({(pair.source() / "photos").string()});
    pair.receiver.wait_for<OfferEvent>();
    pair.receiver.post(ListOffer{EnginePair::kReceive, "photos", "", 0, 10});
    const auto all = pair.receiver.wait_for<ListingEvent>();
    EXPECT_EQ(all.listing.total, 2U);
    ASSERT_EQ(all.listing.entries.size(), 2U);
    for (const auto &entry : all.listing.entries) {
        EXPECT_EQ(entry.bytes, 30U) << entry.name;
        EXPECT_EQ(entry.files, entry.kind == EntryKind::Folder ? 2U : 1U);
    }
    pair.receiver.post(ListOffer{EnginePair::kReceive, "photos", "", 1, 1});
    const auto page = pair.receiver.wait_for<ListingEvent>(
        [](const ListingEvent &event) { return event.offset == 1; });
    EXPECT_EQ(page.listing.total, 2U);
    EXPECT_EQ(page.listing.entries.size(), 1U);
}

std::function<bool(const FilesEvent &)> answers(std::uint32_t request) {
    return [request](const FilesEvent &event) { return event.request == request; };
}

TEST(EngineControl, BothSidesListFilesWithTheirStates) {
    EnginePair pair;
    pair.write_source("a.txt", 1000);
    pair.write_source("b.bin", 60'000'000);
    pair.write_source("c.txt", 1000);
    pair.start({pair.source().string()});
    // The large file takes a minute until the limit is lifted.
    pair.sender.post(SetLimits{1'000'000, 0});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept({}, {.only = {}, .except = {"c.txt"}, .first = {"a.txt"}});
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.files == 1 && event.bytes > 500'000; });
    const auto states = [](const FilesEvent &event) {
        std::map<std::string, FileState> by_path;
        for (const ListedFile &file : event.page.files) {
            by_path[file.path] = file.state;
        }
        return by_path;
    };
    using States = std::map<std::string, FileState>;
    pair.receiver.post(ListFiles{.session = EnginePair::kReceive, .request = 1, .limit = 10});
    const auto received = pair.receiver.wait_for<FilesEvent>(answers(1));
    EXPECT_FALSE(received.error);
    EXPECT_EQ(received.page.counts, (std::array<std::uint64_t, kFileFilters>{3, 0, 1, 1, 0, 1}));
    EXPECT_EQ(states(received), (States{{"source/a.txt", FileState::Saved},
                                        {"source/b.bin", FileState::Active},
                                        {"source/c.txt", FileState::Skipped}}));
    pair.sender.post(
        ListFiles{.session = EnginePair::kShare, .peer = "r", .request = 2, .limit = 10});
    const auto sent = pair.sender.wait_for<FilesEvent>(answers(2));
    EXPECT_EQ(states(sent), (States{{"source/a.txt", FileState::Sent},
                                    {"source/b.bin", FileState::Active},
                                    {"source/c.txt", FileState::Skipped}}));
    pair.sender.post(SetLimits{0, 0});
    pair.receiver.wait_for<FinishedEvent>();
}

TEST(EngineControl, FilesOfWhatIsNotThereAreAnsweredWithAnError) {
    EnginePair pair;
    pair.write_source("a.bin", 10);
    pair.share({pair.source().string()});
    pair.sender.post(
        ListFiles{.session = EnginePair::kShare, .peer = "nobody", .request = 7, .limit = 10});
    pair.receiver.post(ListFiles{.session = EnginePair::kReceive, .request = 7, .limit = 10});
    for (auto *engine : {&pair.sender, &pair.receiver}) {
        const auto answer = engine->wait_for<FilesEvent>(answers(7));
        ASSERT_TRUE(answer.error);
        EXPECT_EQ(answer.error->code, ErrorCode::BadArgument);
    }
}

TEST(EngineControl, APrioritizedFileComesBeforeTheRest) {
    EnginePair pair;
    pair.write_source("a.bin", 120'000'000);
    pair.write_source("z.bin", 1'000'000);
    pair.start({pair.source().string()});
    pair.sender.post(SetLimits{20'000'000, 0});
    pair.receiver.wait_for<OfferEvent>();
    pair.accept();
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > 0; });
    pair.receiver.post(PrioritizeFiles{EnginePair::kReceive, {"/source/z.bin"}});
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.bytes > 90'000'000; });
    // Its data has arrived; however long the disk takes now, the rest doesn't come.
    pair.sender.post(SetLimits{1'000, 0});
    pair.receiver.wait_for<ProgressEvent>(
        [](const ProgressEvent &event) { return event.files == 1; });
    EXPECT_TRUE(std::filesystem::exists(pair.target() / "source/z.bin"));
    EXPECT_FALSE(std::filesystem::exists(pair.target() / "source/a.bin"));
    pair.sender.post(SetLimits{});
    pair.receiver.wait_for<FinishedEvent>();
    EXPECT_TRUE(pair.same_trees(pair.source()));
}

} // namespace
} // namespace thru
