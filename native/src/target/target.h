// The target folder as all parts of a receive share it: one handle, opened once, and folders below
// it.
#pragma once

#include <cstdint>
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

/// Immutable, usable from any thread.
class Target {
public:
    /// Makes the folder when it is missing and tries out whether it can be written.
    static Result<Target> open(const std::string &directory);

    const fs::FileHandle &root() const { return root_; }
    /// The volume of the root.
    std::uint64_t device() const { return device_; }

    /// Whose files are written, as the sender calls itself: they are marked as received.
    void set_sender(std::string sender) { sender_ = std::move(sender); }

    /// Gives a complete file its received mark, time and permissions, before it is synced.
    void apply_metadata(const fs::FileHandle &file, const ManifestTable &manifest,
                        std::uint64_t index, const ReceiveOptions &options) const;

    /// What is exhausted when an operation in the folder returned DiskFull.
    Shortage::Kind shortage_kind(const Error &error) const;

private:
    Target() = default;

    fs::FileHandle root_;
    std::uint64_t device_ = 0;
    std::string sender_;
    /// What this process's umask leaves of permissions.
    std::uint32_t allowed_mode_ = 0;
};

/// Folders in which others were made, so that their names are not durable yet. Any thread.
class MadeFolders {
public:
    /// A folder was made in this one.
    void add(std::string_view above);
    /// Those since the last call.
    std::set<std::string> take();
    /// These are not durable yet.
    void put_back(std::set<std::string> folders) { folders_.lock()->merge(folders); }

private:
    Guarded<std::set<std::string>> folders_;
};

/// Handles of folders below the target; the last one is kept, because files come folder by folder.
/// For one thread at a time.
class FolderCursor {
public:
    explicit FolderCursor(const Target &target) : target_(target) {}

    /// An open folder, until the cursor moves on; `relative` is empty for the target itself.
    fs::SystemResult<const fs::FileHandle *> go(std::string_view relative);
    /// As go, but makes missing folders; `made` gets the folder above each.
    Result<const fs::FileHandle *> make(std::string_view relative, MadeFolders &made);
    /// Where the cursor is.
    const std::string &relative() const { return in_subfolder_ ? relative_ : top_; }
    /// Whether the cursor is on another volume.
    bool on_other_volume() const { return in_subfolder_ && device_ != target_.device(); }

private:
    const Target &target_;
    const std::string top_;
    std::string relative_;
    fs::FileHandle folder_;
    std::uint64_t device_ = 0;
    /// Whether the cursor is at folder_; otherwise at the target itself.
    bool in_subfolder_ = false;
};

/// The folder above; empty at the top.
std::string_view folder_of(std::string_view relative);
std::string_view name_of(std::string_view relative);

} // namespace thru
