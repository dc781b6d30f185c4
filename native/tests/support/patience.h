// Time that tests wait for an expected event.
#pragma once

#include <chrono>
#include <cstdlib>

namespace thru::test {

/// `limit`, multiplied by THRU_TEST_PATIENCE if a system or processor is emulated and everything
/// takes several times as long. Only for limits that are reached only by hanging.
inline std::chrono::seconds patience(std::chrono::seconds limit) {
    static const int times = [] {
        const char *text = std::getenv("THRU_TEST_PATIENCE");
        const int number = text == nullptr ? 1 : std::atoi(text);
        return number > 1 ? number : 1;
    }();
    return limit * times;
}

} // namespace thru::test
