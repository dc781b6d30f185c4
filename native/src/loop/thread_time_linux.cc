#include <array>
#include <charconv>
#include <ctime>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "loop/thread_time.h"

namespace thru {

namespace {

/// The second number of schedstat (proc_pid_schedstat(5)); 0 if the kernel doesn't count it.
Timestamp waited_for_processors() {
    const int file = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    std::array<char, 96> text{};
    const auto size = ::read(file, text.data(), text.size());
    ::close(file);
    const std::string_view numbers(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    const auto second = numbers.find(' ');
    Timestamp waited = 0;
    if (second != std::string_view::npos) {
        std::from_chars(numbers.data() + second + 1, numbers.data() + numbers.size(), waited);
    }
    return waited;
}

} // namespace

Timestamp thread_time() {
    timespec taken{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &taken);
    return static_cast<Timestamp>(taken.tv_sec) * kSecond + static_cast<Timestamp>(taken.tv_nsec) +
           waited_for_processors();
}

} // namespace thru
