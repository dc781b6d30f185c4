// fs:: of the simulated disk: names in folders.
#include <algorithm>

#include "crash/sim_access.h"

namespace thru::fs {

using test::sim_failure;
using test::SimAccess;
using test::SimCall;
using test::SimNode;
using enum test::SimAccess::Needs;

namespace {

test::SimResult<> check_name(const std::string &name) {
    constexpr std::size_t kMaxBytes = 255;
    const bool wrong = name.empty() || name == "." || name == ".." || name.size() > kMaxBytes ||
                       name.find('/') != std::string::npos;
    return wrong ? test::SimResult<>(std::unexpected(ErrorKind::BadName)) : test::SimResult<>{};
}

/// Adds a node under a new name in the folder.
SystemResult<const SimNode *> add(const SimAccess &disk, SimCall call, const FileHandle &folder,
                                  const std::string &name, std::string_view what, SimNode node) {
    const auto above = disk.begin(call, folder, Folder, what, name);
    if (!above) {
        return sim_failure(above.error());
    }
    if (const auto right = check_name(name); !right) {
        return sim_failure(right.error());
    }
    if ((*above)->names.find(name) != 0) {
        return sim_failure(ErrorKind::Exists);
    }
    const std::int64_t now = disk.now();
    node.parent = (*above)->id;
    node.attributes.mtime_ns = now;
    node.ctime_ns = now;
    const test::NodeId added = disk.image().add(std::move(node));
    (*above)->names.put(name, added);
    disk.touch(**above);
    return disk.image().find(added);
}

/// The node has lost a name.
void drop(const SimAccess &disk, SimNode &node) {
    node.named = node.linked && disk.image().is_named(node.id);
    disk.forget(node);
}

SystemResult<> rename(const SimAccess &disk, SimNode &folder, const std::string &from,
                      const std::string &to, bool replace) {
    SimNode *moved = disk.image().find(folder.names.find(from));
    SimNode *existing = disk.image().find(folder.names.find(to));
    if (moved == nullptr) {
        return sim_failure(ErrorKind::NotFound);
    }
    if (const auto right = check_name(to); !right) {
        return sim_failure(right.error());
    }
    if (existing != nullptr && (!replace || existing->type == FileType::Folder)) {
        return sim_failure(ErrorKind::Exists);
    }
    if (existing == moved) {
        return {};
    }
    folder.names.rename(from, to, moved->linked);
    disk.touch(folder);
    moved->ctime_ns = disk.now();
    if (existing != nullptr) {
        drop(disk, *existing);
    }
    return {};
}

/// Finds an entry of the folder.
SystemResult<const SimNode *> look_up(const SimAccess &disk, const FileHandle &folder,
                                      const std::string &name) {
    const auto above = disk.begin(SimCall::LookUp, folder, Folder);
    if (!above) {
        return sim_failure(above.error());
    }
    const SimNode *node = disk.image().find((*above)->names.find(name));
    if (node == nullptr) {
        return sim_failure(ErrorKind::NotFound);
    }
    return node;
}

SystemResult<const SimNode *> reach(const SimAccess &disk, const FileHandle &folder,
                                    std::string_view relative) {
    const auto above = disk.begin(SimCall::Open, folder, Folder);
    if (!above) {
        return sim_failure(above.error());
    }
    const auto node = disk.image().beneath((*above)->id, relative);
    if (!node) {
        return sim_failure(node.error());
    }
    const SimNode *reached = disk.image().find(*node);
    if (reached->type == FileType::Link) {
        return sim_failure(ErrorKind::Link);
    }
    return reached;
}

} // namespace

SystemResult<FileHandle> open_folder_beneath(const FileHandle &folder, std::string_view relative) {
    const SimAccess disk;
    const auto node = reach(disk, folder, relative);
    if (!node) {
        return std::unexpected(node.error());
    }
    if ((*node)->type != FileType::Folder) {
        return sim_failure(ErrorKind::NotFolder);
    }
    return disk.open(**node, false);
}

SystemResult<FileHandle> open_beneath_for_reading(const FileHandle &folder,
                                                  std::string_view relative) {
    const SimAccess disk;
    const auto node = reach(disk, folder, relative);
    if (!node) {
        return std::unexpected(node.error());
    }
    return disk.open(**node, false);
}

SystemResult<> make_folder(const FileHandle &folder, const std::string &name) {
    const SimAccess disk;
    const auto made = add(disk, SimCall::MakeFolder, folder, name, "make folder",
                          {.type = FileType::Folder, .attributes = {.mode = kExecutableMode}});
    return made ? SystemResult<>{} : std::unexpected(made.error());
}

SystemResult<FileHandle> create_file(const FileHandle &folder, const std::string &name,
                                     std::uint32_t mode) {
    const SimAccess disk;
    const auto made = add(disk, SimCall::CreateFile, folder, name, "create",
                          {.type = FileType::File, .attributes = {.mode = mode}});
    if (!made) {
        return std::unexpected(made.error());
    }
    return disk.open(**made, true);
}

SystemResult<> make_link(const FileHandle &folder, const std::string &name,
                         const std::string &target) {
    const SimAccess disk;
    const auto made = add(disk, SimCall::MakeLink, folder, name, "make link",
                          {.type = FileType::Link, .target = target});
    return made ? SystemResult<>{} : std::unexpected(made.error());
}

SystemResult<FileHandle> open_for_writing(const FileHandle &folder, const std::string &name) {
    const SimAccess disk;
    const auto node = reach(disk, folder, name);
    if (!node) {
        return std::unexpected(node.error());
    }
    if ((*node)->type != FileType::File) {
        return sim_failure(ErrorKind::Refused);
    }
    return disk.open(**node, true);
}

SystemResult<FileStatus> status_beneath(const FileHandle &folder, const std::string &name) {
    const SimAccess disk;
    const auto node = look_up(disk, folder, name);
    if (!node) {
        return std::unexpected(node.error());
    }
    return disk.status(**node);
}

SystemResult<std::string> read_link(const FileHandle &folder, const std::string &name) {
    const SimAccess disk;
    const auto node = look_up(disk, folder, name);
    if (!node) {
        return std::unexpected(node.error());
    }
    if ((*node)->type != FileType::Link) {
        return sim_failure(ErrorKind::Refused);
    }
    return (*node)->target;
}

SystemResult<> make_hard_link(const FileHandle &folder, const std::string &from,
                              const FileHandle &to_folder, const std::string &to) {
    const SimAccess disk;
    const auto below =
        disk.begin(SimCall::MakeHardLink, to_folder, Folder, "link " + from + " to", to);
    const auto above = disk.begin(SimCall::LookUp, folder, Folder);
    if (!above || !below) {
        return sim_failure(above ? below.error() : above.error());
    }
    SimNode *node = disk.image().find((*above)->names.find(from));
    if (node == nullptr || (*below)->names.find(to) != 0) {
        return sim_failure(node == nullptr ? ErrorKind::NotFound : ErrorKind::Exists);
    }
    node->linked = true;
    node->ctime_ns = disk.now();
    (*below)->names.put(to, node->id, true);
    disk.touch(**below);
    return {};
}

SystemResult<> rename_new(const FileHandle &folder, const std::string &from,
                          const std::string &to) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::RenameNew, folder, Folder, "rename " + from + " to", to);
    return above ? rename(disk, **above, from, to, false) : sim_failure(above.error());
}

SystemResult<> rename_over(const FileHandle &folder, const std::string &from,
                           const std::string &to) {
    const SimAccess disk;
    const auto above =
        disk.begin(SimCall::RenameOver, folder, Folder, "rename " + from + " over", to);
    return above ? rename(disk, **above, from, to, true) : sim_failure(above.error());
}

SystemResult<bool> exchange(const FileHandle & /*folder*/, const std::string & /*first*/,
                            const std::string & /*second*/) {
    return false;
}

/// After a power loss, the file has either name, both or none.
SystemResult<> move_new(const FileHandle &folder, const std::string &from,
                        const FileHandle &to_folder, const std::string &to) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::RenameNew, folder, Folder, "move " + from + " to", to);
    const auto below = disk.begin(SimCall::LookUp, to_folder, Folder);
    if (!above || !below) {
        return sim_failure(above ? below.error() : above.error());
    }
    SimNode *moved = disk.image().find((*above)->names.find(from));
    if (moved == nullptr || (*below)->names.find(to) != 0) {
        return sim_failure(moved == nullptr ? ErrorKind::NotFound : ErrorKind::Exists);
    }
    (*below)->names.put(to, moved->id);
    (*above)->names.take(from);
    moved->parent = (*below)->id;
    moved->ctime_ns = disk.now();
    disk.touch(**above);
    disk.touch(**below);
    return {};
}

SystemResult<> remove_folder(const FileHandle &folder, const std::string &name) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::RemoveFile, folder, Folder, "remove folder", name);
    if (!above) {
        return sim_failure(above.error());
    }
    SimNode *node = disk.image().find((*above)->names.find(name));
    if (node == nullptr || node->type != FileType::Folder || !node->names.all().empty()) {
        return sim_failure(node == nullptr ? ErrorKind::NotFound : ErrorKind::Refused);
    }
    (*above)->names.take(name);
    disk.touch(**above);
    drop(disk, *node);
    return {};
}

SystemResult<> remove_file(const FileHandle &folder, const std::string &name) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::RemoveFile, folder, Folder, "remove", name);
    if (!above) {
        return sim_failure(above.error());
    }
    SimNode *node = disk.image().find((*above)->names.find(name));
    if (node == nullptr) {
        return sim_failure(ErrorKind::NotFound);
    }
    if (node->type == FileType::Folder) {
        return sim_failure(ErrorKind::Refused);
    }
    (*above)->names.take(name, node->linked);
    disk.touch(**above);
    drop(disk, *node);
    return {};
}

SystemResult<std::vector<std::string>> list_names(const FileHandle &folder, std::string_view prefix,
                                                  std::size_t limit) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::LookUp, folder, Folder);
    if (!above) {
        return sim_failure(above.error());
    }
    std::vector<std::string> names;
    for (const auto &[name, node] : (*above)->names.all()) {
        if (names.size() < limit && name.starts_with(prefix) &&
            disk.image().find(node)->type == FileType::File) {
            names.push_back(name);
        }
    }
    return names;
}

SystemResult<> sync_folder(const FileHandle &folder) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::SyncFolder, folder, Folder, "sync folder");
    if (!above) {
        return sim_failure(above.error());
    }
    (*above)->names.sync();
    if (disk.folder_syncs_attributes()) {
        (*above)->sync_attributes();
        for (const auto &[name, node] : (*above)->names.all()) {
            disk.image().find(node)->sync_attributes();
        }
    }
    return {};
}

SystemResult<bool> sync_file_system(const FileHandle &folder, std::size_t /*files*/) {
    const SimAccess disk;
    if (!disk.crashed() && !disk.syncs_file_system()) {
        return false;
    }
    const auto above = disk.begin(SimCall::SyncFileSystem, folder, Folder, "sync file system of");
    if (!above) {
        return sim_failure(above.error());
    }
    disk.image().sync();
    return true;
}

void set_folder_time(const FileHandle &folder, std::int64_t mtime_ns) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::SetAttributes, folder, Folder, "set time of");
    if (node) {
        (*node)->set_attributes({.mtime_ns = mtime_ns, .mode = (*node)->attributes.mode});
    }
}

void set_link_time(const FileHandle &folder, const std::string &name, std::int64_t mtime_ns) {
    const SimAccess disk;
    const auto above = disk.begin(SimCall::SetAttributes, folder, Folder, "set time of a link in");
    if (!above) {
        return;
    }
    if (const auto found = disk.image().beneath((*above)->id, name)) {
        SimNode &link = *disk.image().find(*found);
        link.set_attributes({.mtime_ns = mtime_ns, .mode = link.attributes.mode});
    }
}

SystemResult<VolumeFacts> volume_facts(const FileHandle &folder) {
    const SimAccess disk;
    const auto node = disk.begin(SimCall::LookUp, folder, Nothing);
    if (!node) {
        return sim_failure(node.error());
    }
    return disk.facts();
}

/// A listing of the names at the time of opening.
struct FolderReader::State {
    FileHandle folder;
    std::vector<std::string> names;
    std::size_t listed = 0;

    static SystemResult<FolderReader> open(SystemResult<FileHandle> folder);
};

SystemResult<FolderReader> FolderReader::State::open(SystemResult<FileHandle> folder) {
    if (!folder) {
        return std::unexpected(folder.error());
    }
    auto state = std::make_unique<State>();
    state->folder = std::move(*folder);
    const SimAccess disk;
    const auto node = disk.begin(SimCall::LookUp, state->folder, Folder);
    if (!node) {
        return sim_failure(node.error());
    }
    for (const auto &[name, child] : (*node)->names.all()) {
        state->names.push_back(name);
    }
    return FolderReader(std::move(state));
}

FolderReader::FolderReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
FolderReader::FolderReader(FolderReader &&) noexcept = default;
FolderReader &FolderReader::operator=(FolderReader &&) noexcept = default;
FolderReader::~FolderReader() = default;

SystemResult<FolderReader> FolderReader::open(const std::string &path) {
    return State::open(open_folder(path));
}

SystemResult<FolderReader> FolderReader::open_child(const std::string &name) const {
    return State::open(open_folder_beneath(state_->folder, name));
}

SystemResult<std::optional<FolderEntry>> FolderReader::next() {
    if (state_->listed == state_->names.size()) {
        return std::nullopt;
    }
    const std::string &name = state_->names[state_->listed++];
    return FolderEntry{.name = name, .status = status_beneath(state_->folder, name)};
}

} // namespace thru::fs
