#include "link/origin_proof.h"

#include <algorithm>

#include "crypto/digest.h"
#include "crypto/length_prefix.h"

namespace thru {

namespace {

Bytes statement(const PublicKey &key, const SecretKey &exported) {
    return lv_cat({as_bytes(kOriginContext), exported.view(), key});
}

} // namespace

Origin signed_origin(const SigningKey &key, const SecretKey &exported) {
    return {.public_key = key.public_key(),
            .signature = key.sign(statement(key.public_key(), exported))};
}

std::optional<OriginId> verified_origin(const Origin &origin, const SecretKey &exported) {
    if (!is_signed_by(origin.public_key, statement(origin.public_key, exported),
                      origin.signature)) {
        return std::nullopt;
    }
    Blake3 hasher;
    hasher.update(origin.public_key);
    const Hash hash = hasher.finish();
    OriginId id{};
    std::ranges::copy_n(hash.begin(), id.size(), id.begin());
    return id;
}

} // namespace thru
