// fs:: of the simulated disk: the user's paths, and open files.
#include <algorithm>

#include "crash/sim_access.h"
#include "fs/open_writers.h"
#include "fs/read_ahead.h"
#include "fs/writeback.h"

namespace thru::fs {

using test::sim_failure;
using test::SimAccess;
using test::SimCall;
using test::SimContent;
using test::SimNode;
using enum test::SimAccess::Needs;

namespace {

/// Takes free blocks for a file's new blocks, using its reserved ones first.
test::SimResult<> take_room(const SimAccess &disk, SimNode &file, std::uint64_t blocks) {
    const std::uint64_t reserved = std::min(blocks, file.reserved_blocks);
    const auto taken = disk.take_blocks(blocks - reserved);
    file.reserved_blocks -= taken ? reserved : 0;
    return taken;
}

SystemResult<> write(const SimAccess &disk, SimNode &file, std::uint64_t offset, ByteView bytes) {
    if (offset + bytes.size() > disk.facts().max_file_bytes) {
        return sim_failure(ErrorKind::TooLarge);
    }
    while (!bytes.empty()) {
        const std::size_t piece = std::min<std::size_t>(
            bytes.size(), SimContent::kBlockBytes - offset % SimContent::kBlockBytes);
        if (!take_room(disk, file, file.content.new_blocks(offset, piece))) {
            return sim_failure(ErrorKind::Full);
        }
        file.content.write(offset, bytes.first(piece));
        bytes = bytes.subspan(piece);
        offset += piece;
    }
    disk.touch(file);
    return {};
}

} // namespace

SystemResult<> FileHandle::close() {
    if (!is_open()) {
        return {};
    }
    const SimAccess disk;
    const auto kind = disk.begin(SimCall::Close);
    const Native closed = release();
    if (!disk.crashed()) {
        disk.close(closed);
    }
    return kind ? SystemResult<>(sim_failure(*kind)) : SystemResult<>{};
}

namespace {

/// Finds the node at a user's path.
SystemResult<const SimNode *> look_up(const SimAccess &disk, SimCall call, const std::string &path,
                                      bool follow) {
    if (const auto kind = disk.begin(call)) {
        return sim_failure(*kind);
    }
    const auto node = disk.image().at(path, follow);
    if (!node) {
        return sim_failure(node.error());
    }
    return disk.image().find(*node);
}

} // namespace

SystemResult<std::string> resolve(const std::string &path) {
    const SimAccess disk;
    const auto node = look_up(disk, SimCall::LookUp, path, true);
    if (!node) {
        return std::unexpected(node.error());
    }
    return disk.image().path_of((*node)->id);
}

std::string last_name(const std::string &path) {
    std::string last;
    test::each_component(path, [&](const std::string &name, std::string_view) {
        last = name;
        return true;
    });
    return path.ends_with("/.") || last == ".." ? std::string{} : last;
}

SystemResult<FileStatus> status_of(const std::string &path) {
    const SimAccess disk;
    const auto node = look_up(disk, SimCall::LookUp, path, true);
    if (!node) {
        return std::unexpected(node.error());
    }
    return disk.status(**node);
}

SystemResult<> make_folders(const std::string &path) {
    std::string made = "/";
    SystemResult<> result;
    test::each_component(path, [&](const std::string &name, std::string_view) {
        const auto folder = open_folder(made);
        result = folder ? make_folder(*folder, name) : std::unexpected(folder.error());
        if (!result && result.error().kind == ErrorKind::Exists) {
            result = {};
        }
        made += name + "/";
        return result.has_value();
    });
    return result;
}

SystemResult<FileHandle> open_folder(const std::string &path) {
    const SimAccess disk;
    const auto node = look_up(disk, SimCall::Open, path, true);
    if (!node) {
        return std::unexpected(node.error());
    }
    if ((*node)->type != FileType::Folder) {
        return sim_failure(ErrorKind::NotFolder);
    }
    return disk.open(**node, false);
}

SystemResult<FileHandle> open_for_reading(const std::string &path) {
    const SimAccess disk;
    const auto node = look_up(disk, SimCall::Open, path, false);
    if (!node) {
        return std::unexpected(node.error());
    }
    if ((*node)->type == FileType::Link) {
        return sim_failure(ErrorKind::Link);
    }
    return disk.open(**node, false);
}

SystemResult<std::string> read_link(const std::string &path) {
    const SimAccess disk;
    const auto node = look_up(disk, SimCall::LookUp, path, false);
    if (!node) {
        return std::unexpected(node.error());
    }
    if ((*node)->type != FileType::Link) {
        return sim_failure(ErrorKind::Refused);
    }
    return (*node)->target;
}

std::string boot_id() {
    const SimAccess disk;
    return disk.crashed() ? std::string{} : disk.boot_id();
}

SystemResult<FileStatus> status_of(const FileHandle &file) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::LookUp, file, Nothing);
    if (!node) {
        return sim_failure(node.error());
    }
    return disk.status(**node);
}

SystemResult<std::size_t> read_at(const FileHandle &file, std::uint64_t offset,
                                  MutableByteView out) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::Read, file, File);
    if (!node) {
        return sim_failure(node.error());
    }
    return (*node)->content.read(offset, out);
}

SystemResult<> write_at(const FileHandle &file, std::uint64_t offset, ByteView bytes) {
    const SimAccess disk;
    const bool alive = !disk.crashed();
    const std::string what = "write " + std::to_string(offset) + "+" + std::to_string(bytes.size());
    const auto node = disk.begin(SimCall::Write, file, WritableFile, what);
    if (node) {
        return write(disk, **node, offset, bytes);
    }
    if (alive && disk.crashed()) {
        // A killed process leaves the bytes already copied.
        const std::size_t copied = disk.operations() * 7919 % (bytes.size() + 1);
        static_cast<void>(write(disk, disk.node_of(file), offset, bytes.first(copied)));
    }
    return sim_failure(node.error());
}

SystemResult<> set_size(const FileHandle &file, std::uint64_t bytes) {
    const SimAccess disk;
    const auto node =
        disk.begin(SimCall::SetSize, file, WritableFile, "set size " + std::to_string(bytes));
    if (!node) {
        return sim_failure(node.error());
    }
    if (bytes > disk.facts().max_file_bytes) {
        return sim_failure(ErrorKind::TooLarge);
    }
    SimContent &content = (*node)->content;
    const std::uint64_t before = content.blocks();
    content.resize(bytes);
    disk.give_blocks(before - content.blocks());
    disk.touch(**node);
    return {};
}

SystemResult<> sync_data(const FileHandle &file) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::SyncData, file, File, "sync data");
    if (!node) {
        return sim_failure(node.error());
    }
    (*node)->content.sync();
    return {};
}

SystemResult<> sync_file(const FileHandle &file) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::SyncData, file, File, "sync");
    if (!node) {
        return sim_failure(node.error());
    }
    (*node)->content.sync();
    (*node)->sync_attributes();
    return {};
}

void read_ahead(const FileHandle & /*file*/, std::uint64_t /*offset*/, std::uint64_t /*bytes*/) {
    // Nothing here is slow.
}

bool share_content(const FileHandle &from, const FileHandle &to) {
    const SimAccess disk;
    if (disk.crashed() || !disk.shares_blocks()) {
        return false;
    }
    const auto source = disk.begin(SimCall::Read, from, File);
    if (!source) {
        return false;
    }
    Bytes bytes(static_cast<std::size_t>((*source)->content.size()));
    (*source)->content.read(0, bytes);
    const auto node = disk.begin(SimCall::Write, to, WritableFile, "share");
    return node && write(disk, **node, 0, bytes);
}

std::optional<FileHandle> open_direct(const FileHandle & /*file*/) { return std::nullopt; }

void begin_writeback(const FileHandle & /*file*/, std::uint64_t /*offset*/,
                     std::uint64_t /*bytes*/) {}

void drop_cache(const FileHandle & /*file*/) {
    // The simulated disk has no cache.
}

SystemResult<DataRun> next_data(const FileHandle &file, std::uint64_t offset) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::LookUp, file, File);
    if (!node) {
        return sim_failure(node.error());
    }
    const std::uint64_t begin = (*node)->content.next_data(offset);
    return DataRun{.begin = begin, .end = (*node)->content.next_hole(begin)};
}

SystemResult<bool> try_lock(const FileHandle &file) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::Lock, file, Nothing);
    if (!node) {
        return sim_failure(node.error());
    }
    return disk.lock(**node, file);
}

SystemResult<> reserve(const FileHandle &file, std::uint64_t offset, std::uint64_t bytes) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::Reserve, file, WritableFile,
                                 "reserve " + std::to_string(offset + bytes));
    if (!node) {
        return sim_failure(node.error());
    }
    std::uint64_t &reserved = (*node)->reserved_blocks;
    const std::uint64_t wanted = (*node)->content.new_blocks(0, offset + bytes);
    const auto taken = disk.take_blocks(wanted - std::min(wanted, reserved));
    if (!taken) {
        return sim_failure(taken.error());
    }
    reserved = std::max(reserved, wanted);
    return {};
}

bool is_quota(std::int64_t number) { return number == test::kQuotaNumber; }

void mark_received(const FileHandle & /*file*/, std::string_view /*sender*/) {}

bool has_writers(const FileHandle & /*file*/) { return false; }

bool set_sender_record(const FileHandle & /*file*/, ByteView /*record*/) { return false; }

bool read_sender_record(const FileHandle & /*file*/, MutableByteView /*out*/) { return false; }

SystemResult<FileHandle> open_folder_attributes(const FileHandle & /*folder*/) {
    return sim_failure(ErrorKind::Refused);
}

const bool kHasExtendedAttributes = false;

SystemResult<std::vector<std::string>> extended_attributes(const FileHandle & /*file*/) {
    return {};
}

SystemResult<std::string> read_extended_attribute(const FileHandle & /*file*/,
                                                  std::string_view /*name*/,
                                                  std::size_t /*max_bytes*/) {
    return {};
}

SystemResult<> write_extended_attribute(const FileHandle & /*file*/, std::string_view /*name*/,
                                        std::string_view /*value*/) {
    return {};
}

bool lacks_extended_attributes(std::int64_t /*number*/) { return false; }

std::optional<std::int64_t> creation_time(const FileHandle & /*file*/) { return std::nullopt; }

const bool kSetsCreationTimes = false;

void set_creation_time(const FileHandle & /*file*/, std::int64_t /*ns*/) {}

void set_attributes(const FileHandle &file, std::int64_t mtime_ns, std::uint32_t mode) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::SetAttributes, file, File, "set attributes");
    if (node) {
        (*node)->set_attributes({.mtime_ns = mtime_ns, .mode = mode});
        (*node)->ctime_ns = disk.now();
    }
}

} // namespace thru::fs
