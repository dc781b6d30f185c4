#include "crypto/aead.h"

#include <sodium.h>

#include "crypto/random.h"

namespace thru {

static_assert(std::tuple_size_v<BoxNonce> == crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
static_assert(kBoxOverheadBytes == crypto_aead_xchacha20poly1305_ietf_ABYTES);

BoxNonce random_box_nonce() {
    BoxNonce nonce;
    random_bytes(nonce);
    return nonce;
}

Bytes seal_box(const SecretKey &key, const BoxNonce &nonce, ByteView associated, ByteView content) {
    Bytes box(content.size() + kBoxOverheadBytes);
    crypto_aead_xchacha20poly1305_ietf_encrypt(box.data(), nullptr, content.data(), content.size(),
                                               associated.data(), associated.size(), nullptr,
                                               nonce.data(), key.view().data());
    return box;
}

std::optional<Bytes> open_box(const SecretKey &key, const BoxNonce &nonce, ByteView associated,
                              ByteView box) {
    if (box.size() < kBoxOverheadBytes) {
        return std::nullopt;
    }
    Bytes content(box.size() - kBoxOverheadBytes);
    if (crypto_aead_xchacha20poly1305_ietf_decrypt(content.data(), nullptr, nullptr, box.data(),
                                                   box.size(), associated.data(), associated.size(),
                                                   nonce.data(), key.view().data()) != 0) {
        return std::nullopt;
    }
    return content;
}

} // namespace thru
