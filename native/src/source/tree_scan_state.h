// The state of a TreeScan, for its two source files: tree_scan.cc has items and entries,
// tree_scan_folders.cc what is in folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/stable_list.h"
#include "source/ignore_file.h"
#include "source/tree_scan.h"

namespace thru {

struct TreeScan::State {
    struct Root {
        /// The given path.
        std::string path;
        /// See ScanItem.
        std::string resolved;
        std::string text;
        /// The wanted name (texts only), later the offered name; empty if it is not offered.
        std::string name;
        bool stream = false;
        bool removed = false;
    };
    struct Subfolder {
        std::string name;
        std::int64_t mtime_ns = 0;
        fs::FileId id;
        /// The resolved path, if a followed link leads to it.
        std::string target;
    };
    /// A folder being scanned: first its own entries, then its subfolders one by one. Entries of a
    /// folder are therefore consecutive, and a folder directly precedes its contents.
    struct Frame {
        fs::FolderReader reader;
        /// Manifest path.
        std::string path;
        std::uint32_t place = 0;
        fs::FileId id;
        /// The same folder, opened for links, rules and attributes.
        fs::FileHandle folder;
        IgnoreFile rules;
        bool listed = false;
        std::vector<Subfolder> subfolders;
        std::size_t next_subfolder = 0;
    };

    ScanOptions options;
    StableList<Root, kMaxManifestEntries> roots;
    /// Each visited entry has at most one. Other threads read the places of entries they know.
    StableList<SourcePlace, 2 * kMaxManifestEntries> places;
    std::size_t next_root = 0;
    /// Names given to items, and the next number to try for another item of that name.
    std::unordered_map<std::string, unsigned> top_names;
    std::vector<Frame> frames;
    /// The place of the item that is being scanned.
    std::uint32_t root_place = 0;
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

    std::uint32_t current_root() const { return static_cast<std::uint32_t>(next_root - 1); }
    bool finished() const { return frames.empty() && next_root == roots.size(); }
    void advance();
    void begin_root();
    void begin_path(Root &root);
    void begin_text(Root &root);
    void begin_stream(Root &root);
    void list_one(Frame &frame);
    void descend(Frame &frame);
    fs::SystemResult<const fs::FileHandle *> folder_of(Frame &frame);
    ReadAttributes attributes_of(const std::string &path, const fs::FileStatus &status,
                                 std::uint32_t place);
    ReadAttributes attributes_of(Frame &frame);
    void begin_frame(Frame frame, std::int64_t mtime_ns);
    void add_link(Frame &frame, const std::string &name, std::string path, std::int64_t mtime_ns);
    void follow_link(Frame &frame, std::string name, std::string path);
    void add_subfolder(Frame &frame, Subfolder subfolder, std::string_view path);
    std::string local_path(const Frame &frame) const;
    bool leads_out(const Frame &frame, std::string_view target) const;
    std::uint32_t add_place(SourcePlace place);
    void add_file(std::string path, const fs::FileStatus &status, std::uint32_t place);
    void add(ManifestEntry entry, std::uint32_t place, SourceIdentity identity = {},
             std::uint32_t links = 1, ReadAttributes attributes = {});
    bool leave_out(std::string_view path, bool is_folder);
    bool is_ignored(std::string_view path, bool is_folder) const;
    const std::string &take_top_name(Root &root, const std::string &wanted, EntryKind kind);
    bool count();
    void problem(std::string_view path, Error error);
    void item_problem(std::string_view given, Error error);
};

inline Error unsupported(std::string detail) {
    return {.code = ErrorCode::PathUnsupported, .detail = std::move(detail)};
}

} // namespace thru
