// Extended attributes of files and folders. Normative text: docs/protocol.md#extended-attributes
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thru {

/// A name without the namespace that Linux puts before it, and any bytes.
struct ExtendedAttribute {
    std::string name;
    std::string value;
    bool operator==(const ExtendedAttribute &) const = default;
};

/// Sender, before Offer: the attributes of a file or folder, rising by name.
struct FileAttributes {
    std::uint32_t index = 0;
    std::vector<ExtendedAttribute> attributes;
    bool operator==(const FileAttributes &) const = default;
};

/// Limits of one file or folder: its number of attributes, and the bytes of all names and values.
inline constexpr std::size_t kMaxFileAttributes = 64;
inline constexpr std::size_t kMaxFileAttributeBytes = 60 * 1024;
inline constexpr std::size_t kMaxAttributeNameBytes = 255;
/// Limit of one offer, in bytes of attribute_cost().
inline constexpr std::uint64_t kMaxOfferAttributeBytes = 4 << 20;

/// Bytes of names and values, and 64 more for each attribute and for the file.
inline std::uint64_t attribute_cost(const std::vector<ExtendedAttribute> &attributes) {
    constexpr std::uint64_t kEach = 64;
    std::uint64_t cost = kEach;
    for (const ExtendedAttribute &attribute : attributes) {
        cost += kEach + attribute.name.size() + attribute.value.size();
    }
    return cost;
}

} // namespace thru
