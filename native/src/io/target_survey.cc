#include <algorithm>
#include <filesystem>
#include <optional>

#include "io/conflict.h"
#include "io/file_system.h"
#include "io/journal_search.h"
#include "io/name_map.h"
#include "io/receive_options.h"

namespace thru {

namespace {

/// Asks in rising order.
class RisingLookup {
public:
    explicit RisingLookup(const IndexRanges &ranges) : next_(ranges.begin()), end_(ranges.end()) {}
    bool has(std::uint64_t index) {
        while (next_ != end_ && index >= next_->first && index - next_->first >= next_->count) {
            ++next_;
        }
        return next_ != end_ && index >= next_->first;
    }

private:
    IndexRanges::const_iterator next_;
    IndexRanges::const_iterator end_;
};

/// Folders below the target as they are now; none is made. The last one is kept, because entries
/// come folder by folder.
class ExistingFolders {
public:
    enum class State : std::uint8_t {
        Open,
        /// Will be made.
        Missing,
        /// Something else has its name, or it can't be gone into: nothing will be written there.
        Blocked,
    };

    explicit ExistingFolders(const fs::FileHandle &root) : root_(root) {}

    /// TargetGone.
    Result<State> go(std::string_view relative) {
        if (relative == relative_) {
            return state_;
        }
        const bool below = relative.size() > relative_.size() && relative.starts_with(relative_) &&
                           relative[relative_.size()] == '/';
        if (!below || state_ == State::Open || relative_.empty()) {
            if (auto opened = open(relative); !opened) {
                return std::unexpected(std::move(opened).error());
            }
        }
        relative_ = relative;
        return state_;
    }
    /// Of the folder that was gone to, which is open.
    const fs::FileHandle &handle() const { return relative_.empty() ? root_ : folder_; }

private:
    Result<> open(std::string_view relative) {
        if (relative.empty()) {
            state_ = State::Open;
            return {};
        }
        auto opened = fs::open_folder_beneath(root_, relative);
        if (opened) {
            folder_ = std::move(*opened);
            state_ = State::Open;
            return {};
        }
        if (opened.error().trouble == fs::Trouble::Gone) {
            return std::unexpected(fs::writing_error(opened.error(), "look into the folder"));
        }
        state_ = opened.error().trouble == fs::Trouble::NotFound ? State::Missing : State::Blocked;
        return {};
    }

    const fs::FileHandle &root_;
    std::string relative_;
    State state_ = State::Open;
    fs::FileHandle folder_;
};

class Surveyor {
public:
    Surveyor(const ManifestTable &manifest, const ReceiveOptions &options)
        : manifest_(manifest), options_(options), names_(options) {}

    /// What can be said without the entries.
    Result<> begin(const std::string &directory, std::size_t end);
    /// What becomes of each entry.
    Result<> look(std::size_t end, const IndexRanges &unwanted);
    TargetSurvey take() { return std::move(survey_); }

private:
    bool is_written(std::uint64_t index) const;
    Result<std::optional<fs::FileStatus>> standing(const fs::FileHandle &folder,
                                                   const std::string &name) const;
    Decision decision(std::uint64_t index, const fs::FileHandle &folder, const std::string &name,
                      const std::optional<fs::FileStatus> &there) const;
    void count(std::uint64_t index, Decision decision, const std::optional<fs::FileStatus> &there);

    const ManifestTable &manifest_;
    const ReceiveOptions &options_;
    NameMap names_;
    /// The target; while it doesn't exist, not open.
    fs::FileHandle root_;
    std::uint64_t max_file_bytes_ = 0;
    TargetSurvey survey_;
};

/// The folder, or the nearest one above it that exists.
struct Nearest {
    fs::FileHandle folder;
    bool is_it = false;
};

Result<Nearest> open_nearest(const std::string &directory) {
    std::filesystem::path path(std::u8string(directory.begin(), directory.end()));
    for (bool is_it = true;; is_it = false) {
        const std::u8string text = path.generic_u8string();
        auto folder = fs::open_folder(text.empty() ? "." : std::string(text.begin(), text.end()));
        if (folder) {
            return Nearest{.folder = std::move(*folder), .is_it = is_it};
        }
        const bool not_there = folder.error().trouble == fs::Trouble::NotFound;
        if (!not_there || text.empty() || path == path.parent_path()) {
            Error error = fs::writing_error(folder.error(), "open the folder");
            if (folder.error().trouble == fs::Trouble::NotFolder) {
                error = {ErrorCode::TargetNotWritable, folder.error().number, "not a folder"};
            }
            return std::unexpected(std::move(error));
        }
        path = path.parent_path();
    }
}

Result<> Surveyor::begin(const std::string &directory, std::size_t end) {
    if (auto mapped = names_.extend(manifest_, 0, end); !mapped) {
        return mapped;
    }
    auto nearest = open_nearest(directory);
    if (!nearest) {
        return std::unexpected(std::move(nearest).error());
    }
    const auto volume = fs::volume_facts(nearest->folder);
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "ask for free space"));
    }
    survey_.exists = nearest->is_it;
    survey_.free_bytes = volume->free_bytes;
    survey_.mapped_names = names_.mapped();
    survey_.listed_names = names_.listed();
    max_file_bytes_ = volume->max_file_bytes;
    if (nearest->is_it) {
        root_ = std::move(nearest->folder);
        if (options_.resume) {
            survey_.resumed_bytes = bytes_of_earlier_attempt(root_, manifest_, end);
        }
    }
    return {};
}

Result<> Surveyor::look(std::size_t end, const IndexRanges &unwanted) {
    RisingLookup left_out(unwanted);
    ExistingFolders folders(root_);
    for (std::size_t index = 0; index < end; ++index) {
        if (left_out.has(index)) {
            continue;
        }
        if (manifest_.kind(index) == EntryKind::File) {
            ++survey_.wanted_files;
            survey_.wanted_bytes += manifest_.file_size(index);
        }
        if (!is_written(index)) {
            continue;
        }
        if (!root_.is_open()) {
            count(index, Decision::Write, std::nullopt);
            continue;
        }
        const SafeRelPath place = names_.place(manifest_, index);
        const auto folder = folders.go(place.folder());
        if (!folder) {
            return std::unexpected(folder.error());
        }
        if (*folder == ExistingFolders::State::Blocked) {
            continue;
        }
        std::optional<fs::FileStatus> there;
        const std::string name(place.name());
        if (*folder == ExistingFolders::State::Open) {
            auto found = standing(folders.handle(), name);
            if (!found) {
                return std::unexpected(std::move(found).error());
            }
            there = *found;
        }
        count(index, decision(index, folders.handle(), name, there), there);
    }
    return {};
}

/// Folders are merged, and texts are only shown.
bool Surveyor::is_written(std::uint64_t index) const {
    switch (manifest_.kind(index)) {
    case EntryKind::File:
        return !manifest_.text(index);
    case EntryKind::Link:
        return options_.make_links;
    case EntryKind::Folder:
    case EntryKind::Gone:
        break;
    }
    return false;
}

/// What can't be looked at counts as nothing: writing will tell.
Result<std::optional<fs::FileStatus>> Surveyor::standing(const fs::FileHandle &folder,
                                                         const std::string &name) const {
    const auto status = fs::status_beneath(folder, name);
    if (status) {
        return *status;
    }
    if (status.error().trouble == fs::Trouble::Gone) {
        return std::unexpected(fs::writing_error(status.error(), "look at what is there"));
    }
    return std::nullopt;
}

Decision Surveyor::decision(std::uint64_t index, const fs::FileHandle &folder,
                            const std::string &name,
                            const std::optional<fs::FileStatus> &there) const {
    const Decision decided = decide(there, manifest_, index, options_);
    if (decided != Decision::CompareContent) {
        return decided;
    }
    // The sender's content is not known yet: the time has to do.
    const bool same =
        manifest_.kind(index) == EntryKind::Link
            ? fs::read_link(folder, name).value_or("") == names_.target(manifest_, index)
            : is_same_version(*there, manifest_.file_size(index), manifest_.mtime_ns(index));
    return same ? Decision::Present : decide_different(*there, manifest_, index, options_);
}

void Surveyor::count(std::uint64_t index, Decision decision,
                     const std::optional<fs::FileStatus> &there) {
    const std::uint64_t bytes = manifest_.file_size(index);
    count_decision(decision, bytes, survey_.conflicts);
    if (decision == Decision::Present) {
        return;
    }
    if (there && survey_.listed_conflicts.size() < kMostListed) {
        survey_.listed_conflicts.push_back(
            {.index = index,
             .there_bytes = there->size,
             .there_mtime_ns = there->mtime_ns,
             .offered_is_newer = is_newer(manifest_.mtime_ns(index), there->mtime_ns)});
    }
    if (decision == Decision::LeaveOut) {
        return;
    }
    if (bytes > max_file_bytes_) {
        if (survey_.too_large.size() < kMostListed) {
            survey_.too_large.push_back(index);
        }
    } else if (!manifest_.sparse(index)) {
        survey_.needed_bytes += bytes;
    }
}

} // namespace

Result<TargetSurvey> survey_target(const std::string &directory, const ManifestTable &manifest,
                                   std::size_t end, const ReceiveOptions &options,
                                   const IndexRanges &unwanted) {
    Surveyor surveyor(manifest, options);
    if (auto begun = surveyor.begin(directory, end); !begun) {
        return std::unexpected(std::move(begun).error());
    }
    if (auto looked = surveyor.look(end, unwanted); !looked) {
        return std::unexpected(std::move(looked).error());
    }
    TargetSurvey survey = surveyor.take();
    survey.needed_bytes -= std::min(survey.needed_bytes, survey.resumed_bytes);
    return survey;
}

} // namespace thru
