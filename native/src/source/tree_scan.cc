#include "source/tree_scan.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <utility>

#include "base/utf8.h"
#include "names/numbered_name.h"
#include "names/safe_rel_path.h"
#include "source/tree_scan_state.h"
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

} // namespace

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
    auto resolved = fs::resolve(root.resolved.empty() ? given : root.resolved);
    if (!resolved) {
        return item_problem(given, fs::reading_error(resolved.error(), "find"));
    }
    if (!root.resolved.empty() && *resolved != root.resolved) {
        return item_problem(given,
                            {.code = ErrorCode::SourceChanged, .detail = "it is a link now"});
    }
    // The name that the user sees, not that of a link's target.
    std::string wanted = fs::last_name(given);
    if (wanted.empty()) {
        wanted = fs::last_name(*resolved);
    }
    if (leave_out(wanted, false)) {
        return;
    }
    const auto status = fs::status_of(*resolved);
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
        const std::string &name = take_top_name(root, wanted, EntryKind::File);
        const auto place = add_place({.path = std::move(*resolved), .prefix = name.size()});
        return add_file(name, *status, place);
    }
    auto reader = fs::FolderReader::open(*resolved);
    if (!reader) {
        return item_problem(given, fs::reading_error(reader.error(), "list"));
    }
    const std::string &name = take_top_name(root, wanted, EntryKind::Folder);
    const auto place = add_place({.path = std::move(*resolved), .prefix = name.size()});
    root_place = place;
    begin_frame({.reader = std::move(*reader), .path = name, .place = place, .id = status->id},
                status->mtime_ns);
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
             .mtime_ns = now_ns()},
            add_place({}));
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
    const std::size_t size = root.text.size();
    text_bytes += size;
    add({.text = true,
         .path = take_top_name(root, wanted, EntryKind::File),
         .size = size,
         .mtime_ns = now_ns()},
        add_place({.text = std::move(root.text)}));
}

/// True if an entry must be excluded; counts it.
bool TreeScan::State::leave_out(std::string_view path, bool is_folder) {
    if (!matches_any(options.exclude, path) && !is_ignored(path, is_folder)) {
        return false;
    }
    batch.excluded.push_back(current_root());
    return true;
}

std::uint32_t TreeScan::State::add_place(SourcePlace place) {
    places.push_back(std::move(place));
    return static_cast<std::uint32_t>(places.size() - 1);
}

void TreeScan::State::add_file(std::string path, const fs::FileStatus &status,
                               std::uint32_t place) {
    auto attributes = attributes_of(path, status, place);
    add({.executable = is_executable(status),
         .sparse = is_sparse(status),
         .path = std::move(path),
         .size = status.size,
         .mtime_ns = status.mtime_ns},
        place, identity_of(status), status.links, std::move(attributes));
}

void TreeScan::State::add(ManifestEntry entry, std::uint32_t place, SourceIdentity identity,
                          std::uint32_t links, ReadAttributes attributes) {
    const auto bytes = entry.path.size() + entry.target.size();
    full = full || offered == options.max_entries || bytes > kMaxManifestPathBytes - path_bytes;
    if (full) {
        batch.beyond.push_back(current_root());
        return;
    }
    ++offered;
    path_bytes += bytes;
    batch.entries.push_back({.entry = std::move(entry),
                             .root = current_root(),
                             .place = place,
                             .identity = identity,
                             .links = links,
                             .attributes = std::move(attributes)});
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
    batch.beyond.push_back(current_root());
    frames.clear();
    next_root = roots.size();
    return false;
}

void TreeScan::State::problem(std::string_view path, Error error) {
    batch.problems.push_back({.path = std::string(path),
                              .error = std::move(error),
                              .root = next_root == 0 ? 0 : current_root()});
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
                                 .resolved = std::move(item.resolved),
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
    const ScanBatch &batch = state_->batch;
    while (!state_->finished() && batch.entries.size() + batch.problems.size() +
                                          batch.excluded.size() + batch.beyond.size() +
                                          batch.followed.size() <
                                      max_entries) {
        state_->advance();
    }
    state_->batch.complete = state_->finished();
    return std::exchange(state_->batch, {});
}

const SourcePlace &TreeScan::place(std::uint32_t place) const { return state_->places[place]; }

} // namespace thru
