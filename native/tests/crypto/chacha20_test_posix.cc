// The ChaCha20 of web pages next to OpenSSL's, on this system's vectors.
#define ChaCha20_ctr32 thru_page_chacha20
#include "crypto/chacha20_wasm.cc"

#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

namespace thru {
namespace {

using Key = std::array<std::uint8_t, 32>;
/// Block counter and nonce, as OpenSSL takes them.
using Counter = std::array<std::uint8_t, 16>;

std::vector<std::uint8_t> expected(const std::vector<std::uint8_t> &in, const Key &key,
                                   const Counter &counter) {
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
        EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
    std::vector<std::uint8_t> out(in.size());
    int length = 0;
    EXPECT_EQ(
        EVP_EncryptInit_ex(context.get(), EVP_chacha20(), nullptr, key.data(), counter.data()), 1);
    EXPECT_EQ(EVP_EncryptUpdate(context.get(), out.data(), &length, in.data(),
                                static_cast<int>(in.size())),
              1);
    return out;
}

TEST(PageChaCha20, IsThatOfOpenSsl) {
    Key key{};
    for (std::size_t at = 0; at < key.size(); ++at) {
        key[at] = static_cast<std::uint8_t>(7 * at + 1);
    }
    std::array<unsigned, 8> key_words{};
    std::memcpy(key_words.data(), key.data(), key.size());
    for (const unsigned first : {0U, 1U, 0xfffffff0U}) {
        const std::array<unsigned, 4> words{first, 0x03020100, 0x4a000000, 0x00000009};
        Counter counter{};
        std::memcpy(counter.data(), words.data(), counter.size());
        for (std::size_t size = 0; size <= 600; ++size) {
            const std::size_t shift = size % 16;
            std::vector<std::uint8_t> in(size);
            for (std::size_t at = 0; at < size; ++at) {
                in[at] = static_cast<std::uint8_t>(at * at + size);
            }
            const auto wanted = expected(in, key, counter);
            std::vector<std::uint8_t> apart(size + shift + 1, 0xee);
            thru_page_chacha20(apart.data() + shift, in.data(), size, key_words.data(),
                               words.data());
            EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(),
                                   apart.begin() + static_cast<std::ptrdiff_t>(shift)))
                << size;
            EXPECT_EQ(apart.back(), 0xee) << size;
            thru_page_chacha20(in.data(), in.data(), size, key_words.data(), words.data());
            EXPECT_EQ(in, wanted) << size;
        }
    }
}

} // namespace
} // namespace thru
