#include "target/execution.h"

#include "target/conflict.h"

namespace thru {

void adopt_execution(const ReceiveFolder::State &state, FolderCursor &cursor, std::uint64_t index,
                     const std::string &name, std::uint32_t mode) {
    const bool executable = state.manifest->executable(index);
    if (fs::is_executable(mode) == executable || !state.options.keep_executable ||
        !state.target.may_be_executable()) {
        return;
    }
    const ConflictPolicy policy = policy_for(*state.manifest, index, state.options);
    const bool replaces = policy == ConflictPolicy::Replace || policy == ConflictPolicy::Update;
    if (!state.options.follow && !replaces) {
        return;
    }
    const SafeRelPath place = state.names.place(*state.manifest, index);
    const auto folder = cursor.go(place.folder());
    const auto file =
        folder ? fs::open_for_writing(**folder, name.empty() ? std::string(place.name()) : name)
               : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    if (status) {
        fs::set_attributes(*file, status->mtime_ns, fs::with_execution(status->mode, executable));
    }
}

} // namespace thru
