#include "target/receive_folder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "names/part_name.h"
#include "names/safe_rel_path.h"
#include "target/commit.h"
#include "target/existing/conflict.h"
#include "target/finish.h"
#include "target/preparation.h"
#include "target/receive_state.h"

namespace thru {

namespace {

template <class Do> void each_index(const IndexRanges &ranges, std::size_t end, Do act) {
    for (const IndexRange &range : ranges) {
        const std::uint64_t last = std::min<std::uint64_t>(range.first + range.count, end);
        for (std::uint64_t index = range.first; index < last; ++index) {
            act(index);
        }
    }
}

/// Creates and partly writes a file of `bytes`: quotas and reserves show only then.
bool can_write(const fs::FileHandle &folder, const std::string &name, std::uint64_t bytes) {
    constexpr std::uint64_t kMaxReserved = 64ULL << 20;
    const Bytes block(4096);
    const auto probe = fs::create_file(folder, name, fs::kPrivateMode);
    if (!probe) {
        return false;
    }
    const bool written = fs::reserve(*probe, 0, std::min(bytes, kMaxReserved)) &&
                         fs::write_at(*probe, 0, block) && fs::sync_data(*probe);
    static_cast<void>(fs::remove_file(folder, name));
    return written;
}

ReceiveOptions effective(ReceiveOptions options) {
    options.resume = options.resume || options.deletions;
    options.keep_times = options.keep_times || options.deletions;
    return options;
}

/// Overwrites data in a range of a sparse file with zeros.
fs::SystemResult<> clear(const fs::FileHandle &file, std::uint64_t offset, std::uint64_t end) {
    const Bytes hole(1 << 20);
    while (offset < end) {
        const auto data = fs::next_data(file, offset);
        if (!data) {
            return std::unexpected(data.error());
        }
        const std::uint64_t begin = std::max(data->begin, offset);
        const std::uint64_t stop = std::min(data->end, end);
        if (data->begin == data->end || begin >= stop) {
            return {};
        }
        const std::uint64_t length = std::min<std::uint64_t>(stop - begin, hole.size());
        if (auto written =
                fs::write_at(file, begin, ByteView(hole).first(static_cast<std::size_t>(length)));
            !written) {
            return written;
        }
        offset = begin + length;
    }
    return {};
}

TransferIds journal_ids(TransferIds ids, const Renames *renames) {
    ids.origin = renamed_origin(ids.origin, renames);
    return ids;
}

} // namespace

ReceiveFolder::State::State(Target opened, std::shared_ptr<const ManifestTable> of,
                            const ReceiveOptions &chosen, const TransferIds &transfer)
    : target(std::move(opened)), manifest(std::move(of)), options(effective(chosen)),
      ids(journal_ids(transfer, options.renames.get())), names(options), records(ids.record_key) {}

Decision ReceiveFolder::State::decide_different(std::uint64_t index,
                                                const fs::FileStatus &file) const {
    const Decision decision = thru::decide_different(file, *manifest, index, options);
    if (!depends_on_record(*manifest, index, options, decision)) {
        return decision;
    }
    const SafeRelPath place = names.place(*manifest, index);
    FolderCursor cursor(target);
    const auto folder = cursor.go(place.folder());
    const bool covered =
        folder && records.cover(**folder, std::string(place.name()), file, manifest->path(index));
    return covered ? Decision::WriteOver : decision;
}

void ReceiveFolder::State::allow_replacing(std::uint64_t index, const fs::FileStatus &file) {
    const ConflictPolicy policy = policy_for(*manifest, index, options);
    existing.allow_replacing(index, file, policy == ConflictPolicy::UpdateUnchanged);
}

ReceiveFolder::ReceiveFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReceiveFolder::~ReceiveFolder() = default;

Result<std::shared_ptr<ReceiveFolder>>
ReceiveFolder::open(const std::string &directory, std::shared_ptr<const ManifestTable> manifest,
                    const ReceiveOptions &options, const TransferIds &ids) {
    if (auto checked = NameMap::check(options); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    auto target = Target::open(directory);
    if (!target) {
        return std::unexpected(std::move(target).error());
    }
    target->set_sender(ids.sender);
    return std::shared_ptr<ReceiveFolder>(new ReceiveFolder(
        std::make_unique<State>(std::move(*target), std::move(manifest), options, ids)));
}

void ReceiveFolder::begin_preparation(std::size_t first, std::size_t end,
                                      const IndexRanges &unwanted) {
    preparation_ = std::make_unique<Preparation>(*state_, first, end, unwanted);
}

Result<std::optional<Prepared>> ReceiveFolder::prepare_some() {
    auto prepared = preparation_->step();
    if (prepared && *prepared) {
        preparation_.reset();
    }
    return prepared;
}

WantedChunks ReceiveFolder::take_wanted_chunks() { return state_->chunks.take_wanted(); }

bool ReceiveFolder::waits_for_chunks() const { return state_->chunks.waits(); }

void ReceiveFolder::give_chunks(const Chunks &chunks, bool last) {
    state_->chunks.give(chunks, last);
}

void ReceiveFolder::give_answer(const RangeAnswer &answer) { state_->chunks.give(answer); }

bool ReceiveFolder::underway() const { return state_->underway(); }

void ReceiveFolder::on_validator(const Validator &validator) {
    const auto slot = validator.index < state_->entries.size()
                          ? state_->entries.slot(validator.index)
                          : std::nullopt;
    if (slot && state_->journal) {
        state_->journal->append(ValidatorRecord{.slot = *slot, .validator = validator.validator});
    }
}

std::optional<WriteFailure> ReceiveFolder::on_hole(const Hole &hole) {
    const auto part = state_->writes.large(hole.index);
    if (!part || !*part) {
        return std::nullopt;
    }
    const auto file = state_->writes.open(**part);
    // Dropped meanwhile, or no room to create the file: nothing to clear.
    if (!file &&
        (file.error().code == ErrorCode::Stopped || file.error().code == ErrorCode::DiskFull)) {
        return std::nullopt;
    }
    const auto cleared = file ? clear((*file)->file(), hole.offset, hole.offset + hole.length)
                              : fs::SystemResult<>{};
    if (file && cleared) {
        state_->parts.add_hole(*part, hole.offset, hole.length);
        return std::nullopt;
    }
    // Immediately: the file could otherwise become complete and be published.
    state_->parts.drop(hole.index);
    return WriteFailure{.index = hole.index,
                        .error = file ? fs::writing_error(cleared.error(), "clear a hole")
                                      : file.error()};
}

std::vector<std::uint64_t> ReceiveFolder::drop(const IndexRanges &ranges) {
    each_index(ranges, state_->entries.size(), [this](std::uint64_t index) {
        state_->parts.drop(index);
        static_cast<void>(state_->links.take(index));
    });
    state_->queue.remove(ranges);
    state_->names.forget(*state_->manifest, ranges);
    std::vector<std::uint64_t> unlinked;
    each_index(ranges, state_->entries.size(), [&](std::uint64_t index) {
        std::ranges::move(state_->links.take_names_of(index), std::back_inserter(unlinked));
    });
    return unlinked;
}

void ReceiveFolder::want(const IndexRanges &ranges) {
    each_index(ranges, state_->entries.size(), [this](std::uint64_t index) {
        if (!state_->names.has(index)) {
            return;
        }
        state_->entries.set_dropped(index, false);
        const bool file =
            state_->manifest->kind(index) == EntryKind::File && !state_->manifest->text(index);
        if (file && state_->journal && !state_->entries.slot(index)) {
            state_->entries.set_slot(index, state_->journal.add(index));
        }
    });
    state_->writes.flush_journal();
}

bool ReceiveFolder::restart(std::uint64_t index) {
    state_->parts.restart(index);
    const auto compared = state_->existing.take_compared(index);
    if (!compared) {
        return true;
    }
    const Decision decision = state_->decide_different(index, *compared);
    if (decision == Decision::WriteOver) {
        state_->allow_replacing(index, *compared);
    }
    return decision != Decision::LeaveOut;
}

void ReceiveFolder::invalidate(std::uint64_t index, const std::vector<ByteRange> &ranges) {
    for (const ByteRange &range : ranges) {
        state_->parts.void_range(index, range);
    }
}

void ReceiveFolder::add_complete(const std::vector<std::uint64_t> &indexes) {
    std::ranges::for_each(indexes, [this](std::uint64_t index) { state_->queue.add(index); });
}

CommitResult ReceiveFolder::commit(bool last_try) { return thru::commit(*state_, last_try); }

std::uint64_t ReceiveFolder::disk() const { return state_->target.device(); }

std::uint64_t ReceiveFolder::dirty_bytes() const { return state_->writes.dirty_bytes(); }

const WriterAccess &ReceiveFolder::writer_access() const { return state_->writer_access; }

Result<Finished> ReceiveFolder::finish(bool whole) { return thru::finish(*state_, whole); }

void ReceiveFolder::end_following() {
    if (state_->journal) {
        static_cast<void>(state_->journal.end());
    }
}

void ReceiveFolder::suspend() {
    preparation_.reset();
    // A stream can't be resumed: deletes its part file.
    if (const auto stream = state_->manifest->stream();
        stream && *stream < state_->entries.size()) {
        state_->parts.drop(*stream);
    }
    state_->parts.close();
    if (!state_->options.resume) {
        state_->parts.remove_rest();
        return;
    }
    static_cast<void>(thru::commit(*state_, true));
    if (!state_->journal) {
        return;
    }
    const bool nothing = !state_->journal.is_kept() && state_->journal.previous() == nullptr &&
                         !state_->journal->has_records() && !state_->entries.retains();
    if (nothing) {
        static_cast<void>(state_->journal.end());
    } else {
        state_->journal.close();
    }
}

Result<bool> ReceiveFolder::has_room(std::uint64_t bytes) {
    const auto facts = fs::volume_facts(state_->target.root());
    if (!facts) {
        return fail(ErrorCode::TargetGone, facts.error().number, "the folder is missing");
    }
    return facts->free_bytes >= bytes && facts->free_files > 0 &&
           can_write(state_->target.root(), probe_name(), bytes);
}

} // namespace thru
