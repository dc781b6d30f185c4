#include <fstream>
#include <memory>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parts/files.h"
#include "parts/part.h"
#include "source/source_files.h"
#include "source/tree_scan.h"

namespace thru::bench {

namespace {

constexpr std::uint64_t kFilesInFolder = 100;
/// Entries per step, as in a share.
constexpr std::size_t kStep = 2000;

/// Makes `files` empty files in folders of a hundred; returns the number of all entries.
std::uint64_t make_tree(const std::filesystem::path &tree, std::uint64_t files) {
    std::uint64_t entries = 1;
    std::filesystem::create_directory(tree);
    for (std::uint64_t index = 0; index < files; ++index) {
        const auto folder = tree / std::to_string(index / kFilesInFolder);
        if (index % kFilesInFolder == 0) {
            std::filesystem::create_directory(folder);
            ++entries;
        }
        std::ofstream(folder / (std::to_string(index) + ".bin"));
        ++entries;
    }
    return entries;
}

/// Adds all scanned entries to a table, as a share does.
std::uint64_t scan(const std::string &tree) {
    const auto found = std::make_shared<TreeScan>(ScanOptions{});
    const auto manifest = std::make_shared<ManifestTable>();
    SourceFiles files(manifest, found);
    found->add({{.path = tree}});
    for (bool complete = false; !complete;) {
        const ScanBatch batch = found->step(kStep);
        for (const ScannedEntry &scanned : batch.entries) {
            demand(manifest->add(scanned.entry).has_value(), "A tree is too large");
            files.add(scanned);
        }
        complete = batch.complete;
    }
    return manifest->size();
}

/// Counts a folder's entries and those below it by system calls alone, and closes the folder.
std::uint64_t walk(int folder) {
    DIR *const entries = ::fdopendir(folder);
    demand(entries != nullptr, "A folder of the benchmark can't be read");
    std::uint64_t count = 1;
    while (const dirent *const entry = ::readdir(entries)) {
        if (::strcmp(entry->d_name, ".") == 0 || ::strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        struct stat status{};
        ::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW);
        count += S_ISDIR(status.st_mode)
                     ? walk(::openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
                     : 1;
    }
    ::closedir(entries);
    return count;
}

Ready prepare_scan(std::uint64_t amount) {
    const auto folder = std::make_shared<OwnFolder>();
    const std::string tree = folder->below("tree");
    const std::uint64_t entries = make_tree(tree, amount);
    return {.amount = entries,
            .run =
                [=] {
                    static_cast<void>(folder);
                    return timed(
                        [&] { demand(scan(tree) == entries, "A scan has not found everything"); });
                },
            .limit =
                [=] {
                    return timed([&] {
                        demand(walk(::open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) ==
                                   entries,
                               "A walk has not found everything");
                    });
                }};
}

} // namespace

const Part kScan{.name = "scan",
                 .what = "a tree to the sender's table, by one thread",
                 .unit = "entries",
                 .limit = "readdir and fstatat",
                 .amount = 100'000,
                 .prepare = prepare_scan};

} // namespace thru::bench
