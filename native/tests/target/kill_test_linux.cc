// Receiving in a process that is killed at one of its system calls, on the real disk.
#include <csignal>
#include <cstdlib>
#include <functional>

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/disk.h"
#include "target/scenario.h"

namespace thru::test {
namespace {

constexpr int kDone = 0;
constexpr int kNotAllowed = 77;

/// Runs `body` in a child process, which is killed on entering its system call number `call`.
/// Returns true if it ended before.
bool run_until(std::uint64_t call, const std::function<void()> &body) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) {
            ::_exit(kNotAllowed);
        }
        ::raise(SIGSTOP);
        body();
        ::_exit(kDone);
    }
    // Each call causes two stops: on entry and on exit.
    int status = 0;
    std::uint64_t stops = 0;
    while (::waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        if (stops++ / 2 == call) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return false;
        }
        ::ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    }
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_TRUE(WEXITSTATUS(status) == kDone || WEXITSTATUS(status) == kNotAllowed);
    return true;
}

TEST(Kill, LosesNothingAtAnySystemCall) {
    const Offered offered = test::everything();
    const Snapshot expected = test::expected_of(offered);
    const std::uint64_t step = std::getenv("THRU_LONG_TESTS") != nullptr ? 1 : 23;
    std::uint64_t killed = 0;
    for (std::uint64_t call = 0;; call += step) {
        const TemporaryFolder folder;
        const std::string target = (folder / "in").string();
        const bool ended = run_until(call, [&] { Attempt(offered, target).run(); });
        for (const auto &[path, content] : test::snapshot(folder.path())) {
            const std::string below = path == "in" ? "" : path.substr(3);
            if (!below.empty() && below.find(".~thru-") == std::string::npos) {
                ASSERT_TRUE(expected.contains(below) && expected.at(below) == content)
                    << below << " at " << call;
            }
        }
        Attempt after(offered, target);
        ASSERT_TRUE(after.run()) << call << after.error->detail;
        EXPECT_EQ(after.renamed, 0u) << call;
        EXPECT_TRUE(after.restarted.empty()) << call;
        ASSERT_EQ(test::difference(test::snapshot(target), expected), "") << call;
        if (ended) {
            break;
        }
        ++killed;
    }
    // Nothing was killed in a container that forbids tracing.
    EXPECT_TRUE(killed == 0 || killed > 200 / step) << killed;
}

} // namespace
} // namespace thru::test
