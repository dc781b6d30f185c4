#include "parts/files.h"

#include <algorithm>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer_pool.h"
#include "base/bytes.h"
#include "fs/file_system.h"
#include "parts/part.h"

namespace thru::bench {

namespace {

fs::FileHandle opened(const std::string &path, int flags) {
    fs::FileHandle file(::open(path.c_str(), flags | O_CLOEXEC, 0600));
    demand(file.is_open(), "A file of the benchmark can't be opened");
    return file;
}

int descriptor_of(const fs::FileHandle &file) { return static_cast<int>(file.native()); }

constexpr int kNewFile = O_WRONLY | O_CREAT | O_TRUNC;

} // namespace

OwnFolder::OwnFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "thru-bench-XXXXXX").string();
    demand(::mkdtemp(name.data()) != nullptr, "The temporary folder can't be written to");
    path_ = name;
}

OwnFolder::~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::uint64_t read_file(const std::string &path) {
    const auto file = opened(path, O_RDONLY);
    Bytes chunk(kChunkBytes);
    std::uint64_t bytes = 0;
    for (ssize_t got = 1; got > 0; bytes += static_cast<std::uint64_t>(got)) {
        got = ::read(descriptor_of(file), chunk.data(), chunk.size());
        demand(got >= 0, "A file of the benchmark can't be read");
    }
    return bytes;
}

void write_file(const std::string &path, std::uint64_t bytes) {
    const auto file = opened(path, kNewFile);
    Bytes chunk(kChunkBytes);
    // Varied bytes, which no file system stores as holes.
    std::uint64_t state = 1;
    for (std::uint8_t &byte : chunk) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        byte = static_cast<std::uint8_t>(state >> 56);
    }
    for (std::uint64_t left = bytes; left > 0;) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, chunk.size()));
        demand(::write(descriptor_of(file), chunk.data(), size) == static_cast<ssize_t>(size),
               "A file of the benchmark can't be written");
        left -= size;
    }
    demand(::fdatasync(descriptor_of(file)) == 0, "A file of the benchmark can't be synced");
}

void copy_file(const std::string &from, const std::string &to) {
    const auto source = opened(from, O_RDONLY);
    const auto target = opened(to, kNewFile);
    Bytes chunk(kChunkBytes);
    for (;;) {
        const auto got = ::read(descriptor_of(source), chunk.data(), chunk.size());
        demand(got >= 0, "A file of the benchmark can't be read");
        if (got == 0) {
            break;
        }
        demand(::write(descriptor_of(target), chunk.data(), static_cast<std::size_t>(got)) == got,
               "A file of the benchmark can't be written");
    }
    demand(::fdatasync(descriptor_of(target)) == 0, "A file of the benchmark can't be synced");
}

} // namespace thru::bench
