#include <array>
#include <utility>

#include "fs/file_system_win.h"

namespace thru::fs {

namespace {

/// The entries of a folder, one buffer at a time.
class Listing {
public:
    static SystemResult<std::unique_ptr<Listing>> open(SystemResult<FileHandle> folder);
    const FileHandle &folder() const { return folder_; }
    SystemResult<std::optional<FolderEntry>> next();

private:
    /// Returns nullptr at the end.
    SystemResult<const FILE_ID_BOTH_DIR_INFO *> next_info();

    FileHandle folder_;
    std::uint64_t volume_ = 0;
    alignas(FILE_ID_BOTH_DIR_INFO) std::array<std::uint8_t, 64 * 1024> listed_{};
    /// Position of the next entry in `listed_`; nullopt if it must be refilled.
    std::optional<std::size_t> next_;
    bool begun_ = false;
};

SystemResult<std::unique_ptr<Listing>> Listing::open(SystemResult<FileHandle> folder) {
    if (!folder) {
        return std::unexpected(folder.error());
    }
    const auto status = status_of(*folder);
    if (!status) {
        return std::unexpected(status.error());
    }
    auto listing = std::make_unique<Listing>();
    listing->folder_ = std::move(*folder);
    listing->volume_ = status->id.device;
    return listing;
}

SystemResult<const FILE_ID_BOTH_DIR_INFO *> Listing::next_info() {
    if (!next_) {
        const bool begins = !std::exchange(begun_, true);
        const auto kind = begins ? FileIdBothDirectoryRestartInfo : FileIdBothDirectoryInfo;
        if (!GetFileInformationByHandleEx(handle_of(folder_), kind, listed_.data(),
                                          static_cast<DWORD>(listed_.size()))) {
            // The root of an empty drive doesn't even list itself and its parent.
            const DWORD error = GetLastError();
            if (error == ERROR_NO_MORE_FILES || (begins && error == ERROR_FILE_NOT_FOUND)) {
                return nullptr;
            }
            return std::unexpected(error_of(error));
        }
        next_ = 0;
    }
    const auto *info = reinterpret_cast<const FILE_ID_BOTH_DIR_INFO *>(listed_.data() + *next_);
    next_ = info->NextEntryOffset == 0 ? std::optional<std::size_t>{}
                                       : std::optional<std::size_t>{*next_ + info->NextEntryOffset};
    return info;
}

SystemResult<std::optional<FolderEntry>> Listing::next() {
    for (;;) {
        const auto found = next_info();
        if (!found) {
            return std::unexpected(found.error());
        }
        if (*found == nullptr) {
            return std::nullopt;
        }
        const FILE_ID_BOTH_DIR_INFO &info = **found;
        const std::wstring_view wide(info.FileName, info.FileNameLength / sizeof(wchar_t));
        if (wide == L"." || wide == L"..") {
            continue;
        }
        bool exact = false;
        FolderEntry entry{.name = to_utf8(wide, exact), .status = {}};
        if (!exact) {
            entry.status = std::unexpected(error_of(ERROR_NO_UNICODE_TRANSLATION));
            return entry;
        }
        // This field holds the tag of a reparse point.
        const bool link = is_link(info.FileAttributes, info.EaSize);
        entry.status = FileStatus{
            .type = link ? FileType::Link : type_of(info.FileAttributes),
            .size = static_cast<std::uint64_t>(info.EndOfFile.QuadPart),
            .mtime_ns = to_ns(info.LastWriteTime.QuadPart),
            .ctime_ns = change_time(info.ChangeTime, info.LastWriteTime),
            .mode = kPlainMode,
            .allocated = static_cast<std::uint64_t>(info.AllocationSize.QuadPart),
            .id = {.device = volume_, .number = static_cast<std::uint64_t>(info.FileId.QuadPart)}};
        return entry;
    }
}

} // namespace

SystemResult<std::vector<std::string>> list_names(const FileHandle &folder, std::string_view prefix,
                                                  std::size_t limit) {
    // Needs its own handle, because each has one list position.
    const auto listing = Listing::open(open_folder_beneath(folder, ""));
    if (!listing) {
        return std::unexpected(listing.error());
    }
    std::vector<std::string> names;
    while (names.size() < limit) {
        auto entry = (*listing)->next();
        if (!entry) {
            return std::unexpected(entry.error());
        }
        if (!*entry) {
            break;
        }
        FolderEntry &found = **entry;
        if (found.name.starts_with(prefix) && found.status &&
            found.status->type == FileType::File) {
            names.push_back(std::move(found.name));
        }
    }
    return names;
}

struct FolderReader::State {
    std::unique_ptr<Listing> listing;

    static SystemResult<FolderReader> open(SystemResult<FileHandle> folder);
};

SystemResult<FolderReader> FolderReader::State::open(SystemResult<FileHandle> folder) {
    auto listing = Listing::open(std::move(folder));
    if (!listing) {
        return std::unexpected(listing.error());
    }
    return FolderReader(std::make_unique<State>(std::move(*listing)));
}

FolderReader::FolderReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
FolderReader::FolderReader(FolderReader &&) noexcept = default;
FolderReader &FolderReader::operator=(FolderReader &&) noexcept = default;
FolderReader::~FolderReader() = default;

SystemResult<FolderReader> FolderReader::open(const std::string &path) {
    return State::open(open_folder(path));
}

SystemResult<FolderReader> FolderReader::open_child(const std::string &name) const {
    return State::open(open_folder_beneath(state_->listing->folder(), name));
}

SystemResult<std::optional<FolderEntry>> FolderReader::next() { return state_->listing->next(); }

} // namespace thru::fs
