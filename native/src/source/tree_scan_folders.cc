#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "base/bytes.h"
#include "names/link_target.h"
#include "names/part_name.h"
#include "names/safe_rel_path.h"
#include "source/tree_scan_state.h"

namespace thru {

namespace {

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

/// None of an entry that can't be opened, or that was replaced: reading it fails later, too.
ReadAttributes attributes_if(const fs::SystemResult<fs::FileHandle> &opened,
                             const fs::FileId &scanned) {
    const auto status = opened ? fs::status_of(*opened) : std::unexpected(opened.error());
    return status && status->id == scanned ? read_attributes(*opened) : ReadAttributes{};
}

} // namespace

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
    // Nothing is missing without the files of unfinished receives.
    if (entry.status && entry.status->type == fs::FileType::File && is_own_name(entry.name)) {
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
        return add_file(std::move(path), *entry.status, frame.place);
    case fs::FileType::Folder:
        return add_subfolder(frame,
                             {.name = std::move(entry.name),
                              .mtime_ns = entry.status->mtime_ns,
                              .id = entry.status->id,
                              .target = {}},
                             path);
    case fs::FileType::Link:
        if (options.follow_links) {
            return follow_link(frame, std::move(entry.name), std::move(path));
        }
        return add_link(frame, entry.name, std::move(path), entry.status->mtime_ns);
    case fs::FileType::Other:
        return problem(path, unsupported("special file"));
    }
}

void TreeScan::State::descend(Frame &frame) {
    Subfolder subfolder = std::move(frame.subfolders[frame.next_subfolder++]);
    std::string path = frame.path + '/' + subfolder.name;
    const bool followed = !subfolder.target.empty();
    auto reader = followed ? fs::FolderReader::open(subfolder.target)
                           : frame.reader.open_child(subfolder.name);
    if (!reader) {
        return problem(path, fs::reading_error(reader.error(), "list"));
    }
    const auto place = followed
                           ? add_place({.path = std::move(subfolder.target), .prefix = path.size()})
                           : frame.place;
    begin_frame(
        {.reader = std::move(*reader), .path = std::move(path), .place = place, .id = subfolder.id},
        subfolder.mtime_ns); // ends `frame`
}

fs::SystemResult<const fs::FileHandle *> TreeScan::State::folder_of(Frame &frame) {
    if (!frame.folder.is_open()) {
        const SourcePlace &place = places[frame.place];
        auto folder = fs::open_folder(place.path);
        if (folder && frame.path.size() > place.prefix) {
            folder = fs::open_folder_beneath(*folder, frame.path.substr(place.prefix + 1));
        }
        if (!folder) {
            return std::unexpected(folder.error());
        }
        frame.folder = std::move(*folder);
    }
    return &frame.folder;
}

ReadAttributes TreeScan::State::attributes_of(const std::string &path, const fs::FileStatus &status,
                                              std::uint32_t place) {
    if (!options.attributes) {
        return {};
    }
    const auto open = [&]() -> fs::SystemResult<fs::FileHandle> {
        if (path.size() == places[place].prefix) {
            return fs::open_for_reading(places[place].path);
        }
        const auto folder = folder_of(frames.back());
        return folder ? fs::open_beneath_for_reading(**folder,
                                                     path.substr(frames.back().path.size() + 1))
                      : std::unexpected(folder.error());
    };
    return attributes_if(open(), status.id);
}

ReadAttributes TreeScan::State::attributes_of(Frame &frame) {
    if (!options.attributes) {
        return {};
    }
    const auto folder = folder_of(frame);
    return attributes_if(
        folder ? fs::open_folder_attributes(**folder) : std::unexpected(folder.error()), frame.id);
}

/// Adds the folder. One with unreadable rules is scanned without rules.
void TreeScan::State::begin_frame(Frame frame, std::int64_t mtime_ns) {
    add({.kind = EntryKind::Folder, .path = frame.path, .mtime_ns = mtime_ns}, frame.place, {}, 1,
        attributes_of(frame));
    if (options.ignore_files) {
        if (const auto folder = folder_of(frame)) {
            frame.rules = IgnoreFile(beginning_of(**folder, IgnoreFile::kName));
        }
    }
    frames.push_back(std::move(frame));
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
         .mtime_ns = mtime_ns},
        frame.place);
}

/// Offers the file or folder that a link leads to, under the link's name.
void TreeScan::State::follow_link(Frame &frame, std::string name, std::string path) {
    auto target = fs::resolve(local_path(frame) + '/' + name);
    const auto status = target ? fs::status_of(*target) : std::unexpected(target.error());
    if (!status) {
        return problem(path, fs::reading_error(status.error(), "follow the link"));
    }
    const bool is_folder = status->type == fs::FileType::Folder;
    if (is_folder && leave_out(path, true)) {
        return;
    }
    if (!is_folder && status->type != fs::FileType::File) {
        return problem(path, unsupported("link to a special file"));
    }
    if (leads_out(frame, *target)) {
        batch.followed.push_back({.path = path, .target = *target, .root = current_root()});
    }
    if (is_folder) {
        return add_subfolder(frame,
                             {.name = std::move(name),
                              .mtime_ns = status->mtime_ns,
                              .id = status->id,
                              .target = std::move(*target)},
                             path);
    }
    const std::size_t prefix = path.size();
    add_file(std::move(path), *status, add_place({.path = std::move(*target), .prefix = prefix}));
}

/// Queues a subfolder, unless followed links lead back to a folder that contains it.
void TreeScan::State::add_subfolder(Frame &frame, Subfolder subfolder, std::string_view path) {
    if (options.follow_links &&
        std::ranges::find(frames, subfolder.id, &Frame::id) != frames.end()) {
        return problem(path, unsupported("link to a folder that contains it"));
    }
    frame.subfolders.push_back(std::move(subfolder));
}

/// Absolute path of the frame's folder.
std::string TreeScan::State::local_path(const Frame &frame) const {
    const SourcePlace &place = places[frame.place];
    return place.path + frame.path.substr(place.prefix);
}

/// True if `target` is neither in the item nor in the folder to which a link to `frame` led.
bool TreeScan::State::leads_out(const Frame &frame, std::string_view target) const {
    return std::ranges::none_of(std::array{root_place, frame.place}, [&](std::uint32_t place) {
        const std::string_view folder = places[place].path;
        return target.starts_with(folder) &&
               (target.size() == folder.size() || folder.ends_with('/') ||
                target[folder.size()] == '/');
    });
}

} // namespace thru
