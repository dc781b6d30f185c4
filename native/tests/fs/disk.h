// Real files for tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace thru::test {

/// Of a name in UTF-8, which Windows does not take a narrow string for.
inline std::filesystem::path path_of(std::string_view name) {
    return std::u8string(name.begin(), name.end());
}

/// A new folder that nobody removes.
std::filesystem::path make_temporary_folder();

/// A folder of its own, deleted with all that is in it.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    const std::filesystem::path &path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / path_of(name); }

private:
    std::filesystem::path path_;
};

/// Makes missing folders, too.
void write_file(const std::filesystem::path &path, std::string_view content);
std::string read_file(const std::filesystem::path &path);
/// 0 when it can't be looked at.
std::int64_t mtime_of(const std::filesystem::path &path);

/// Sets its time of change back by an hour.
inline void make_old(const std::filesystem::path &path) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                               std::chrono::hours(1));
}

/// Reproducible bytes.
std::string noise(std::size_t size, std::uint64_t seed);

/// What is below a folder: relative path to a file's content; "(folder)", "-> target" or "(other)"
/// else.
std::map<std::string, std::string> snapshot(const std::filesystem::path &folder);

} // namespace thru::test
