#include "engine/origin.h"

#include <algorithm>
#include <vector>

#include "crypto/digest.h"
#include "crypto/hkdf.h"
#include "crypto/length_prefix.h"
#include "link/origin_proof.h"

namespace thru {

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
        hkdf_sha256(installation.view(), {}, lv_cat({as_bytes(kOriginContext), hasher.finish()})));
}

} // namespace thru
