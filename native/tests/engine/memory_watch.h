// Measures the growth of this process's memory.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace thru {

/// The peak of resident memory since construction, on Linux; elsewhere constant.
class MemoryWatch {
public:
    MemoryWatch() : before_(field("VmRSS:")) { std::ofstream("/proc/self/clear_refs") << 5; }

    /// Growth in bytes beyond the memory resident at the start.
    std::uint64_t grown() const {
        const auto peak = field("VmHWM:");
        return peak > before_ ? peak - before_ : 0;
    }

private:
    static std::uint64_t field(const std::string &name) {
        std::ifstream status("/proc/self/status");
        std::string word;
        while (status >> word) {
            if (std::uint64_t kibibytes = 0; word == name && status >> kibibytes) {
                return kibibytes * 1024;
            }
        }
        return 0;
    }

    std::uint64_t before_;
};

/// Memory that a flood may use. Sanitizers keep freed memory, so no limit is meaningful there.
#ifdef THRU_SANITIZED
inline constexpr std::uint64_t kMaxGrown = UINT64_MAX / 4;
#else
inline constexpr std::uint64_t kMaxGrown = 32 << 20;
#endif

} // namespace thru
