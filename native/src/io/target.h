// The folder that is received into, as its parts share it: one handle, opened once, and everything
// below it by entry index. Private to io/.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/file_system.h"
#include "transfer/manifest_table.h"

namespace thru {

/// Immutable, usable from any thread.
class Target {
public:
    /// Makes the folder when it is missing and tries out whether it can be written.
    static Result<Target> open(const std::string &directory,
                               std::shared_ptr<const ManifestTable> manifest);

    const fs::FileHandle &root() const { return root_; }
    const ManifestTable &manifest() const { return *manifest_; }

    struct Part {
        fs::FileHandle file;
        std::string name;
    };
    /// A new part file for the entry in `folder`, its final one.
    Result<Part> create_part(const fs::FileHandle &folder, std::uint64_t index) const;

    /// Gives a complete file its time and permissions. When files are synced to the disk before
    /// they get their names, it is done here.
    void seal(const fs::FileHandle &file, std::uint64_t index) const;

private:
    Target() = default;

    fs::FileHandle root_;
    std::shared_ptr<const ManifestTable> manifest_;
    /// Tells part files of this transfer from those of others in the same folder.
    std::string tag_;
    /// What this process's umask leaves of permissions.
    std::uint32_t allowed_mode_ = 0;
};

/// Handles of folders below the target; the last one is kept, because files come folder by folder.
/// For one thread at a time.
class FolderCursor {
public:
    explicit FolderCursor(const Target &target) : target_(target) {}

    struct Place {
        /// Valid until the cursor moves on.
        const fs::FileHandle *folder = nullptr;
        std::string name;
    };
    /// Where the entry goes, by the rules of this machine; its folder exists.
    Result<Place> place(std::uint64_t index);

    /// Makes the folders of `relative` that are missing; those that exist are gone into.
    Result<> make(std::string_view relative);

private:
    /// `relative` is empty for the target itself.
    Result<const fs::FileHandle *> go(std::string_view relative);

    const Target &target_;
    std::string relative_;
    fs::FileHandle folder_;
};

/// Renames a complete part file to its name there, or to a numbered one when that is taken. True
/// when it got another name.
Result<bool> give_name(const FolderCursor::Place &place, const std::string &part);

} // namespace thru
