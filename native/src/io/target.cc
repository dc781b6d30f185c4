#include "io/target.h"

#include <array>
#include <utility>

#include "crypto/random.h"
#include "io/numbered_name.h"
#include "io/safe_rel_path.h"

namespace thru {

namespace {

constexpr unsigned kMaxNumberedNames = 9'999;
/// A part's name can be taken by what an abandoned segment has not deleted yet, or by a transfer
/// that was killed and drew the same tag.
constexpr unsigned kMaxPartNames = 16;

std::string random_tag() {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::array<std::uint8_t, 3> bytes{};
    random_bytes(bytes);
    std::string tag;
    for (const std::uint8_t byte : bytes) {
        tag += {kHex[byte >> 4], kHex[byte & 0x0F]};
    }
    return tag;
}

std::string part_name(const std::string &tag, const std::string &rest) {
    return std::string(kPartPrefix) + tag + "-" + rest + ".part";
}

/// Makes and deletes a file: shows that this works and what the umask leaves of its permissions.
Result<std::uint32_t> try_out(const fs::FileHandle &folder, const std::string &name) {
    const auto probe = fs::create_file(folder, name, fs::kExecutableMode);
    if (!probe) {
        return std::unexpected(fs::writing_error(probe.error(), "try to write"));
    }
    const auto status = fs::status_of(*probe);
    if (const auto removed = fs::remove_file(folder, name); !removed) {
        return std::unexpected(fs::writing_error(removed.error(), "try to delete"));
    }
    return status ? status->mode : fs::kPlainMode;
}

} // namespace

Result<Target> Target::open(const std::string &directory,
                            std::shared_ptr<const ManifestTable> manifest) {
    const auto refused = [](const fs::SystemError &error) {
        return error.trouble == fs::Trouble::NotFolder
                   ? Error{ErrorCode::TargetNotWritable, error.number, "not a folder"}
                   : fs::writing_error(error, "open the folder");
    };
    if (const auto made = fs::make_folders(directory); !made) {
        return std::unexpected(refused(made.error()));
    }
    auto root = fs::open_folder(directory);
    if (!root) {
        return std::unexpected(refused(root.error()));
    }
    Target target;
    target.root_ = std::move(*root);
    target.manifest_ = std::move(manifest);
    target.tag_ = random_tag();
    const auto mode = try_out(target.root_, part_name(target.tag_, "probe"));
    if (!mode) {
        return std::unexpected(mode.error());
    }
    target.allowed_mode_ = *mode;
    return target;
}

Result<Target::Part> Target::create_part(const fs::FileHandle &folder, std::uint64_t index) const {
    fs::SystemError error;
    for (unsigned number = 1; number <= kMaxPartNames; ++number) {
        const std::string again = number == 1 ? "" : "-" + std::to_string(number);
        std::string name = part_name(tag_, std::to_string(index) + again);
        auto file = fs::create_file(folder, name, fs::kPrivateMode);
        if (file) {
            return Part{.file = std::move(*file), .name = std::move(name)};
        }
        error = file.error();
        if (error.trouble != fs::Trouble::Exists) {
            break;
        }
    }
    return std::unexpected(fs::writing_error(error, "create"));
}

void Target::seal(const fs::FileHandle &file, std::uint64_t index) const {
    const std::uint32_t mode = manifest_->executable(index) ? fs::kExecutableMode : fs::kPlainMode;
    fs::set_attributes(file, manifest_->mtime_ns(index), mode & allowed_mode_);
}

Result<FolderCursor::Place> FolderCursor::place(std::uint64_t index) {
    const auto path = SafeRelPath::parse(target_.manifest().path(index));
    if (!path) {
        return std::unexpected(path.error());
    }
    const auto folder = go(path->folder());
    if (!folder) {
        return std::unexpected(folder.error());
    }
    return Place{.folder = *folder, .name = std::string(path->name())};
}

Result<const fs::FileHandle *> FolderCursor::go(std::string_view relative) {
    if (relative.empty()) {
        return &target_.root();
    }
    if (!folder_.is_open() || relative_ != relative) {
        auto opened = fs::open_folder_beneath(target_.root(), relative);
        if (!opened) {
            return std::unexpected(fs::writing_error(opened.error(), "open its folder"));
        }
        folder_ = std::move(*opened);
        relative_ = relative;
    }
    return &folder_;
}

Result<> FolderCursor::make(std::string_view relative) {
    if (relative.empty() || go(relative)) {
        return {};
    }
    const std::size_t slash = relative.rfind('/');
    const std::string_view above = relative.substr(0, slash == std::string_view::npos ? 0 : slash);
    // As deep as a SafeRelPath may be.
    if (auto made = make(above); !made) {
        return made;
    }
    const auto parent = go(above);
    if (!parent) {
        return std::unexpected(parent.error());
    }
    const std::string name(relative.substr(above.empty() ? 0 : slash + 1));
    const auto made = fs::make_folder(**parent, name);
    if (!made && made.error().trouble != fs::Trouble::Exists) {
        return std::unexpected(fs::writing_error(made.error(), "make the folder"));
    }
    // What existed may be a file or a link: only opening tells.
    if (auto opened = go(relative); !opened) {
        return std::unexpected(std::move(opened).error());
    }
    return {};
}

Result<bool> give_name(const FolderCursor::Place &place, const std::string &part) {
    std::string wanted = place.name;
    for (unsigned number = 2;; ++number) {
        const auto renamed = fs::rename_new(*place.folder, part, wanted);
        if (renamed) {
            return number > 2;
        }
        const bool taken = renamed.error().trouble == fs::Trouble::Exists;
        if (!taken || number > kMaxNumberedNames) {
            return std::unexpected(fs::writing_error(renamed.error(), "name"));
        }
        wanted = numbered_name(place.name, EntryKind::File, number);
    }
}

} // namespace thru
