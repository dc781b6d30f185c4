#include "names/part_name.h"

#include <array>
#include <charconv>

#include "crypto/random.h"
#include "names/safe_rel_path.h"

namespace thru {

namespace {

constexpr std::string_view kTagDigits = "0123456789abcdef";
constexpr std::size_t kTagLength = 6;

} // namespace

std::string random_tag() {
    std::array<std::uint8_t, kTagLength / 2> bytes{};
    random_bytes(bytes);
    std::string tag;
    for (const std::uint8_t byte : bytes) {
        tag += {kTagDigits[byte >> 4], kTagDigits[byte & 0x0F]};
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

bool is_own_name(std::string_view name) {
    constexpr std::size_t kTagEnd = kPartPrefix.size() + kTagLength;
    if (!name.starts_with(kPartPrefix) || name.size() <= kTagEnd) {
        return false;
    }
    const std::string_view tag = name.substr(kPartPrefix.size(), kTagLength);
    const std::string_view rest = name.substr(kTagEnd);
    return tag.find_first_not_of(kTagDigits) == std::string_view::npos &&
           (rest == ".journal" || rest == ".journal.new" || rest == kProbeSuffix ||
            part_number(tag, name) != 0);
}

} // namespace thru
