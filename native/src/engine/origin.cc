#include "engine/origin.h"

#include <algorithm>
#include <vector>

#include "crypto/digest.h"
#include "crypto/hkdf.h"
#include "crypto/length_prefix.h"

namespace thru {

namespace {

constexpr std::string_view kContext = "thru/1 origin";

Bytes statement(const PublicKey &key, const SecretKey &exported) {
    return lv_cat({as_bytes(kContext), exported.view(), key});
}

} // namespace

SigningKey origin_key(const SecretKey &installation, std::span<const ScanItem> items) {
    const auto is_text = [](const ScanItem &item) { return item.path.empty() && !item.stream; };
    // Texts are not stored, and a reopened share must have the same key.
    const bool only_texts = std::ranges::all_of(items, is_text);
    std::vector<Bytes> parts;
    parts.reserve(items.size());
    for (const ScanItem &item : items) {
        if (is_text(item) && !only_texts) {
            continue;
        }
        parts.push_back(lv_cat({as_bytes(item.path), as_bytes(item.name)}));
    }
    std::ranges::sort(parts);
    Blake3 hasher;
    for (const Bytes &part : parts) {
        hasher.update(lv_cat({part}));
    }
    return SigningKey(
        hkdf_sha256(installation.view(), {}, lv_cat({as_bytes(kContext), hasher.finish()})));
}

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
