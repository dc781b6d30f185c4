#include "target/existing/existing_files.h"

#include "fs/file_hash.h"
#include "fs/open_writers.h"
#include "target/existing/conflict.h"

namespace thru {

namespace {

/// Opens the file: network drives may report old times before that. An exchange of names changes
/// the change time.
bool is_untouched(const fs::FileStatus &before, const fs::FileHandle &folder,
                  const std::string &name, bool exchanged = false) {
    const auto file = fs::open_beneath_for_reading(folder, name);
    const auto now = file ? fs::status_of(*file) : std::unexpected(file.error());
    return now && is_unchanged(before, *now) && now->links <= 1 &&
           (exchanged || before.ctime_ns == now->ctime_ns) && !fs::has_writers(*file);
}

} // namespace

fs::SystemResult<> replace_untouched(const fs::FileHandle &folder, const std::string &part,
                                     const std::string &name, const fs::FileStatus &before) {
    const auto exchanged = fs::exchange(folder, part, name);
    if (!exchanged) {
        return std::unexpected(exchanged.error());
    }
    if (!*exchanged) {
        return fs::rename_over(folder, part, name);
    }
    if (is_untouched(before, folder, part, true)) {
        // If it remains, it is one part file too many.
        static_cast<void>(fs::remove_file(folder, part));
        return {};
    }
    const auto back = fs::exchange(folder, part, name);
    return std::unexpected(back ? fs::SystemError{.kind = fs::ErrorKind::Exists} : back.error());
}

void ExistingFiles::allow_replacing(std::uint64_t index, const fs::FileStatus &status,
                                    bool untouched) {
    replaced_[index] = {.status = status, .untouched = untouched};
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
    const auto &[status, untouched] = replaced->second;
    return existing && is_unchanged(status, *existing) &&
           (!untouched || is_untouched(status, folder, name));
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
    if (const auto replaced = replaced_.find(index); replaced != replaced_.end()) {
        const std::lock_guard lock(replacing_);
        if (may_replace(index, folder, name)) {
            const auto &[status, untouched] = replaced->second;
            if (!untouched) {
                return fs::rename_over(folder, part, name);
            }
            // Windows refuses to replace a file that is open: both are kept.
            if (auto renamed = replace_untouched(folder, part, name, status)) {
                return renamed;
            }
        }
    }
    return fs::rename_new(folder, part, name);
}

} // namespace thru
