#include "io/receive_folder.h"

#include <utility>

#include "io/receive_state.h"
#include "io/safe_rel_path.h"

namespace thru {

ReceiveFolder::ReceiveFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReceiveFolder::~ReceiveFolder() = default;

Result<std::shared_ptr<ReceiveFolder>>
ReceiveFolder::open(const std::string &directory, std::shared_ptr<const ManifestTable> manifest) {
    auto target = Target::open(directory, std::move(manifest));
    if (!target) {
        return std::unexpected(std::move(target).error());
    }
    return std::shared_ptr<ReceiveFolder>(
        new ReceiveFolder(std::make_unique<State>(std::move(*target))));
}

std::vector<WriteFailure> ReceiveFolder::make_folders() {
    const ManifestTable &manifest = state_->target.manifest();
    std::vector<WriteFailure> failures;
    FolderCursor cursor(state_->target);
    // The last folder and how it went: files of one folder stand together.
    std::string last;
    Result<> made;
    for (std::size_t index = 0; index < manifest.size(); ++index) {
        const auto path = SafeRelPath::parse(manifest.path(index));
        if (!path) {
            failures.push_back({.index = index, .error = path.error()});
            continue;
        }
        const bool is_folder = manifest.kind(index) == EntryKind::Folder;
        const std::string_view folder = is_folder ? path->text() : path->folder();
        if (folder != last) {
            made = cursor.make(folder);
            last = folder;
        }
        if (!made) {
            failures.push_back({.index = index, .error = made.error()});
            if (made.error().code == ErrorCode::DiskFull) {
                break;
            }
        }
    }
    return failures;
}

Result<bool> ReceiveFolder::name_file(std::uint64_t index) { return state_->parts.name(index); }

void ReceiveFolder::discard_parts() { state_->parts.discard(); }

Result<std::uint64_t> ReceiveFolder::free_bytes() const {
    const auto facts = fs::volume_facts(state_->target.root());
    if (!facts) {
        return std::unexpected(fs::writing_error(facts.error(), "free space"));
    }
    return facts->free_bytes;
}

} // namespace thru
