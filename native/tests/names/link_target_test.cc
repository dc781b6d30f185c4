#include "names/link_target.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(LinkTarget, MayBeAnythingInTheSameItem) {
    for (const char *target : {"b", "./b", "sub/b", "../b", "..", ".", "../..", "../../other/c",
                               "./../x", "not/there", "with space", "..b"}) {
        EXPECT_TRUE(check_link_target("item/one/two/link", target)) << target;
    }
    EXPECT_TRUE(check_link_target("item/link", "b"));
    EXPECT_TRUE(check_link_target("item/link", "."));
}

TEST(LinkTarget, MayNotBeOutside) {
    for (const char *target : {"../../..", "../../../x", "../../../item/x", "/etc/passwd", "/"}) {
        const auto allowed = check_link_target("item/one/two/link", target);
        ASSERT_FALSE(allowed) << target;
        EXPECT_EQ(allowed.error().code, ErrorCode::LinkOutside);
    }
    EXPECT_FALSE(check_link_target("item/link", ".."));
    EXPECT_FALSE(check_link_target("item/link", "../item"));
    EXPECT_FALSE(check_link_target("item", "b/../../x"));
}

TEST(LinkTarget, MayNotGoUpBehindAName) {
    // If item/one/up -> ../.. exists, this is outside, although the text seems to stay inside.
    EXPECT_FALSE(check_link_target("item/one/link", "up/../x"));
    EXPECT_FALSE(check_link_target("item/link", "one/.."));
}

TEST(LinkTarget, MayNotLeadUpFromALinkThatIsInNoItem) {
    EXPECT_FALSE(check_link_target("link", ".."));
    EXPECT_FALSE(check_link_target("link", "../.."));
}

TEST(LinkTarget, MayHaveNamesThatOnlySomeSystemsCanHold) {
    for (const char *target : {"CON", "a?b", "name.", "..namedfork", "a\\b", "a\nb", "a\xff"}) {
        EXPECT_TRUE(check_link_target("item/link", target)) << target;
    }
}

TEST(LinkTarget, MustBeAPathThatOthersCanHold) {
    for (const std::string &target :
         {std::string(), std::string("a//b"), std::string("a/"), std::string("../"),
          std::string("a\0b", 3), std::string(256, 'a'), "./" + std::string(5000, '/')}) {
        const auto allowed = check_link_target("item/one/link", target);
        ASSERT_FALSE(allowed) << target;
        EXPECT_EQ(allowed.error().code, ErrorCode::PathUnsupported);
    }
}

} // namespace
} // namespace thru
