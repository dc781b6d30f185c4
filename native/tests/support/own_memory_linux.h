// Searches the memory of this process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

namespace thru::test {

/// A text to search for, stored so that the search does not find its own copy.
class SoughtText {
public:
    explicit SoughtText(std::string_view text) : complement_(text.size(), '\0') {
        std::ranges::transform(text, complement_.begin(), [](char each) { return char(~each); });
    }

    /// Searches all writable memory. Not for sanitizers, whose own memory takes terabytes.
    bool is_in_memory() const {
        const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
        std::ifstream maps("/proc/self/maps");
        std::vector<char> chunk(kChunkBytes);
        bool found = false;
        for (std::string line; !found && std::getline(maps, line);) {
            std::uint64_t at = 0;
            std::uint64_t end = 0;
            char writes = '-';
            if (std::sscanf(line.c_str(), "%lx-%lx %*c%c", &at, &end, &writes) != 3 ||
                writes != 'w') {
                continue;
            }
            // Chunks overlap by the length of the text.
            while (!found && at + complement_.size() <= end) {
                const auto size = ::pread(memory, chunk.data(), std::min(kChunkBytes, end - at),
                                          static_cast<off_t>(at));
                if (size < static_cast<ssize_t>(complement_.size())) {
                    break;
                }
                found = is_in({chunk.data(), static_cast<std::size_t>(size)});
                at += static_cast<std::uint64_t>(size) - complement_.size() + 1;
            }
        }
        ::close(memory);
        // The next search must not find data that this one read.
        ::explicit_bzero(chunk.data(), chunk.size());
        return found;
    }

private:
    static constexpr std::uint64_t kChunkBytes = 1 << 20;

    bool is_in(std::string_view bytes) const {
        const auto first = static_cast<char>(~complement_.front());
        for (auto at = bytes.find(first); at != std::string_view::npos;
             at = bytes.find(first, at + 1)) {
            const auto rest = bytes.substr(at, complement_.size());
            if (std::ranges::equal(rest, complement_, [](char one, char other) {
                    return one == static_cast<char>(~other);
                })) {
                return true;
            }
        }
        return false;
    }

    std::string complement_;
};

} // namespace thru::test
