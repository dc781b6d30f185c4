#include "target/hard_links.h"

#include "names/numbered_name.h"
#include "names/part_name.h"

namespace thru {

namespace {

bool is_name_of(const fs::FileStatus &file, const fs::FileHandle &folder, const std::string &name) {
    const auto status = fs::status_beneath(folder, name);
    return status && status->type == fs::FileType::File && status->id == file.id;
}

/// Links under a temporary name, to replace an existing file in one step.
fs::SystemResult<> link_over(ReceiveFolder::State &state, std::uint64_t index,
                             const fs::FileHandle &from_folder, const std::string &from,
                             const fs::FileHandle &folder, const std::string &name) {
    const std::string part = part_name(state.store.tag(), state.store.new_number());
    auto linked = fs::make_hard_link(from_folder, from, folder, part);
    if (linked) {
        linked = state.existing.rename_into_place(index, folder, part, name);
        if (!linked) {
            static_cast<void>(fs::remove_file(folder, part));
        }
    }
    return linked;
}

} // namespace

Result<PublishedName> link_name(ReceiveFolder::State &state, FolderCursor &cursor,
                                const LinkedFile &file, std::uint64_t index) {
    const SafeRelPath source = state.names.place(*state.manifest, file.index);
    const std::string from = file.name.empty() ? std::string(source.name()) : file.name;
    FolderCursor source_cursor(state.target);
    const auto from_folder = source_cursor.go(source.folder());
    const SafeRelPath place = state.names.place(*state.manifest, index);
    const auto folder = cursor.go(place.folder());
    const auto first = from_folder ? fs::status_beneath(**from_folder, from)
                                   : std::unexpected(from_folder.error());
    if (!folder || !first || first->type != fs::FileType::File || first->id.number != file.file) {
        return fail(ErrorCode::TargetNotWritable, 0, "the file was replaced");
    }
    std::string name(place.name());
    if (is_name_of(*first, **folder, name)) {
        return PublishedName{}; // Linked before the program was killed.
    }
    auto linked = state.existing.may_replace(index, **folder, name)
                      ? link_over(state, index, **from_folder, from, **folder, name)
                      : fs::make_hard_link(**from_folder, from, **folder, name);
    for (unsigned number = 2;
         !linked && linked.error().kind == fs::ErrorKind::Exists && number <= kMaxNumberedNames;
         ++number) {
        name = numbered_name(place.name(), EntryKind::File, number);
        linked = fs::make_hard_link(**from_folder, from, **folder, name);
    }
    if (!linked) {
        return std::unexpected(fs::writing_error(linked.error(), "link"));
    }
    if (!is_name_of(*first, **folder, name)) {
        static_cast<void>(fs::remove_file(**folder, name));
        return fail(ErrorCode::TargetNotWritable, 0, "the file was replaced");
    }
    return PublishedName{.name = name == place.name() ? std::string{} : name};
}

} // namespace thru
