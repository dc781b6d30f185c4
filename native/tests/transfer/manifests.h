// Manifests for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "transfer/manifest_table.h"

namespace thru::test {

inline ManifestEntry file(std::string path, std::uint64_t size) {
    return {.kind = EntryKind::File, .path = std::move(path), .size = size, .mtime_ns = 1};
}

inline ManifestEntry folder(std::string path) {
    return {.kind = EntryKind::Folder, .path = std::move(path), .mtime_ns = 1};
}

inline std::shared_ptr<ManifestTable> manifest_of(std::initializer_list<ManifestEntry> entries) {
    auto table = std::make_shared<ManifestTable>();
    for (const ManifestEntry &entry : entries) {
        EXPECT_TRUE(table->add(entry).has_value());
    }
    return table;
}

/// `count` files of `size` bytes.
inline std::shared_ptr<ManifestTable> files_of(std::size_t count, std::uint64_t size) {
    auto table = std::make_shared<ManifestTable>();
    for (std::size_t index = 0; index < count; ++index) {
        EXPECT_TRUE(table->add(file("f" + std::to_string(index), size)).has_value());
    }
    return table;
}

} // namespace thru::test
