#include "target/existing_files.h"

#include "fs/file_hash.h"
#include "target/conflict.h"

namespace thru {

void ExistingFiles::allow_replacing(std::uint64_t index, const fs::FileStatus &status) {
    replaced_[index] = status;
    if (status.type == fs::FileType::File) {
        (*modes_.lock())[index] = status.mode;
    }
}

std::optional<std::uint32_t> ExistingFiles::replaced_mode(std::uint64_t index) const {
    const auto modes = modes_.lock();
    const auto mode = modes->find(index);
    return mode == modes->end() ? std::nullopt : std::optional(mode->second);
}

std::optional<fs::FileStatus> ExistingFiles::take_compared(std::uint64_t index) {
    const auto compared = compared_.extract(index);
    return compared ? std::optional(compared.mapped()) : std::nullopt;
}

bool ExistingFiles::may_replace(std::uint64_t index, const fs::FileHandle &folder,
                                const std::string &name) const {
    const auto replaced = replaced_.find(index);
    if (replaced == replaced_.end()) {
        return false;
    }
    const auto existing = fs::status_beneath(folder, name);
    return existing && is_unchanged(replaced->second, *existing);
}

bool ExistingFiles::is_copy(const fs::FileHandle &folder, const std::string &part,
                            const std::string &name, std::uint64_t bytes) {
    if (bytes > kMaxComparedBytes) {
        return false;
    }
    const auto existing = fs::status_beneath(folder, name);
    if (!existing || existing->type != fs::FileType::File || existing->size != bytes) {
        return false;
    }
    const auto received = fs::open_beneath_for_reading(folder, part);
    const auto file = fs::open_beneath_for_reading(folder, name);
    return received && file && is_same_content(*received, *file, bytes) && fs::sync_file(*file);
}

fs::SystemResult<> ExistingFiles::rename_into_place(std::uint64_t index,
                                                    const fs::FileHandle &folder,
                                                    const std::string &part,
                                                    const std::string &name) const {
    if (replaced_.contains(index)) {
        const std::lock_guard lock(replacing_);
        if (may_replace(index, folder, name)) {
            return fs::rename_over(folder, part, name);
        }
    }
    return fs::rename_new(folder, part, name);
}

} // namespace thru
