#include <array>
#include <utility>

#include "io/file_system_win.h"

namespace thru::fs {

struct FolderReader::State {
    FileHandle folder;
    alignas(FILE_ID_BOTH_DIR_INFO) std::array<std::uint8_t, 64 * 1024> listed{};
    /// Where the next entry stands in `listed`; nullopt when it has to be filled.
    std::optional<std::size_t> next;
    bool begun = false;
};

FolderReader::FolderReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
FolderReader::FolderReader(FolderReader &&) noexcept = default;
FolderReader &FolderReader::operator=(FolderReader &&) noexcept = default;
FolderReader::~FolderReader() = default;

SystemResult<FolderReader> FolderReader::open(const std::string &path) {
    auto folder = open_folder(path);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    auto state = std::make_unique<State>();
    state->folder = std::move(*folder);
    return FolderReader(std::move(state));
}

SystemResult<FolderReader> FolderReader::open_child(const std::string &name) const {
    auto folder = open_folder_beneath(state_->folder, name);
    if (!folder) {
        return std::unexpected(folder.error());
    }
    auto state = std::make_unique<State>();
    state->folder = std::move(*folder);
    return FolderReader(std::move(state));
}

SystemResult<std::optional<FolderEntry>> FolderReader::next() {
    for (;;) {
        if (!state_->next) {
            const auto kind =
                state_->begun ? FileIdBothDirectoryInfo : FileIdBothDirectoryRestartInfo;
            state_->begun = true;
            if (!GetFileInformationByHandleEx(handle_of(state_->folder), kind,
                                              state_->listed.data(),
                                              static_cast<DWORD>(state_->listed.size()))) {
                if (GetLastError() == ERROR_NO_MORE_FILES) {
                    return std::nullopt;
                }
                return last_failure();
            }
            state_->next = 0;
        }
        const auto &info =
            *reinterpret_cast<const FILE_ID_BOTH_DIR_INFO *>(state_->listed.data() + *state_->next);
        state_->next = info.NextEntryOffset == 0
                           ? std::optional<std::size_t>{}
                           : std::optional<std::size_t>{*state_->next + info.NextEntryOffset};
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
        // For a reparse point this field holds its tag.
        const bool link = is_link(info.FileAttributes, info.EaSize);
        entry.status =
            FileStatus{.type = link ? FileType::Link : type_of(info.FileAttributes),
                       .size = static_cast<std::uint64_t>(info.EndOfFile.QuadPart),
                       .mtime_ns = to_ns(info.LastWriteTime.QuadPart),
                       .mode = kPlainMode,
                       .id = {.number = static_cast<std::uint64_t>(info.FileId.QuadPart)}};
        return entry;
    }
}

} // namespace thru::fs
