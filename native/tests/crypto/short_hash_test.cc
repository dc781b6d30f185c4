#include "crypto/short_hash.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(ShortHash, IsTheSameForTheSameBytesOnly) {
    const ShortHash hash;
    EXPECT_EQ(hash(as_bytes("a")), hash(as_bytes("a")));
    EXPECT_NE(hash(as_bytes("a")), hash(as_bytes("b")));
    EXPECT_NE(hash(as_bytes("")), hash(as_bytes("a")));
}

TEST(ShortHash, HasAKeyOfItsOwn) {
    EXPECT_NE(ShortHash()(as_bytes("a")), ShortHash()(as_bytes("a")));
}

} // namespace
} // namespace thru
