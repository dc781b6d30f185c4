#include "fs/disk.h"

#include <array>
#include <cstring>
#include <fstream>
#include <random>

#include <sodium.h>

#include "fs/file_system.h"

namespace thru::test {

std::filesystem::path make_temporary_folder() {
    std::random_device random;
    const auto all = std::filesystem::temp_directory_path();
    for (;;) {
        auto path = all / ("thru-test-" + std::to_string(random()));
        if (std::filesystem::create_directory(path)) {
            return path;
        }
    }
}

TemporaryFolder::TemporaryFolder() : path_(make_temporary_folder()) {}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::filesystem::path &path, std::string_view content) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}

std::string read_file(const std::filesystem::path &path) {
    // Byte by byte, a large file would take seconds under a sanitizer.
    std::error_code missing;
    const auto size = std::filesystem::file_size(path, missing);
    std::string bytes(missing ? 0 : size, '\0');
    std::ifstream(path, std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

std::int64_t mtime_of(const std::filesystem::path &path) {
    const auto status = fs::status_of(path.string());
    return status ? status->mtime_ns : 0;
}

std::string noise(std::size_t size, std::uint64_t seed) {
    std::array<unsigned char, randombytes_SEEDBYTES> key{};
    std::memcpy(key.data(), &seed, sizeof(seed));
    std::string bytes(size, '\0');
    // A loop of ours would take seconds for a large file under a sanitizer; libsodium is fast.
    randombytes_buf_deterministic(bytes.data(), bytes.size(), key.data());
    return bytes;
}

std::map<std::string, std::string> snapshot(const std::filesystem::path &folder) {
    std::map<std::string, std::string> found;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto name = entry.path().lexically_relative(folder).generic_u8string();
        const std::string path(name.begin(), name.end());
        const auto type = entry.symlink_status().type();
        found[path] = type == std::filesystem::file_type::regular     ? read_file(entry.path())
                      : type == std::filesystem::file_type::directory ? "(folder)"
                      : type == std::filesystem::file_type::symlink
                          ? "-> " + std::filesystem::read_symlink(entry.path()).string()
                          : "(other)";
    }
    return found;
}

} // namespace thru::test
