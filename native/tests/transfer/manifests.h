// Manifests for tests.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/sizes.h"
#include "transfer/manifest_table.h"
#include "wire/control.h"

namespace thru::test {

inline ManifestEntry file(std::string path, std::uint64_t size) {
    return {.kind = EntryKind::File, .path = std::move(path), .size = size, .mtime_ns = 100};
}

inline ManifestEntry sparse_file(std::string path, std::uint64_t size) {
    ManifestEntry entry = file(std::move(path), size);
    entry.sparse = true;
    return entry;
}

inline ManifestEntry folder(std::string path) {
    return {.kind = EntryKind::Folder, .path = std::move(path), .mtime_ns = 100};
}

inline ManifestEntry link(std::string path, std::string target) {
    return {.kind = EntryKind::Link,
            .path = std::move(path),
            .target = std::move(target),
            .mtime_ns = 100};
}

inline ManifestEntry gone() { return {.kind = EntryKind::Gone}; }

inline void add_all(ManifestTable &table, std::initializer_list<ManifestEntry> entries) {
    for (const ManifestEntry &entry : entries) {
        EXPECT_TRUE(table.add(entry).has_value());
    }
}

inline std::shared_ptr<ManifestTable> manifest_of(std::initializer_list<ManifestEntry> entries) {
    auto table = std::make_shared<ManifestTable>();
    add_all(*table, entries);
    return table;
}

inline std::shared_ptr<ManifestTable> files_of(std::size_t count, std::uint64_t size) {
    auto table = std::make_shared<ManifestTable>();
    for (std::size_t index = 0; index < count; ++index) {
        EXPECT_TRUE(table->add(file("f" + std::to_string(index), size)).has_value());
    }
    return table;
}

/// All elements of one kind, in order.
template <class Kind, class Any> std::vector<Kind> only(const std::vector<Any> &all) {
    std::vector<Kind> found;
    for (const Any &one : all) {
        if (const Kind *match = std::get_if<Kind>(&one)) {
            found.push_back(*match);
        }
    }
    return found;
}

} // namespace thru::test
