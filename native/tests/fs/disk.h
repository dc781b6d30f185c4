// Real files for tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace thru::test {

/// Converts a UTF-8 name to a path. On Windows a narrow string is not UTF-8.
inline std::filesystem::path path_of(std::string_view name) {
    return std::u8string(name.begin(), name.end());
}

/// Makes a folder that is never removed.
std::filesystem::path make_temporary_folder();

/// A new folder, deleted with its contents at the end.
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

/// Creates missing folders.
void write_file(const std::filesystem::path &path, std::string_view content);
std::string read_file(const std::filesystem::path &path);
/// 0 if the file can't be examined.
std::int64_t mtime_of(const std::filesystem::path &path);

/// Sets the modification time back by an hour.
inline void make_old(const std::filesystem::path &path) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() -
                                               std::chrono::hours(1));
}

/// Reproducible bytes.
std::string noise(std::size_t size, std::uint64_t seed);

/// The contents below a folder: path to a file's content, "(folder)", "-> target" or "(other)".
std::map<std::string, std::string> snapshot(const std::filesystem::path &folder);

} // namespace thru::test
