#include "io/tree_scan.h"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include "io/code_points.h"
#include "io/file_system.h"
#include "io/numbered_name.h"
#include "io/safe_rel_path.h"

namespace thru {

namespace {

bool is_executable(const fs::FileStatus &status) {
    constexpr std::uint32_t kOwnerMayExecute = 0100;
    return (status.mode & kOwnerMayExecute) != 0;
}

ManifestEntry file_entry(std::string path, const fs::FileStatus &status) {
    return {.kind = EntryKind::File,
            .executable = is_executable(status),
            .path = std::move(path),
            .size = status.size,
            .mtime_ns = status.mtime_ns};
}

ManifestEntry folder_entry(std::string path, std::int64_t mtime_ns) {
    return {.kind = EntryKind::Folder, .path = std::move(path), .mtime_ns = mtime_ns};
}

} // namespace

struct TreeScan::State {
    struct Subfolder {
        std::string name;
        std::int64_t mtime_ns = 0;
    };
    /// A folder being gone through: first its own entries, then its subfolders one by one. So
    /// entries of one folder stand together and a folder stands right before what is in it.
    struct Frame {
        fs::FolderReader reader;
        /// Manifest path.
        std::string path;
        bool listed = false;
        std::vector<Subfolder> subfolders;
        std::size_t next_subfolder = 0;
    };

    std::vector<std::string> roots;
    std::size_t next_root = 0;
    std::unordered_set<std::string> top_names;
    std::vector<Frame> frames;
    /// Everything met, also what is not sent: bounds time and memory for whatever is dropped.
    std::uint64_t met = 0;
    ScanBatch batch;

    bool finished() const { return frames.empty() && next_root == roots.size(); }
    void advance();
    void begin_root();
    void list_one(Frame &frame);
    void descend(Frame &frame);
    std::string take_top_name(const std::string &wanted, EntryKind kind);
    bool count();
    void add(ManifestEntry entry);
    void problem(std::string_view path, Error error);
};

void TreeScan::State::advance() {
    if (frames.empty()) {
        begin_root();
    } else if (Frame &frame = frames.back(); !frame.listed) {
        list_one(frame);
    } else if (frame.next_subfolder < frame.subfolders.size()) {
        descend(frame);
    } else {
        frames.pop_back();
    }
}

void TreeScan::State::begin_root() {
    std::string &root = roots[next_root++];
    const std::string given = root;
    auto resolved = fs::resolve(given);
    if (!resolved) {
        return problem(given, fs::reading_error(resolved.error(), "find"));
    }
    root = std::move(*resolved);
    const auto status = fs::status_of(root);
    if (!status) {
        return problem(given, fs::reading_error(status.error(), "look at"));
    }
    if (status->type != fs::FileType::File && status->type != fs::FileType::Folder) {
        return problem(given, {.code = ErrorCode::PathUnsupported, .detail = "special file"});
    }
    // The name that the user sees, not the one behind a link.
    std::string wanted = fs::last_name(given);
    if (wanted.empty()) {
        wanted = fs::last_name(root);
    }
    if (auto safe = SafeRelPath::parse(wanted); !safe) {
        return problem(given, std::move(safe).error());
    }
    if (!count()) {
        return;
    }
    if (status->type == fs::FileType::File) {
        return add(file_entry(take_top_name(wanted, EntryKind::File), *status));
    }
    auto reader = fs::FolderReader::open(root);
    if (!reader) {
        return problem(given, fs::reading_error(reader.error(), "list"));
    }
    std::string name = take_top_name(wanted, EntryKind::Folder);
    add(folder_entry(name, status->mtime_ns));
    frames.push_back({.reader = std::move(*reader), .path = std::move(name)});
}

void TreeScan::State::list_one(Frame &frame) {
    auto next = frame.reader.next();
    if (!next) {
        frame.listed = true;
        return problem(frame.path, fs::reading_error(next.error(), "list"));
    }
    if (!next->has_value()) {
        frame.listed = true;
        return;
    }
    if (!count()) {
        return;
    }
    fs::FolderEntry &entry = **next;
    std::string path = frame.path + '/' + entry.name;
    if (auto safe = SafeRelPath::parse(path); !safe) {
        return problem(path, std::move(safe).error());
    }
    if (!entry.status) {
        if (entry.status.error().trouble != fs::Trouble::NotFound) { // else deleted meanwhile
            problem(path, fs::reading_error(entry.status.error(), "look at"));
        }
        return;
    }
    switch (entry.status->type) {
    case fs::FileType::File:
        return add(file_entry(std::move(path), *entry.status));
    case fs::FileType::Folder:
        frame.subfolders.push_back({std::move(entry.name), entry.status->mtime_ns});
        return;
    case fs::FileType::Link:
        return problem(path, {.code = ErrorCode::PathUnsupported, .detail = "symbolic link"});
    case fs::FileType::Other:
        return problem(path, {.code = ErrorCode::PathUnsupported, .detail = "special file"});
    }
}

void TreeScan::State::descend(Frame &frame) {
    const Subfolder subfolder = std::move(frame.subfolders[frame.next_subfolder++]);
    std::string path = frame.path + '/' + subfolder.name;
    auto reader = frame.reader.open_child(subfolder.name);
    if (!reader) {
        return problem(path, fs::reading_error(reader.error(), "list"));
    }
    add(folder_entry(path, subfolder.mtime_ns));
    frames.push_back({.reader = std::move(*reader), .path = std::move(path)}); // ends `frame`
}

std::string TreeScan::State::take_top_name(const std::string &wanted, EntryKind kind) {
    std::string name = wanted;
    for (unsigned number = 2; !top_names.insert(name).second; ++number) {
        name = numbered_name(wanted, kind, number);
    }
    return name;
}

/// False when the limit is passed: then the scan is at its end.
bool TreeScan::State::count() {
    if (met < kMaxManifestEntries) {
        ++met;
        return true;
    }
    frames.clear();
    next_root = roots.size();
    problem({}, {.code = ErrorCode::LimitExceeded, .detail = "too many files and folders"});
    return false;
}

void TreeScan::State::add(ManifestEntry entry) {
    batch.entries.push_back(
        {.entry = std::move(entry), .root = static_cast<std::uint32_t>(next_root - 1)});
}

void TreeScan::State::problem(std::string_view path, Error error) {
    batch.problems.push_back({.path = printable(path), .error = std::move(error)});
}

TreeScan::TreeScan(std::vector<std::string> roots) : state_(std::make_unique<State>()) {
    state_->roots = std::move(roots);
}

TreeScan::~TreeScan() = default;

ScanBatch TreeScan::step(std::size_t max_entries) {
    while (!state_->finished() &&
           state_->batch.entries.size() + state_->batch.problems.size() < max_entries) {
        state_->advance();
    }
    state_->batch.complete = state_->finished();
    return std::exchange(state_->batch, {});
}

const std::string &TreeScan::root_path(std::uint32_t root) const { return state_->roots[root]; }

} // namespace thru
