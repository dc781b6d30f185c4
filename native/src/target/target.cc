#include "target/target.h"

#include <utility>
#include <vector>

#include "names/part_name.h"

namespace thru {

namespace {

/// Creates and deletes a file: checks that both work and which permissions the umask allows.
Result<std::uint32_t> try_out(const fs::FileHandle &folder, const std::string &name) {
    const auto probe = fs::create_file(folder, name, fs::kExecutableMode);
    if (!probe) {
        return std::unexpected(fs::writing_error(probe.error(), "try to write"));
    }
    const auto status = fs::status_of(*probe);
    // Another receiver may have deleted it as a leftover.
    if (const auto removed = fs::remove_file(folder, name);
        !removed && removed.error().kind != fs::ErrorKind::NotFound) {
        return std::unexpected(fs::writing_error(removed.error(), "try to delete"));
    }
    return status ? status->mode : fs::kPlainMode;
}

/// Ancestors in which folders must be created for `path`; innermost first.
std::vector<std::string> above_missing(std::string path) {
    std::vector<std::string> folders;
    while (!path.empty() && !fs::status_of(path)) {
        const std::size_t end = path.find_last_not_of('/');
        const std::size_t slash = path.rfind('/', end);
        path =
            end == std::string::npos || slash == std::string::npos ? "" : path.substr(0, slash + 1);
        folders.push_back(path.empty() ? "." : path);
    }
    return folders;
}

} // namespace

std::string_view folder_of(std::string_view relative) {
    const std::size_t slash = relative.rfind('/');
    return slash == std::string_view::npos ? std::string_view{} : relative.substr(0, slash);
}

std::string_view name_of(std::string_view relative) {
    return relative.substr(relative.rfind('/') + 1);
}

Result<Target> Target::open(const std::string &directory) {
    const auto refused = [](const fs::SystemError &error) {
        return error.kind == fs::ErrorKind::NotFolder
                   ? Error{ErrorCode::TargetNotWritable, error.number, "not a folder"}
                   : fs::writing_error(error, "open the folder");
    };
    const std::vector<std::string> above = above_missing(directory);
    if (const auto made = fs::make_folders(directory); !made) {
        return std::unexpected(refused(made.error()));
    }
    for (const std::string &folder : above) {
        // Unreadable folders can't be synced; the system orders their names itself.
        if (const auto opened = fs::open_folder(folder)) {
            static_cast<void>(fs::sync_folder(*opened));
        }
    }
    auto root = fs::open_folder(directory);
    if (!root) {
        return std::unexpected(refused(root.error()));
    }
    const auto status = fs::status_of(*root);
    if (!status) {
        return std::unexpected(refused(status.error()));
    }
    Target target;
    target.root_ = std::move(*root);
    target.device_ = status->id.device;
    const auto mode = try_out(target.root_, probe_name());
    if (!mode) {
        return std::unexpected(mode.error());
    }
    target.allowed_mode_ = *mode;
    return target;
}

void Target::mark(const fs::FileHandle &file, const ReceiveOptions &options) const {
    if (options.mark) {
        fs::mark_received(file, sender_);
    }
}

void Target::apply_status(const fs::FileHandle &file, const ManifestTable &manifest,
                          std::uint64_t index, const ReceiveOptions &options,
                          std::optional<std::uint32_t> replaced_mode) const {
    const bool executable = options.keep_executable && manifest.executable(index);
    const std::uint32_t mode =
        replaced_mode ? fs::with_execution(*replaced_mode, executable && may_be_executable())
                      : (executable ? fs::kExecutableMode : fs::kPlainMode) & allowed_mode_;
    std::int64_t mtime_ns = manifest.mtime_ns(index);
    if (!options.keep_times) {
        const auto status = fs::status_of(file);
        mtime_ns = status ? status->mtime_ns : mtime_ns;
    }
    fs::set_attributes(file, mtime_ns, mode);
}

Shortage::Kind Target::shortage_kind(const Error &error) const {
    if (fs::is_quota(error.cause)) {
        return Shortage::Kind::Quota;
    }
    const auto facts = fs::volume_facts(root_);
    return facts && facts->free_files == 0 ? Shortage::Kind::Files : Shortage::Kind::Space;
}

void MadeFolders::add(std::string_view above) { folders_.lock()->emplace(above); }

std::set<std::string> MadeFolders::take() { return std::exchange(*folders_.lock(), {}); }

fs::SystemResult<const fs::FileHandle *> FolderCursor::go(std::string_view relative) {
    if (relative.empty()) {
        in_subfolder_ = false;
        return &target_.root();
    }
    if (!folder_.is_open() || relative_ != relative) {
        auto opened = fs::open_folder_beneath(target_.root(), relative);
        if (!opened) {
            return std::unexpected(opened.error());
        }
        const auto status = fs::status_of(*opened);
        folder_ = std::move(*opened);
        device_ = status ? status->id.device : 0;
        relative_ = relative;
    }
    in_subfolder_ = true;
    return &folder_;
}

Result<const fs::FileHandle *> FolderCursor::make(std::string_view relative, MadeFolders &made) {
    const auto open_error = [](const fs::SystemError &error) {
        return fs::writing_error(error, "open its folder");
    };
    const auto existing = go(relative);
    if (existing) {
        return *existing;
    }
    if (relative.empty() || existing.error().kind != fs::ErrorKind::NotFound) {
        return std::unexpected(open_error(existing.error()));
    }
    // Recursion is limited by the depth of a SafeRelPath.
    const std::string_view above = folder_of(relative);
    const auto parent = make(above, made);
    if (!parent) {
        return parent;
    }
    const auto created = fs::make_folder(**parent, std::string(name_of(relative)));
    if (!created && created.error().kind != fs::ErrorKind::Exists) {
        return std::unexpected(fs::writing_error(created.error(), "make the folder"));
    }
    if (created) {
        made.add(above);
    }
    const auto opened = go(relative);
    if (!opened) {
        return std::unexpected(open_error(opened.error()));
    }
    return *opened;
}

} // namespace thru
