#include "crypto/hkdf.h"

#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string_view>

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

// The library's read-only parameters are pointers to non-const.

/// The library doesn't accept a null pointer for empty input.
OSSL_PARAM octets(const char *name, ByteView bytes) {
    static constexpr std::uint8_t kNothing = 0;
    const auto *data = bytes.empty() ? &kNothing : bytes.data();
    return OSSL_PARAM_construct_octet_string(name, const_cast<std::uint8_t *>(data), bytes.size());
}

OSSL_PARAM digest(std::string_view name) {
    return OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, const_cast<char *>(name.data()),
                                            name.size());
}

void derive(MutableByteView out, std::initializer_list<OSSL_PARAM> parameters) {
    prepare_openssl();
    const std::unique_ptr<EVP_KDF, KdfDeleter> kdf{EVP_KDF_fetch(nullptr, "HKDF", nullptr)};
    const std::unique_ptr<EVP_KDF_CTX, KdfDeleter> context{EVP_KDF_CTX_new(kdf.get())};
    if (!context ||
        EVP_KDF_derive(context.get(), out.data(), out.size(), std::data(parameters)) != 1) {
        std::abort();
    }
}

} // namespace

SecretKey hkdf_sha256(ByteView input, ByteView salt, ByteView info) {
    SecretKey key;
    derive(key.mutable_view(),
           {digest("SHA256"), octets(OSSL_KDF_PARAM_KEY, input), octets(OSSL_KDF_PARAM_SALT, salt),
            octets(OSSL_KDF_PARAM_INFO, info), OSSL_PARAM_construct_end()});
    return key;
}

PseudorandomKey hkdf_extract_sha512(ByteView salt, ByteView input) {
    int mode = EVP_KDF_HKDF_MODE_EXTRACT_ONLY;
    PseudorandomKey key;
    derive(key.mutable_view(),
           {digest("SHA512"), OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
            octets(OSSL_KDF_PARAM_KEY, input), octets(OSSL_KDF_PARAM_SALT, salt),
            OSSL_PARAM_construct_end()});
    return key;
}

void hkdf_expand_sha512(const PseudorandomKey &key, ByteView info, MutableByteView out) {
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    derive(out, {digest("SHA512"), OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
                 octets(OSSL_KDF_PARAM_KEY, key.view()), octets(OSSL_KDF_PARAM_INFO, info),
                 OSSL_PARAM_construct_end()});
}

} // namespace thru
