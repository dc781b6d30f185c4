// How much memory this process took at most while something went on.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace thru {

/// The peak of resident memory since the last reset, on Linux; elsewhere constant.
class MemoryWatch {
public:
    /// From here on.
    MemoryWatch() : before_(field("VmRSS:")) { std::ofstream("/proc/self/clear_refs") << 5; }

    /// Bytes beyond what was resident at first.
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

/// What a flood may cost. Sanitizers keep what was freed, so there it says nothing, nor do a few
/// times as much.
#ifdef THRU_SANITIZED
inline constexpr std::uint64_t kMaxGrown = UINT64_MAX / 4;
#else
inline constexpr std::uint64_t kMaxGrown = 32 << 20;
#endif

} // namespace thru
