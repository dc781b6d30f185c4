// The target folder, shared by all parts of a receive: one handle, and folders below it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/guarded.h"
#include "fs/file_system.h"
#include "target/shortage.h"
#include "transfer/manifest_table.h"
#include "transfer/receive_options.h"

namespace thru {

/// Any thread, once set_sender has been called.
class Target {
public:
    /// Creates the folder if missing, and checks that it is writable.
    static Result<Target> open(const std::string &directory);

    const fs::FileHandle &root() const { return root_; }
    /// The volume of the root.
    std::uint64_t device() const { return device_; }

    /// Sets the sender's name for marking files. Before other threads use the target.
    void set_sender(std::string sender) { sender_ = std::move(sender); }

    /// Marks a file as received, if the options say so. May change its modification time.
    void mark(const fs::FileHandle &file, const ReceiveOptions &options) const;
    /// Sets a complete file's time and permissions. Before it is synced, and after all else. The
    /// file keeps `replaced_mode`, those of the file that it replaces, except for execution.
    void apply_status(const fs::FileHandle &file, const ManifestTable &manifest,
                      std::uint64_t index, const ReceiveOptions &options,
                      std::optional<std::uint32_t> replaced_mode) const;

    /// False if no file can be made executable here.
    bool may_be_executable() const { return fs::is_executable(allowed_mode_); }

    /// The resource exhausted by an operation in the folder that returned DiskFull.
    Shortage::Kind shortage_kind(const Error &error) const;

private:
    Target() = default;

    fs::FileHandle root_;
    std::uint64_t device_ = 0;
    std::string sender_;
    /// Permissions that this process's umask allows.
    std::uint32_t allowed_mode_ = 0;
};

/// Folders in which others were created, so that their names are not durable yet. Any thread.
class MadeFolders {
public:
    /// A folder was created in this one.
    void add(std::string_view above);
    /// Returns the folders added since the last call.
    std::set<std::string> take();
    /// Returns folders that are still not durable.
    void put_back(std::set<std::string> folders) { folders_.lock()->merge(folders); }

private:
    Guarded<std::set<std::string>> folders_;
};

/// Opens folders below the target; keeps the last one open. One thread at a time.
class FolderCursor {
public:
    explicit FolderCursor(const Target &target) : target_(target) {}

    /// Opens a folder; valid until the next call. `relative` is empty for the target itself.
    fs::SystemResult<const fs::FileHandle *> go(std::string_view relative);
    /// Like go, but creates missing folders; adds the parent of each to `made`.
    Result<const fs::FileHandle *> make(std::string_view relative, MadeFolders &made);
    const std::string &relative() const { return in_subfolder_ ? relative_ : top_; }
    bool on_other_volume() const { return in_subfolder_ && device_ != target_.device(); }

private:
    const Target &target_;
    const std::string top_;
    std::string relative_;
    fs::FileHandle folder_;
    std::uint64_t device_ = 0;
    /// True if the cursor is at folder_; otherwise it is at the target itself.
    bool in_subfolder_ = false;
};

/// The parent folder; empty at the top.
std::string_view folder_of(std::string_view relative);
std::string_view name_of(std::string_view relative);

} // namespace thru
