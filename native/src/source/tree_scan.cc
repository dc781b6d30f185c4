#include "source/tree_scan.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ranges>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/bytes.h"
#include "base/stable_list.h"
#include "base/utf8.h"
#include "names/link_target.h"
#include "names/numbered_name.h"
#include "names/safe_rel_path.h"
#include "source/ignore_file.h"
#include "wire/control.h"
#include "wire/segment.h"

namespace thru {

namespace {

constexpr const char *kTextName = "Text.txt";
constexpr const char *kStreamName = "stream";

std::int64_t now_ns() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

bool is_executable(const fs::FileStatus &status) {
    constexpr std::uint32_t kOwnerMayExecute = 0100;
    return (status.mode & kOwnerMayExecute) != 0;
}

/// Only files of several segments are searched for holes; smaller ones are sent whole.
bool is_sparse(const fs::FileStatus &status) {
    return status.size > kSegmentBytes && status.allocated + kMinHoleBytes <= status.size;
}

SourceIdentity identity_of(const fs::FileStatus &status) {
    constexpr std::int64_t kMaxStepNs = 2'000'000'000;
    return {.version = {.ctime_ns = status.ctime_ns, .attributes = status.attributes},
            .id = status.id,
            .stable = status.mtime_ns < now_ns() - kMaxStepNs};
}

/// Empty if the file is missing or is not a regular file.
std::string beginning_of(const fs::FileHandle &folder, const char *name) {
    const auto file = fs::open_beneath_for_reading(folder, name);
    if (!file) {
        return {};
    }
    Bytes bytes(IgnoreFile::kMaxBytes);
    bytes.resize(fs::read_at(*file, 0, bytes).value_or(0));
    return {bytes.begin(), bytes.end()};
}

Error unsupported(std::string detail) {
    return {.code = ErrorCode::PathUnsupported, .detail = std::move(detail)};
}

} // namespace

struct TreeScan::State {
    struct Root {
        /// The given path, later the resolved one.
        std::string path;
        std::string text;
        /// The wanted name (texts only), later the offered name; empty if it is not offered.
        std::string name;
        bool stream = false;
        bool removed = false;
    };
    struct Subfolder {
        std::string name;
        std::int64_t mtime_ns = 0;
    };
    /// A folder being scanned: first its own entries, then its subfolders one by one. Entries of a
    /// folder are therefore consecutive, and a folder directly precedes its contents.
    struct Frame {
        fs::FolderReader reader;
        /// Manifest path.
        std::string path;
        /// The same folder, opened if it contains a link or for its rules.
        fs::FileHandle folder;
        IgnoreFile rules;
        bool listed = false;
        std::vector<Subfolder> subfolders;
        std::size_t next_subfolder = 0;
    };

    ScanOptions options;
    /// Other threads read paths and texts of roots before next_root.
    StableList<Root, kMaxManifestEntries> roots;
    std::size_t next_root = 0;
    /// Names given to items, and the next number to try for another item of that name.
    std::unordered_map<std::string, unsigned> top_names;
    std::vector<Frame> frames;
    /// Number of entries visited, including those not sent: bounds a scan that would not end.
    std::uint64_t met = 0;
    /// Entries sent, and bytes of their paths and targets.
    std::uint64_t offered = 0;
    std::uint64_t path_bytes = 0;
    /// An entry had no room: later ones are refused as well, however short.
    bool full = false;
    /// Bytes of texts, at most kMaxTextsBytes.
    std::uint64_t text_bytes = 0;
    ScanBatch batch;

    bool finished() const { return frames.empty() && next_root == roots.size(); }
    void advance();
    void begin_root();
    void begin_path(Root &root);
    void begin_text(Root &root);
    void begin_stream(Root &root);
    void list_one(Frame &frame);
    void descend(Frame &frame);
    fs::SystemResult<const fs::FileHandle *> folder_of(Frame &frame);
    void begin_frame(Frame frame);
    void add_link(Frame &frame, const std::string &name, std::string path, std::int64_t mtime_ns);
    void add_file(std::string path, const fs::FileStatus &status);
    void add_folder(std::string path, std::int64_t mtime_ns);
    void add(ManifestEntry entry, SourceIdentity identity = {});
    bool leave_out(std::string_view path, bool is_folder);
    bool is_ignored(std::string_view path, bool is_folder) const;
    const std::string &take_top_name(Root &root, const std::string &wanted, EntryKind kind);
    bool count();
    void problem(std::string_view path, Error error);
    void item_problem(std::string_view given, Error error);
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
    Root &root = roots[next_root++];
    if (!root.removed) {
        root.stream ? begin_stream(root) : root.path.empty() ? begin_text(root) : begin_path(root);
    }
}

void TreeScan::State::begin_path(Root &root) {
    const std::string given = root.path;
    auto resolved = fs::resolve(given);
    if (!resolved) {
        return item_problem(given, fs::reading_error(resolved.error(), "find"));
    }
    root.path = std::move(*resolved);
    // The name that the user sees, not that of a link's target.
    std::string wanted = fs::last_name(given);
    if (wanted.empty()) {
        wanted = fs::last_name(root.path);
    }
    if (leave_out(wanted, false)) {
        return;
    }
    const auto status = fs::status_of(root.path);
    if (!status) {
        return item_problem(given, fs::reading_error(status.error(), "look at"));
    }
    if (status->type != fs::FileType::File && status->type != fs::FileType::Folder) {
        return item_problem(given, unsupported("special file"));
    }
    if (auto checked = check_offered_component(wanted); !checked) {
        return item_problem(given, std::move(checked).error());
    }
    if (!count()) {
        return;
    }
    if (status->type == fs::FileType::File) {
        return add_file(take_top_name(root, wanted, EntryKind::File), *status);
    }
    auto reader = fs::FolderReader::open(root.path);
    if (!reader) {
        return item_problem(given, fs::reading_error(reader.error(), "list"));
    }
    take_top_name(root, wanted, EntryKind::Folder);
    add_folder(root.name, status->mtime_ns);
    begin_frame({.reader = std::move(*reader), .path = root.name});
}

void TreeScan::State::begin_stream(Root &root) {
    std::string wanted = std::exchange(root.name, {});
    if (wanted.empty()) {
        wanted = kStreamName;
    }
    if (auto checked = check_offered_component(wanted); !checked) {
        return item_problem(wanted, std::move(checked).error());
    }
    if (count()) {
        add({.stream = true,
             .path = take_top_name(root, wanted, EntryKind::File),
             .mtime_ns = now_ns()});
    }
}

void TreeScan::State::begin_text(Root &root) {
    std::string wanted = std::exchange(root.name, {});
    if (wanted.empty()) {
        wanted = kTextName;
    }
    const auto refuse = [&](const char *detail) {
        root.text = {};
        item_problem(wanted, {.code = ErrorCode::BadArgument, .detail = detail});
    };
    if (root.text.empty()) {
        return refuse("neither a path nor a text");
    }
    if (root.text.size() > kMaxTextBytes) {
        return refuse("text too long");
    }
    if (root.text.size() > kMaxTextsBytes - text_bytes) {
        root.text = {};
        return problem(wanted, {.code = ErrorCode::LimitExceeded, .detail = "too many texts"});
    }
    if (!is_utf8(root.text)) {
        return refuse("text is not UTF-8");
    }
    if (auto checked = check_offered_component(wanted); !checked) {
        return item_problem(wanted, std::move(checked).error());
    }
    if (!count()) {
        return;
    }
    text_bytes += root.text.size();
    add({.text = true,
         .path = take_top_name(root, wanted, EntryKind::File),
         .size = root.text.size(),
         .mtime_ns = now_ns()});
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
    if (leave_out(path, entry.status && entry.status->type == fs::FileType::Folder)) {
        return;
    }
    if (auto checked = check_offered_path(path); !checked) {
        return problem(path, std::move(checked).error());
    }
    if (!entry.status) {
        if (entry.status.error().kind != fs::ErrorKind::NotFound) { // otherwise deleted meanwhile
            problem(path, fs::reading_error(entry.status.error(), "look at"));
        }
        return;
    }
    switch (entry.status->type) {
    case fs::FileType::File:
        return add_file(std::move(path), *entry.status);
    case fs::FileType::Folder:
        frame.subfolders.push_back({std::move(entry.name), entry.status->mtime_ns});
        return;
    case fs::FileType::Link:
        return add_link(frame, entry.name, std::move(path), entry.status->mtime_ns);
    case fs::FileType::Other:
        return problem(path, unsupported("special file"));
    }
}

void TreeScan::State::descend(Frame &frame) {
    const Subfolder subfolder = std::move(frame.subfolders[frame.next_subfolder++]);
    std::string path = frame.path + '/' + subfolder.name;
    auto reader = frame.reader.open_child(subfolder.name);
    if (!reader) {
        return problem(path, fs::reading_error(reader.error(), "list"));
    }
    add_folder(path, subfolder.mtime_ns);
    begin_frame({.reader = std::move(*reader), .path = std::move(path)}); // ends `frame`
}

fs::SystemResult<const fs::FileHandle *> TreeScan::State::folder_of(Frame &frame) {
    if (!frame.folder.is_open()) {
        auto folder = fs::open_folder(roots[next_root - 1].path);
        const std::size_t slash = frame.path.find('/');
        if (folder && slash != std::string::npos) {
            folder = fs::open_folder_beneath(*folder, frame.path.substr(slash + 1));
        }
        if (!folder) {
            return std::unexpected(folder.error());
        }
        frame.folder = std::move(*folder);
    }
    return &frame.folder;
}

/// A folder with unreadable rules is scanned without rules.
void TreeScan::State::begin_frame(Frame frame) {
    if (options.ignore_files) {
        if (const auto folder = folder_of(frame)) {
            frame.rules = IgnoreFile(beginning_of(**folder, IgnoreFile::kName));
        }
    }
    frames.push_back(std::move(frame));
}

/// True if an entry must be excluded; counts it.
bool TreeScan::State::leave_out(std::string_view path, bool is_folder) {
    if (!matches_any(options.exclude, path) && !is_ignored(path, is_folder)) {
        return false;
    }
    batch.excluded.push_back(static_cast<std::uint32_t>(next_root - 1));
    return true;
}

/// The innermost folder with a matching rule decides.
bool TreeScan::State::is_ignored(std::string_view path, bool is_folder) const {
    for (const Frame &frame : std::views::reverse(frames)) {
        if (const auto said =
                frame.rules.leaves_out(path.substr(frame.path.size() + 1), is_folder)) {
            return *said;
        }
    }
    return false;
}

void TreeScan::State::add_link(Frame &frame, const std::string &name, std::string path,
                               std::int64_t mtime_ns) {
    if (!options.links) {
        return problem(path, unsupported("symbolic link"));
    }
    const auto folder = folder_of(frame);
    auto target = folder ? fs::read_link(**folder, name) : std::unexpected(folder.error());
    if (!target) {
        return problem(path, fs::reading_error(target.error(), "read the link"));
    }
    if (auto allowed = check_link_target(path, *target); !allowed) {
        return problem(path, std::move(allowed).error());
    }
    add({.kind = EntryKind::Link,
         .path = std::move(path),
         .target = std::move(*target),
         .mtime_ns = mtime_ns});
}

void TreeScan::State::add_file(std::string path, const fs::FileStatus &status) {
    add({.executable = is_executable(status),
         .sparse = is_sparse(status),
         .path = std::move(path),
         .size = status.size,
         .mtime_ns = status.mtime_ns},
        identity_of(status));
}

void TreeScan::State::add_folder(std::string path, std::int64_t mtime_ns) {
    add({.kind = EntryKind::Folder, .path = std::move(path), .mtime_ns = mtime_ns});
}

void TreeScan::State::add(ManifestEntry entry, SourceIdentity identity) {
    const auto root = static_cast<std::uint32_t>(next_root - 1);
    const auto bytes = entry.path.size() + entry.target.size();
    full = full || offered == options.max_entries || bytes > kMaxManifestPathBytes - path_bytes;
    if (full) {
        batch.beyond.push_back(root);
        return;
    }
    ++offered;
    path_bytes += bytes;
    batch.entries.push_back({.entry = std::move(entry), .root = root, .identity = identity});
}

const std::string &TreeScan::State::take_top_name(Root &root, const std::string &wanted,
                                                  EntryKind kind) {
    constexpr unsigned kFirstNumber = 2;
    const auto [taken, is_new] = top_names.try_emplace(wanted, kFirstNumber);
    root.name = wanted;
    if (!is_new) {
        unsigned &number = taken->second; // not moved when names are added
        do {
            root.name = numbered_name(wanted, kind, number++);
        } while (!top_names.try_emplace(root.name, kFirstNumber).second);
    }
    return root.name;
}

/// False if the scan has visited too many entries; it then ends.
bool TreeScan::State::count() {
    if (met < 2 * options.max_entries) {
        ++met;
        return true;
    }
    batch.beyond.push_back(static_cast<std::uint32_t>(next_root - 1));
    frames.clear();
    next_root = roots.size();
    return false;
}

void TreeScan::State::problem(std::string_view path, Error error) {
    batch.problems.push_back(
        {.path = std::string(path),
         .error = std::move(error),
         .root = static_cast<std::uint32_t>(next_root == 0 ? 0 : next_root - 1)});
}

void TreeScan::State::item_problem(std::string_view given, Error error) {
    problem(given, std::move(error));
    batch.problems.back().whole_item = true;
}

TreeScan::TreeScan(ScanOptions options) : state_(std::make_unique<State>()) {
    state_->options = std::move(options);
}

TreeScan::~TreeScan() = default;

void TreeScan::add(std::vector<ScanItem> items) {
    const std::size_t room = kMaxManifestEntries - state_->roots.size();
    for (ScanItem &item : std::span(items).first(std::min(items.size(), room))) {
        state_->roots.push_back({.path = std::move(item.path),
                                 .text = std::move(item.text),
                                 .name = std::move(item.name),
                                 .stream = item.stream.has_value()});
    }
    if (items.size() > room) {
        state_->problem({}, {.code = ErrorCode::LimitExceeded, .detail = "too many items"});
    }
}

void TreeScan::remove(std::uint32_t root) {
    if (root + 1 == state_->next_root) {
        state_->frames.clear();
    }
    if (root < state_->roots.size()) {
        state_->roots[root].removed = true;
    }
}

ScanBatch TreeScan::step(std::size_t max_entries) {
    while (!state_->finished() && state_->batch.entries.size() + state_->batch.problems.size() +
                                          state_->batch.excluded.size() +
                                          state_->batch.beyond.size() <
                                      max_entries) {
        state_->advance();
    }
    state_->batch.complete = state_->finished();
    return std::exchange(state_->batch, {});
}

const std::string &TreeScan::root_path(std::uint32_t root) const {
    return state_->roots[root].path;
}

const std::string &TreeScan::root_text(std::uint32_t root) const {
    return state_->roots[root].text;
}

} // namespace thru
