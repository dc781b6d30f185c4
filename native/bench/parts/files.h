// Files for measurements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace thru::bench {

/// A folder in the temporary folder (TMPDIR), deleted together with this object.
class OwnFolder {
public:
    OwnFolder();
    ~OwnFolder();
    OwnFolder(const OwnFolder &) = delete;
    OwnFolder &operator=(const OwnFolder &) = delete;

    const std::filesystem::path &path() const { return path_; }
    std::string below(const char *name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

/// Baselines for parts that read and write files: calls of 256 KiB.
std::uint64_t read_file(const std::string &path);
/// Syncs at the end.
void write_file(const std::string &path, std::uint64_t bytes);
void copy_file(const std::string &from, const std::string &to);

} // namespace thru::bench
