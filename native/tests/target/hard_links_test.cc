#include "target/hard_links.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "target/fake_sender.h"

namespace thru::test {
namespace {

/// Three names of one file, and one more file.
class HardLinksTest : public testing::Test {
protected:
    HardLinksTest() {
        offered_.file("share/a", bytes_of(50'000, 1));
        offered_.hard_link("share/b", 0);
        offered_.hard_link("share/below/c", 0);
        offered_.file("share/other", bytes_of(50'000, 1));
    }

    Attempt attempt(test::SendOptions options = {}) {
        return {offered_, (folder_ / "in").string(), std::move(options)};
    }
    std::filesystem::path at(const std::string &name) const {
        return folder_ / ("in/share/" + name);
    }
    /// The number of names of the file. mingw's std::filesystem::hard_link_count says 1 of any.
    std::uint32_t names(const std::string &name) const {
        const auto status = fs::status_of(at(name).string());
        return status ? status->links : 0;
    }
    void expect_content(std::initializer_list<const char *> names) const {
        for (const char *name : names) {
            EXPECT_EQ(read_file(at(name)), offered_.contents[0]) << name;
        }
    }

    test::TemporaryFolder folder_;
    test::Offered offered_;
};

TEST_F(HardLinksTest, AreNamesOfOneFileThatIsSentOnce) {
    auto all = attempt();
    ASSERT_TRUE(all.run());
    EXPECT_EQ(all.bytes_sent, 2 * 50'000u);
    EXPECT_EQ(all.published.size(), 4u);
    expect_content({"a", "b", "below/c", "other"});
    EXPECT_EQ(names("a"), 3u);
    EXPECT_EQ(names("other"), 1u);
    EXPECT_TRUE(std::filesystem::equivalent(at("a"), at("below/c")));
}

TEST_F(HardLinksTest, LinkToTheNextNameWhenTheFirstIsUnwanted) {
    auto rest = attempt();
    rest.unwanted = {{0, 1}};
    ASSERT_TRUE(rest.run());
    EXPECT_EQ(rest.bytes_sent, 2 * 50'000u);
    EXPECT_FALSE(std::filesystem::exists(at("a")));
    expect_content({"b", "below/c"});
    EXPECT_EQ(names("b"), 2u);
}

TEST_F(HardLinksTest, AreReceivedWhenTheFirstNameIsDropped) {
    auto opened = ReceiveFolder::open((folder_ / "in").string(), offered_.manifest, {},
                                      {.share = test::kShare, .origin = test::kOrigin});
    ASSERT_TRUE(opened);
    const auto prepared = test::prepare(**opened, 0, 4, {});
    ASSERT_TRUE(prepared);
    EXPECT_EQ(prepared->linked, (IndexRanges{{1, 2}}));
    EXPECT_EQ((*opened)->drop({{2, 1}}), std::vector<std::uint64_t>{});
    EXPECT_EQ((*opened)->drop({{0, 1}}), std::vector<std::uint64_t>{1});
    EXPECT_EQ((*opened)->drop({{1, 1}}), std::vector<std::uint64_t>{});
}

TEST_F(HardLinksTest, GetNumberedNamesNextToOtherFiles) {
    test::write_file(at("b"), "mine");
    auto all = attempt();
    ASSERT_TRUE(all.run());
    EXPECT_EQ(all.renamed, 1u);
    EXPECT_EQ(read_file(at("b")), "mine");
    EXPECT_TRUE(std::filesystem::equivalent(at("a"), at("b (2)")));
}

TEST_F(HardLinksTest, ReplaceOtherFiles) {
    test::write_file(at("b"), "mine");
    auto all = attempt({.receive = {.conflict = ConflictPolicy::Replace}});
    ASSERT_TRUE(all.run());
    EXPECT_EQ(names("a"), 3u);
    expect_content({"b"});
}

TEST_F(HardLinksTest, AreReceivedWhenTheFirstNameIsNoOwnFile) {
    test::write_file(at("a"), offered_.contents[0]);
    auto all = attempt();
    ASSERT_TRUE(all.run());
    // The first is published as the copy that existed.
    EXPECT_EQ(names("a"), 1u);
    EXPECT_EQ(all.bytes_sent, 4 * 50'000u);
    expect_content({"a", "b", "below/c"});
}

TEST_F(HardLinksTest, AreLinkedInLaterRounds) {
    // An attempt holds its journal as long as it exists.
    const auto bytes_of_round = [this] {
        auto round = attempt({.receive = {
                                  .conflict = ConflictPolicy::Update,
                                  .follow = true,
                                  .deletions = true,
                              }});
        EXPECT_TRUE(round.run());
        return round.bytes_sent;
    };
    EXPECT_EQ(bytes_of_round(), 2 * 50'000u);
    EXPECT_EQ(bytes_of_round(), 0u);
    EXPECT_EQ(names("a"), 3u);
    offered_.hard_link("share/d", 0);
    EXPECT_EQ(bytes_of_round(), 0u);
    EXPECT_EQ(names("a"), 4u);
    expect_content({"d"});
    test::Offered newer;
    newer.file("share/a", bytes_of(60'000, 2), 9'000'000'000'000);
    newer.hard_link("share/b", 0);
    newer.hard_link("share/d", 0);
    offered_ = newer;
    EXPECT_EQ(bytes_of_round(), 60'000u);
    EXPECT_EQ(names("a"), 3u);
    expect_content({"a", "b", "d"});
    EXPECT_FALSE(std::filesystem::exists(at("below/c")));
}

} // namespace
} // namespace thru::test
