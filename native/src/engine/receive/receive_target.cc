#include "engine/receive/receive_target.h"

#include <algorithm>
#include <utility>

#include "transfer/index_chunks.h"

namespace thru {

namespace {

/// Power loss costs at most the data since the last commit.
constexpr Timestamp kCommitInterval = 2 * kSecond;
constexpr std::uint64_t kCommitBytes = 64ULL << 20;
/// Maximum data written during a commit: keeps slow disks busy, and bounds loss at power failure.
constexpr std::uint64_t kMaxDirtyBytes = 4 * kCommitBytes;
/// A file takes at least one block of 4 KiB. Between writing and publishing it also takes about 300
/// bytes of memory. Small files can be written faster than they are published: without a limit,
/// most of a million would wait at the end.
constexpr std::size_t kCommitFiles = kCommitBytes / 4096;
constexpr std::size_t kMaxUnpublished = 2 * kCommitFiles;
/// Interval of checks of a full disk. Doubles if room proved false: data sent meanwhile is wasted.
constexpr Timestamp kRoomCheckInterval = kSecond;
constexpr Timestamp kMaxRoomCheckInterval = 64 * kSecond;
/// Intervals of retrying a rename: virus scanners lock small new files briefly, large for minutes.
constexpr Timestamp kPublishInterval = kSecond / 4;
constexpr Timestamp kMaxPublishInterval = 16 * kSecond;
constexpr Timestamp kPublishPatience = 180 * kSecond;
/// A folder grows by blocks when names are added.
constexpr std::uint64_t kRoomForNames = 1ULL << 20;

} // namespace

/// A run of entries being prepared.
struct ReceiveTarget::Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    IndexRanges excluded;
    // Used by the strand during a step.
    bool begun = false;
    bool underway = false;
    IndexRanges unwanted;
    std::vector<IndexRanges> first;
    WantedChunks chunks_wanted;
    bool waits_for_chunks = false;
};

ReceiveTarget::ReceiveTarget(EngineContext &context, Scheduler::Task &task,
                             std::shared_ptr<const ManifestTable> manifest, Listener listener)
    : context_(context), manifest_(std::move(manifest)), listener_(std::move(listener)),
      strand_(context.disk.make_strand()), opened_(std::make_shared<Opened>()),
      lifetime_([&task] { task.wake(); }) {}

ReceiveTarget::~ReceiveTarget() {
    const bool untouched = state_ == State::Unopened || state_ == State::Waiting;
    if (untouched || state_ == State::Finished) {
        return;
    }
    const auto suspending = context_.suspending.insert(directory_);
    context_.disk.post(strand_, {.work =
                                     [opened = std::move(opened_)] {
                                         if (opened->folder) {
                                             opened->folder->suspend();
                                         }
                                     },
                                 .completion =
                                     [&context = context_, suspending] {
                                         context.suspending.erase(suspending);
                                         // Other receives may wait for the folder.
                                         context.scheduler.wake_all();
                                     },
                                 .use = {.lane = DiskLane::Commit, .disk = disk_}});
}

/// Runs `work` on the folder after all earlier messages, then `then` with its result.
template <class Work, class Then> void ReceiveTarget::post(Work work, Then then, DiskLane lane) {
    ++jobs_;
    context_.disk.run(
        strand_, lifetime_, {.lane = lane, .disk = disk_},
        [opened = opened_, work = std::move(work)]() mutable { return work(*opened->folder); },
        [this, then = std::move(then)](auto... outcome) mutable {
            --jobs_;
            then(std::move(outcome)...);
        });
}

void ReceiveTarget::open(const std::string &directory, const ReceiveOptions &options,
                         const TransferIds &ids, Selection selection) {
    directory_ = directory;
    options_ = options;
    ids_ = ids;
    selection_ = std::make_shared<const Selection>(std::move(selection));
    state_ = State::Waiting;
    advance({});
}

/// The only place where the state changes, except in completions.
void ReceiveTarget::advance(const Around &around) {
    switch (state_) {
    case State::Waiting:
        if (!context_.suspending.contains(directory_)) {
            open_folder();
        }
        return;
    case State::Ready:
    case State::Finished:
        if (offered_end_ > prepared_end_) {
            state_ = State::Preparing;
            prepare_next(
                std::make_shared<Run>(Run{.begin = prepared_end_,
                                          .end = offered_end_,
                                          .excluded = excluded(prepared_end_, offered_end_)}));
        } else if (state_ == State::Ready && around.complete && can_commit() &&
                   complete_files_.empty()) {
            finish(around.whole);
        }
        return;
    case State::Unopened:
    case State::Opening:
    case State::Preparing:
    case State::Finishing:
    case State::Failed:
        return;
    }
}

void ReceiveTarget::open_folder() {
    state_ = State::Opening;
    context_.disk.fetch(
        strand_, lifetime_, {},
        [opened = opened_, directory = directory_, manifest = manifest_, options = options_,
         ids = ids_]() -> Result<> {
            auto folder = ReceiveFolder::open(directory, manifest, options, ids);
            if (!folder) {
                return std::unexpected(folder.error());
            }
            opened->folder = std::move(*folder);
            return {};
        },
        [this](const Result<> &done) {
            if (!done) {
                fail(done.error());
                return;
            }
            disk_ = opened_->folder->disk();
            // An empty offer is prepared, too.
            state_ = State::Preparing;
            prepare_next(std::make_shared<Run>(
                Run{.end = offered_end_, .excluded = excluded(0, offered_end_)}));
        });
}

/// One step at a time: messages posted meanwhile run in between.
void ReceiveTarget::prepare_next(const std::shared_ptr<Run> &run) {
    post(
        [run, manifest = manifest_, selection = selection_](ReceiveFolder &folder) {
            if (!std::exchange(run->begun, true)) {
                run->unwanted =
                    merged(selection->unwanted(*manifest, run->begin, run->end), run->excluded);
                run->first = selection->first(*manifest, run->begin, run->end);
                // Their paths may be offered again.
                folder.drop(run->excluded);
                folder.begin_preparation(run->begin, run->end, run->unwanted);
            }
            auto prepared = folder.prepare_some();
            run->underway = folder.underway();
            run->chunks_wanted = folder.take_wanted_chunks();
            run->waits_for_chunks = folder.waits_for_chunks();
            return prepared;
        },
        [this, run](Result<std::optional<Prepared>> step) {
            listener_.on_chunks_wanted(run->chunks_wanted);
            if (!step && step.error().code == ErrorCode::DiskFull && run->underway) {
                short_run_ = run;
                wait_for_room({.bytes = static_cast<std::uint64_t>(step.error().cause)});
            } else if (!step) {
                fail(step.error());
            } else if (!*step && run->waits_for_chunks) {
                listing_run_ = run;
            } else if (!*step) {
                prepare_next(run);
            } else {
                on_prepared(*run, std::move(**step));
            }
        });
}

void ReceiveTarget::on_prepared(const Run &run, Prepared prepared) {
    state_ = State::Ready;
    prepared_end_ = run.end;
    folder_ = opened_->folder;
    if (const auto now_excluded = excluded(run.begin, run.end); now_excluded != run.excluded) {
        drop(now_excluded);
    }
    prepared.unwanted = merged(prepared.unwanted, run.unwanted);
    listener_.on_prepared(run.end, std::move(prepared), run.first);
}

void ReceiveTarget::exclude(const IndexRanges &ranges) {
    for_each_index(ranges, [this](std::uint64_t index) { excluded_.set(index, true); });
    drop(ranges);
}

IndexRanges ReceiveTarget::excluded(std::size_t begin, std::size_t end) const {
    IndexRanges found;
    for (auto index = begin; index < std::min(end, excluded_.end()); ++index) {
        if (excluded_.get(index)) {
            append_index(found, index);
        }
    }
    return found;
}

void ReceiveTarget::drop(const IndexRanges &ranges) {
    if (auto dropped = part_of(ranges, 0, prepared_end_); !dropped.empty()) {
        post([dropped = std::move(dropped)](ReceiveFolder &folder) { return folder.drop(dropped); },
             [this](std::vector<std::uint64_t> unlinked) {
                 listener_.on_unlinked(std::move(unlinked));
             });
    }
}

void ReceiveTarget::want(const IndexRanges &ranges) {
    auto wanted = part_of(ranges, 0, prepared_end_);
    if (wanted.empty()) {
        return;
    }
    state_ = state_ == State::Finished ? State::Ready : state_;
    wanted_since_ = true;
    ++fences_;
    post([wanted = std::move(wanted)](ReceiveFolder &folder) { folder.want(wanted); },
         [this] { --fences_; });
}

void ReceiveTarget::restart(std::uint64_t index) {
    ++fences_;
    post([index](ReceiveFolder &folder) { return folder.restart(index); },
         [this, index](bool comes) {
             --fences_;
             if (!comes) {
                 listener_.on_left_out(index);
             }
         });
}

void ReceiveTarget::invalidate(std::uint64_t index, std::vector<ByteRange> ranges) {
    ++fences_;
    post([index,
          ranges = std::move(ranges)](ReceiveFolder &folder) { folder.invalidate(index, ranges); },
         [this] { --fences_; });
}

void ReceiveTarget::on_hole(const Hole &hole) {
    post([hole](ReceiveFolder &folder) { return folder.on_hole(hole); },
         [this](const std::optional<WriteFailure> &failure) {
             if (failure) {
                 listener_.on_entry_failed(*failure);
             }
         });
}

void ReceiveTarget::on_validator(const Validator &validator) {
    post([validator](ReceiveFolder &folder) { folder.on_validator(validator); }, [] {});
}

void ReceiveTarget::give_chunks(const Chunks &chunks, bool last) {
    post([chunks, last](ReceiveFolder &folder) { folder.give_chunks(chunks, last); },
         [this] { end_listing_wait(); });
}

void ReceiveTarget::give_answer(const RangeAnswer &answer) {
    post([answer](ReceiveFolder &folder) { folder.give_answer(answer); },
         [this] { end_listing_wait(); });
}

void ReceiveTarget::end_listing_wait() {
    if (const auto run = std::exchange(listing_run_, nullptr)) {
        prepare_next(run);
    }
}

bool ReceiveTarget::may_write(std::size_t files) const {
    const bool lags =
        commit_state_ == CommitState::Running && folder_->dirty_bytes() >= kMaxDirtyBytes;
    return !lags && complete_files_.size() + handed_over_ + files <= kMaxUnpublished;
}

void ReceiveTarget::add_complete(const std::vector<std::uint64_t> &indexes) {
    complete_files_.insert(complete_files_.end(), indexes.begin(), indexes.end());
}

/// Allowed between two preparation steps, too: makes earlier files durable.
bool ReceiveTarget::can_commit() const {
    const bool at_work = state_ == State::Preparing || state_ == State::Ready;
    return folder_ && at_work && commit_state_ != CommitState::Running;
}

void ReceiveTarget::service(const Around &around, Timestamp now) {
    now_ = now;
    advance(around);
    if (next_room_check_ <= now) {
        next_room_check_ = kNever;
        check_room();
    }
    if (!can_commit()) {
        return;
    }
    if (next_commit_ == kNever) {
        next_commit_ = now + kCommitInterval;
    }
    const bool quiet = !around.arriving && !complete_files_.empty();
    const bool has_room_again = commit_state_ == CommitState::NoRoom && !shortage_;
    if (has_room_again || next_publish_ <= now) {
        commit();
    } else if (quiet || now >= next_commit_ || folder_->dirty_bytes() >= kCommitBytes ||
               complete_files_.size() >= kCommitFiles) {
        next_commit_ = now + kCommitInterval;
        if (!complete_files_.empty() || folder_->dirty_bytes() > 0) {
            commit();
        }
    }
}

void ReceiveTarget::commit() {
    commit_state_ = CommitState::Running;
    // The previous commit may have found damage in a file that was complete again by then, and the
    // user may have deselected it. It would be published with the wrong bytes. A file that became
    // complete twice is listed twice.
    std::erase_if(complete_files_,
                  [this](std::uint64_t index) { return !listener_.is_complete(index); });
    std::ranges::sort(complete_files_);
    complete_files_.erase(std::ranges::unique(complete_files_).begin(), complete_files_.end());
    handed_over_ += complete_files_.size();
    const bool last_try =
        unpublished_since_ != kNever && now_ >= unpublished_since_ + kPublishPatience;
    post(
        [complete = std::exchange(complete_files_, {}), last_try](ReceiveFolder &folder) mutable {
            folder.add_complete(std::move(complete));
            return folder.commit(last_try);
        },
        [this](CommitResult result) { on_committed(std::move(result)); }, DiskLane::Commit);
}

/// Files without room for their names, or whose rename failed, stay complete in their part files.
void ReceiveTarget::on_committed(CommitResult result) {
    commit_state_ = CommitState::None;
    handed_over_ = result.waiting;
    failed_syncs_ = result.failed_syncs;
    if (result.fatal && result.fatal->code == ErrorCode::DiskFull) {
        commit_state_ = CommitState::NoRoom;
        result.fatal.reset();
        std::uint64_t lost = 0;
        for (const auto &bytes : result.unsynced) {
            lost += bytes.length;
        }
        // Writing succeeded but syncing failed: there was no real room.
        wrote_ = wrote_ && lost == 0;
        wait_for_room({.kind = result.full, .bytes = kRoomForNames + lost});
    }
    if (result.unpublished == 0) {
        unpublished_since_ = next_publish_ = kNever;
    } else {
        const bool first = unpublished_since_ == kNever;
        unpublished_since_ = first ? now_ : unpublished_since_;
        publish_interval_ =
            first ? kPublishInterval : std::min(2 * publish_interval_, kMaxPublishInterval);
        next_publish_ = now_ + publish_interval_;
    }
    listener_.on_committed(result);
}

void ReceiveTarget::end_following() {
    if (state_ == State::Finished) {
        context_.disk.post(strand_,
                           {.work = [opened = opened_] { opened->folder->end_following(); },
                            .completion = [] {},
                            .use = {.lane = DiskLane::Commit, .disk = disk_}});
    }
}

void ReceiveTarget::finish(bool whole) {
    state_ = State::Finishing;
    wanted_since_ = false;
    post([whole](ReceiveFolder &folder) { return folder.finish(whole); },
         [this](const Result<Finished> &finished) {
             if (!finished) {
                 fail(finished.error());
                 return;
             }
             const bool is_last = !wanted_since_ && offered_end_ == prepared_end_;
             state_ = is_last ? State::Finished : State::Ready;
             if (is_last) {
                 listener_.on_finished(*finished);
             }
         },
         DiskLane::Commit);
}

void ReceiveTarget::fail(const Error &error) {
    state_ = State::Failed;
    listener_.on_failed(error);
}

void ReceiveTarget::wait_for_room(const Shortage &shortage) {
    if (shortage_) {
        shortage_->bytes = std::max(shortage_->bytes, shortage.bytes);
    } else {
        shortage_ = shortage;
        room_check_interval_ =
            std::exchange(wrote_, false)
                ? kRoomCheckInterval
                : std::clamp(2 * room_check_interval_, kRoomCheckInterval, kMaxRoomCheckInterval);
    }
    next_room_check_ = std::min(next_room_check_, now_ + room_check_interval_);
}

void ReceiveTarget::check_room() {
    if (!shortage_) {
        return;
    }
    post([bytes = shortage_->bytes](ReceiveFolder &folder) { return folder.has_room(bytes); },
         [this](const Result<bool> &has_room) {
             if (!has_room) {
                 fail(has_room.error());
             } else if (*has_room) {
                 shortage_.reset();
                 if (const auto run = std::exchange(short_run_, nullptr)) {
                     prepare_next(run);
                 }
             } else {
                 next_room_check_ = std::min(next_room_check_, now_ + room_check_interval_);
             }
         });
}

Timestamp ReceiveTarget::deadline() const {
    if (!can_commit()) {
        return next_room_check_;
    }
    const bool rounds = !complete_files_.empty() || folder_->dirty_bytes() > 0;
    return std::min({rounds ? next_commit_ : kNever, next_publish_, next_room_check_});
}

} // namespace thru
