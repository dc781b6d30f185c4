#include "target/metadata.h"

#include <optional>
#include <utility>

#include "names/attribute_name.h"
#include "target/existing/conflict.h"

namespace thru {

namespace {

/// Writes the attributes that the receiver wants and may have.
void write_attributes(const WriterAccess &access, const fs::FileHandle &file, std::uint64_t index,
                      bool is_new) {
    const auto *attributes =
        access.options.keep_attributes ? access.manifest.attributes(index) : nullptr;
    if (attributes == nullptr) {
        return;
    }
    std::optional<Error> lost;
    for (const ExtendedAttribute &attribute : *attributes) {
        if (!is_new && is_of_finder(attribute.name)) {
            continue;
        }
        // A sender may send any names.
        if (!is_kept_attribute(attribute.name) || is_alias_or_bundle(attribute)) {
            lost = Error{ErrorCode::AttributesLeftOut, 0, "not received from anyone"};
            continue;
        }
        const auto written = fs::write_extended_attribute(file, attribute.name, attribute.value);
        if (!written) {
            lost = Error{ErrorCode::AttributesLeftOut, written.error().number, "write"};
        }
    }
    if (lost) {
        access.lost_attributes.add(index, *std::move(lost));
    }
}

/// True if the receiver's user wants an existing file or folder to become like the sender's.
bool is_adapted(const ManifestTable &manifest, std::uint64_t index, const ReceiveOptions &options) {
    const ConflictPolicy policy = policy_for(manifest, index, options);
    return options.follow || policy == ConflictPolicy::Replace || policy == ConflictPolicy::Update;
}

void set_creation_time(const WriterAccess &access, const fs::FileHandle &file,
                       std::uint64_t index) {
    const auto created =
        access.options.keep_attributes ? access.manifest.creation_ns(index) : std::nullopt;
    if (created && access.options.keep_times) {
        fs::set_creation_time(file, *created);
    }
}

} // namespace

void apply_metadata(const WriterAccess &access, const fs::FileHandle &file, std::uint64_t index) {
    // A file has little room for attributes: the sender's must not crowd out the mark.
    access.target.mark(file, access.options);
    write_attributes(access, file, index, true);
    access.target.apply_status(file, access.manifest, index, access.options,
                               access.existing.replaced_mode(index));
    set_creation_time(access, file, index);
}

void adopt_metadata(const ReceiveFolder::State &state, FolderCursor &cursor, std::uint64_t index,
                    const std::string &name, std::uint32_t mode) {
    const bool executable = state.manifest->executable(index);
    const bool sets_mode = fs::is_executable(mode) != executable && state.options.keep_executable &&
                           state.target.may_be_executable();
    const bool has_attributes =
        state.options.keep_attributes && state.manifest->attributes(index) != nullptr;
    if (!sets_mode && !has_attributes) {
        return;
    }
    if (!is_adapted(*state.manifest, index, state.options)) {
        return;
    }
    const SafeRelPath place = state.names.place(*state.manifest, index);
    const auto folder = cursor.go(place.folder());
    const auto file =
        folder ? fs::open_for_writing(**folder, name.empty() ? std::string(place.name()) : name)
               : std::unexpected(folder.error());
    const auto status = file ? fs::status_of(*file) : std::unexpected(file.error());
    if (!status) {
        if (has_attributes) {
            state.writer_access.lost_attributes.add(
                index, {ErrorCode::AttributesLeftOut, status.error().number, "open"});
        }
        return;
    }
    // Its other names may be outside of the folder.
    if (status->links <= 1) {
        write_attributes(state.writer_access, *file, index, false);
    }
    if (sets_mode) {
        fs::set_attributes(*file, status->mtime_ns, fs::with_execution(status->mode, executable));
    }
}

void apply_folder_metadata(const WriterAccess &access, const fs::FileHandle &folder,
                           std::uint64_t index, bool is_new) {
    const bool has_attributes = access.manifest.attributes(index) != nullptr;
    const bool has_any = has_attributes || (is_new && access.manifest.creation_ns(index));
    if (!access.options.keep_attributes || !has_any ||
        (!is_new && !is_adapted(access.manifest, index, access.options))) {
        return;
    }
    const auto writable = fs::open_folder_attributes(folder);
    if (!writable && has_attributes) {
        access.lost_attributes.add(index,
                                   {ErrorCode::AttributesLeftOut, writable.error().number, "open"});
    }
    if (writable) {
        write_attributes(access, *writable, index, is_new);
    }
    if (writable && is_new) {
        set_creation_time(access, *writable, index);
    }
}

} // namespace thru
