#include "support/vectors.h"

#include <charconv>
#include <fstream>

#include <gtest/gtest.h>

namespace thru::test {

std::vector<Json> read_vectors(std::string_view name) {
    std::ifstream file{std::string{THRU_ROOT "/docs/vectors/"}.append(name).append(".json")};
    const auto content = Json::parse(file, nullptr, false);
    if (content.is_discarded() || !content.contains("vectors") || content["vectors"].empty()) {
        ADD_FAILURE() << "no vectors in docs/vectors/" << name << ".json";
        return {};
    }
    return content["vectors"].get<std::vector<Json>>();
}

Bytes from_hex(std::string_view hex) {
    Bytes bytes(hex.size() / 2);
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        const auto digits = hex.substr(2 * index, 2);
        std::from_chars(digits.data(), digits.data() + digits.size(), bytes[index], 16);
    }
    return bytes;
}

std::string to_hex(ByteView bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const auto byte : bytes) {
        hex += kDigits[byte >> 4];
        hex += kDigits[byte & 0xf];
    }
    return hex;
}

Bytes bytes_of(const Json &vector) { return from_hex(vector.at("bytes").get<std::string>()); }

std::string expected_error(const Json &vector) {
    return vector.at("expect").value("error", std::string{});
}

} // namespace thru::test
