#include "crypto/keyed_hash.h"

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(KeyedHash, IsTheSameForTheSameBytesOnly) {
    const KeyedHash hash;
    EXPECT_EQ(hash(as_bytes("a")), hash(as_bytes("a")));
    EXPECT_NE(hash(as_bytes("a")), hash(as_bytes("b")));
    EXPECT_NE(hash(as_bytes("")), hash(as_bytes("a")));
}

TEST(KeyedHash, HasAKeyOfItsOwn) {
    EXPECT_NE(KeyedHash()(as_bytes("a")), KeyedHash()(as_bytes("a")));
}

} // namespace
} // namespace thru
