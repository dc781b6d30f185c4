#include "fs/small_disk_linux.h"

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/disk.h"
#include "fs/file_system_posix.h"

namespace thru::test {

namespace {

bool enter_namespace() {
    if (::unshare(CLONE_NEWNS) != 0) {
        const uid_t user = ::getuid();
        const gid_t group = ::getgid();
        if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
            return false;
        }
        std::ofstream("/proc/self/setgroups") << "deny";
        std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
        std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
    }
    return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// Set in the process that has the disk.
constexpr const char *kInside = "THRU_ON_SMALL_DISK";
constexpr int kNotAllowed = 77;
/// Environment variable that names the emulator, if this program runs on a foreign processor.
constexpr const char *kEmulator = "THRU_EMULATOR";

void run_inside(const char *options,
                const std::function<void(const std::filesystem::path &)> &body) {
    const TemporaryFolder mount_point;
    if (!enter_namespace() ||
        ::mount("none", mount_point.path().c_str(), "tmpfs", 0, options) != 0) {
        ::_exit(kNotAllowed);
    }
    body(mount_point.path());
    ::umount2(mount_point.path().c_str(), MNT_DETACH);
}

/// Runs this test again in a process with no other threads, as sanitizers and namespaces require.
int run_again() {
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    const std::string filter =
        std::string("--gtest_filter=") + test->test_suite_name() + "." + test->name();
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(kInside, "1", 1);
        for (const char *sharding : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"}) {
            ::unsetenv(sharding);
        }
        if (const char *emulator = std::getenv(kEmulator)) {
            const auto self = std::filesystem::read_symlink("/proc/self/exe");
            ::execl(emulator, emulator, self.c_str(), filter.c_str(), "--gtest_brief=1", nullptr);
        } else {
            ::execl("/proc/self/exe", "thru_tests", filter.c_str(), "--gtest_brief=1", nullptr);
        }
        ::_exit(127);
    }
    int status = 0;
    const bool ended = child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status);
    return ended ? WEXITSTATUS(status) : -1;
}

} // namespace

void on_small_disk(const char *options,
                   const std::function<void(const std::filesystem::path &)> &body) {
    if (std::getenv(kInside) != nullptr) {
        run_inside(options, body);
        return;
    }
    const int exit_code = run_again();
    if (exit_code == kNotAllowed) {
        // Without namespaces, at least check how errors of a full disk are classified.
        for (const int number : {ENOSPC, EDQUOT}) {
            const Error error = fs::writing_error(fs::error_of(number), "write");
            EXPECT_EQ(error.code, ErrorCode::DiskFull);
            EXPECT_EQ(error.cause, number);
        }
        EXPECT_EQ(fs::writing_error(fs::error_of(EROFS), "").code, ErrorCode::TargetNotWritable);
        return;
    }
    EXPECT_EQ(exit_code, 0);
}

} // namespace thru::test
