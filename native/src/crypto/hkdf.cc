#include "crypto/hkdf.h"

#include <array>
#include <cstdlib>
#include <memory>

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "crypto/libraries.h"

namespace thru {

namespace {

struct KdfDeleter {
    void operator()(EVP_KDF *kdf) const { EVP_KDF_free(kdf); }
    void operator()(EVP_KDF_CTX *context) const { EVP_KDF_CTX_free(context); }
};

/// The library takes pointers to what it only reads as pointers to non-const, and no null pointer
/// for nothing.
OSSL_PARAM octets(const char *name, ByteView bytes) {
    static constexpr std::uint8_t kNothing = 0;
    const auto *data = bytes.empty() ? &kNothing : bytes.data();
    return OSSL_PARAM_construct_octet_string(name, const_cast<std::uint8_t *>(data), bytes.size());
}

} // namespace

SecretKey hkdf_sha256(ByteView input, ByteView salt, ByteView info) {
    prepare_openssl();
    SecretKey key;
    const std::unique_ptr<EVP_KDF, KdfDeleter> kdf{EVP_KDF_fetch(nullptr, "HKDF", nullptr)};
    const std::unique_ptr<EVP_KDF_CTX, KdfDeleter> context{EVP_KDF_CTX_new(kdf.get())};
    char digest[] = "SHA256";
    const std::array parameters = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
        octets(OSSL_KDF_PARAM_KEY, input),
        octets(OSSL_KDF_PARAM_SALT, salt),
        octets(OSSL_KDF_PARAM_INFO, info),
        OSSL_PARAM_construct_end(),
    };
    const auto out = key.mutable_view();
    if (!context || EVP_KDF_derive(context.get(), out.data(), out.size(), parameters.data()) != 1) {
        std::abort();
    }
    return key;
}

} // namespace thru
