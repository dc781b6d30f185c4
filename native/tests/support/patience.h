// How long tests wait for what they expect.
#pragma once

#include <chrono>
#include <cstdlib>

namespace thru::test {

/// `limit`, or what THRU_TEST_PATIENCE makes of it where another system or processor is imitated
/// and everything takes several times as long. Only for limits that nothing reaches unless it
/// hangs.
inline std::chrono::seconds patience(std::chrono::seconds limit) {
    static const int times = [] {
        const char *text = std::getenv("THRU_TEST_PATIENCE");
        const int number = text == nullptr ? 1 : std::atoi(text);
        return number > 1 ? number : 1;
    }();
    return limit * times;
}

} // namespace thru::test
