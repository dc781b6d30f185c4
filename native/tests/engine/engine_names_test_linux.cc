// A whole transfer of names that APFS can't hold, because it requires UTF-8.
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/engine_pair.h"

namespace thru {
namespace {

TEST(EngineNames, EveryNameArrivesAndItsWrittenFormIsReported) {
    EnginePair pair;
    pair.write_source("back\\slash", 10, 1);
    pair.write_source("line\nbreak", 20, 2);
    pair.write_source("line%0Abreak", 30, 3);
    pair.write_source("latin\xe9/tab\t.txt", 40, 4);
    pair.write_source("photo\u202Egpj.exe", 50, 5);
    std::filesystem::create_symlink("latin\xe9/tab\t.txt", pair.source() / "link");
    pair.start({pair.source().string()});
    const auto offer = pair.receiver.wait_for<OfferEvent>();
    EXPECT_EQ(offer.files, 5u);
    EXPECT_TRUE(offer.left_out.reasons.empty());
    pair.receiver.post(Preflight{EnginePair::kReceive, pair.target().string(), {}, {}});
    const auto preflight = pair.receiver.wait_for<PreflightEvent>();
    // If two names become the same, the one scanned last gets a number.
    EXPECT_GE(preflight.result.mapped_names, 4u);
    EXPECT_LE(preflight.result.mapped_names, 5u);
    pair.accept();
    const auto accepted = pair.receiver.wait_for<AcceptedEvent>();
    EXPECT_EQ(accepted.mapped_names, preflight.result.mapped_names);
    EXPECT_EQ(accepted.listed_names.size(), preflight.result.mapped_names);
    const auto finished = pair.receiver.wait_for<FinishedEvent>();
    EXPECT_EQ(finished.files, 5u);
    EXPECT_EQ(finished.problems, 0u);
    const auto target = pair.target() / "source";
    EXPECT_EQ(std::filesystem::file_size(target / "back\\slash"), 10u);
    EXPECT_EQ(std::filesystem::file_size(target / "latin%E9/tab%09.txt"), 40u);
    EXPECT_EQ(std::filesystem::file_size(target / "photo%E2%80%AEgpj.exe"), 50u);
    // The entry scanned first keeps the name.
    EXPECT_TRUE(std::filesystem::is_regular_file(target / "line%0Abreak"));
    EXPECT_TRUE(std::filesystem::is_regular_file(target / "line%0Abreak (2)"));
    EXPECT_EQ(std::filesystem::read_symlink(target / "link"), "latin%E9/tab%09.txt");
}

} // namespace
} // namespace thru
