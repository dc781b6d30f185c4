// Offers that tests receive repeatedly, with interruptions.
#pragma once

#include <map>
#include <string>

#include "target/fake_sender.h"

namespace thru::test {

using Snapshot = std::map<std::string, std::string>;

/// About thirty entries of every kind.
inline Offered everything() {
    Offered offered;
    offered.folder("share");
    offered.folder("share/empty folder");
    offered.file("share/large", bytes_of(110'000, 1));
    for (int file = 0; file < 9; ++file) {
        const std::string name = "share/small " + std::to_string(file);
        offered.file(name, bytes_of(static_cast<std::size_t>(700 * file), 10 + file));
    }
    offered.folder("share/below");
    offered.file("share/below/large, too", bytes_of(90'000, 2));
    for (int file = 0; file < 8; ++file) {
        const std::string name = "share/below/deep/er/" + std::to_string(file);
        offered.file(name, bytes_of(3'000, 30 + file));
    }
    offered.file("share/below/empty", "");
    offered.link("share/link", "below/empty");
    offered.hard_link("share/below/large again", 2);
    offered.hard_link("share/below/deep/small 1 again", 4);
    offered.hard_link("share/small 1 once more", 4);
    for (int file = 0; file < 4; ++file) {
        offered.file("top " + std::to_string(file), bytes_of(10'000, 50 + file));
    }
    return offered;
}

/// Includes folders that are created although no entry names them.
inline Snapshot expected_of(const Offered &offered) {
    Snapshot expected = offered.expected();
    for (const auto &[path, content] : offered.expected()) {
        for (auto slash = path.find('/'); slash != std::string::npos;
             slash = path.find('/', slash + 1)) {
            expected[path.substr(0, slash)] = "(folder)";
        }
    }
    return expected;
}

/// Empty if both are equal.
inline std::string difference(const Snapshot &found, const Snapshot &expected) {
    std::string lines;
    for (const auto &[path, content] : found) {
        if (!expected.contains(path) || expected.at(path) != content) {
            lines += "\nfound " + path + " of " + std::to_string(content.size());
        }
    }
    for (const auto &[path, content] : expected) {
        lines += found.contains(path) ? "" : "\nmissing " + path;
    }
    return lines;
}

} // namespace thru::test
