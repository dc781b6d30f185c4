#include "names/part_name.h"

#include <array>
#include <charconv>

#include "crypto/random.h"
#include "names/safe_rel_path.h"

namespace thru {

std::string random_tag() {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::array<std::uint8_t, 3> bytes{};
    random_bytes(bytes);
    std::string tag;
    for (const std::uint8_t byte : bytes) {
        tag += {kHex[byte >> 4], kHex[byte & 0x0F]};
    }
    return tag;
}

std::string part_name(std::string_view tag, std::uint64_t number) {
    return std::string(kPartPrefix) + std::string(tag) + "-" + std::to_string(number) + ".part";
}

std::uint64_t part_number(std::string_view tag, std::string_view name) {
    std::uint64_t number = 0;
    const std::size_t front = kPartPrefix.size() + tag.size() + 1;
    if (name.size() > front) {
        std::from_chars(name.data() + front, name.data() + name.size(), number);
    }
    return part_name(tag, number) == name ? number : 0;
}

std::string probe_name() {
    return std::string(kPartPrefix) + random_tag() + std::string(kProbeSuffix);
}

} // namespace thru
