#include "engine/origin.h"

#include <gtest/gtest.h>

#include "engine/hostile/hostile_sender.h"
#include "link/origin_proof.h"

namespace thru {
namespace {

SecretKey secret(std::uint8_t number) {
    SecretKey key;
    key.mutable_view().front() = number;
    return key;
}

const std::vector<ScanItem> kItems = {{.path = "/home/mina/a"}, {.path = "/home/mina/b"}};

TEST(Origin, IsTheSameForTheSameItemsInAnyOrder) {
    const std::vector<ScanItem> turned = {kItems[1], kItems[0]};
    EXPECT_EQ(origin_key(secret(1), kItems).public_key(),
              origin_key(secret(1), turned).public_key());
}

TEST(Origin, IsTheSameWithAndWithoutTextsBesideFiles) {
    const ScanItem text = {.text = "4417", .name = "Text"};
    const std::vector<ScanItem> with_text = {kItems[0], text, kItems[1]};
    EXPECT_EQ(origin_key(secret(1), kItems).public_key(),
              origin_key(secret(1), with_text).public_key());
    const std::vector<ScanItem> only_text = {text};
    EXPECT_NE(origin_key(secret(1), only_text).public_key(),
              origin_key(secret(1), {}).public_key());
}

TEST(Origin, IsAnotherForOtherItemsAndOtherInstallations) {
    const auto key = origin_key(secret(1), kItems).public_key();
    EXPECT_NE(origin_key(secret(2), kItems).public_key(), key);
    EXPECT_NE(origin_key(secret(1), std::span(kItems).first(1)).public_key(), key);
    const std::vector<ScanItem> shifted = {{.path = "/home/mina/a/home/mina/b"}};
    EXPECT_NE(origin_key(secret(1), shifted).public_key(), key);
}

TEST(Origin, IsProvenForOneConnectionOnly) {
    const auto key = origin_key(secret(1), kItems);
    const Origin origin = signed_origin(key, secret(7));
    const auto id = verified_origin(origin, secret(7));
    ASSERT_TRUE(id);
    EXPECT_EQ(verified_origin(signed_origin(key, secret(8)), secret(8)), id);
    EXPECT_FALSE(verified_origin(origin, secret(8)));
    Origin other = origin;
    other.public_key = origin_key(secret(2), kItems).public_key();
    EXPECT_FALSE(verified_origin(other, secret(7)));
}

TEST(Origin, ThatIsNotTheSendersEndsTheTransfer) {
    HostileSenderTest evil;
    evil.control(Hello{.name = "Mallory"});
    // An origin seen in another connection.
    evil.control(signed_origin(origin_key(secret(1), kItems), secret(7)));
    const auto failed = evil.receiver.wait_for<FailedEvent>([](const auto &) { return true; });
    EXPECT_EQ(failed.error.code, ErrorCode::PeerProtocol);
}

} // namespace
} // namespace thru
