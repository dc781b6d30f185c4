#include "engine/receive_target.h"

#include <algorithm>
#include <utility>

#include "transfer/index_chunks.h"

namespace thru {

namespace {

/// The most that a power loss costs is what came since the last round.
constexpr Timestamp kRoundInterval = 2 * kSecond;
constexpr std::uint64_t kRoundBytes = 64ULL << 20;
/// How often a full disk is looked at; twice as long each time that it seemed to have room and had
/// none, because what comes then is sent for nothing.
constexpr Timestamp kLookInterval = kSecond;
constexpr Timestamp kMostLookInterval = 64 * kSecond;
/// When files that could not be named are tried again. Virus scanners hold new files for moments,
/// large ones for minutes.
constexpr Timestamp kNamingInterval = kSecond / 4;
constexpr Timestamp kMostNamingInterval = 16 * kSecond;
constexpr Timestamp kNamingPatience = 180 * kSecond;
/// A folder grows by blocks when names come into it.
constexpr std::uint64_t kRoomForNames = 1ULL << 20;

} // namespace

/// A run of entries that is looked through.
struct ReceiveTarget::Run {
    std::size_t begin = 0;
    std::size_t end = 0;
    IndexRanges excluded;
    // Of the strand while a step is done.
    bool begun = false;
    bool underway = false;
    IndexRanges unwanted;
    std::vector<IndexRanges> first;
};

ReceiveTarget::ReceiveTarget(EngineContext &context, std::shared_ptr<const ManifestTable> manifest,
                             Listener listener)
    : context_(context), manifest_(std::move(manifest)), listener_(std::move(listener)),
      strand_(context.disk.make_strand()), opened_(std::make_shared<Opened>()),
      alive_(std::make_shared<bool>(true)) {}

ReceiveTarget::~ReceiveTarget() {
    const bool untouched = state_ == State::Unopened || state_ == State::Waiting;
    if (untouched || state_ == State::Finished) {
        return;
    }
    const auto suspending = context_.suspending.insert(directory_);
    context_.disk.post(strand_,
                       {.work =
                            [opened = std::move(opened_)] {
                                if (opened->folder) {
                                    opened->folder->suspend();
                                }
                            },
                        .completion = [&context = context_,
                                       suspending] { context.suspending.erase(suspending); }});
}

/// Runs `work` on the folder behind everything posted before, then `then` with what it returned.
template <class Work, class Then> void ReceiveTarget::post(Work work, Then then) {
    using Outcome = std::invoke_result_t<Work &, ReceiveFolder &>;
    auto outcome = std::make_shared<std::optional<Outcome>>();
    ++jobs_;
    context_.disk.post(
        strand_,
        {.work = [opened = opened_, outcome,
                  work = std::move(work)]() mutable { outcome->emplace(work(*opened->folder)); },
         .completion =
             [this, outcome, then = std::move(then), alive = std::weak_ptr(alive_)]() mutable {
                 if (!alive.expired()) {
                     --jobs_;
                     then(std::move(**outcome));
                 }
             }});
}

void ReceiveTarget::open(const std::string &directory, const ReceiveOptions &options,
                         const TransferIds &ids, Selection selection) {
    directory_ = directory;
    options_ = options;
    ids_ = ids;
    selection_ = std::make_shared<const Selection>(std::move(selection));
    state_ = State::Waiting;
    advance(false);
}

/// The one place where a state is left, but for the ends of what was posted.
void ReceiveTarget::advance(bool complete) {
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
        } else if (state_ == State::Ready && complete && can_settle() && whole_.empty()) {
            finish();
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
    auto error = std::make_shared<std::optional<Error>>();
    context_.disk.post(
        strand_, {.work =
                      [opened = opened_, error, directory = directory_, manifest = manifest_,
                       options = options_, ids = ids_] {
                          auto folder = ReceiveFolder::open(directory, manifest, options, ids);
                          if (folder) {
                              opened->folder = std::move(*folder);
                          } else {
                              *error = folder.error();
                          }
                      },
                  .completion =
                      [this, error, alive = std::weak_ptr(alive_)] {
                          if (alive.expired()) {
                              return;
                          }
                          if (*error) {
                              fail(**error);
                              return;
                          }
                          // An empty offer is looked through, too.
                          state_ = State::Preparing;
                          prepare_next(std::make_shared<Run>(
                              Run{.end = offered_end_, .excluded = excluded(0, offered_end_)}));
                      }});
}

/// One step at a time: what is posted meanwhile comes between.
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
            return prepared;
        },
        [this, run](Result<std::optional<Prepared>> step) {
            if (!step && step.error().code == ErrorCode::DiskFull && run->underway) {
                short_run_ = run;
                wait_for_room({.bytes = static_cast<std::uint64_t>(step.error().cause)});
            } else if (!step) {
                fail(step.error());
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
        post(
            [dropped = std::move(dropped)](ReceiveFolder &folder) {
                folder.drop(dropped);
                return true;
            },
            [](bool) {});
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
    post(
        [wanted = std::move(wanted)](ReceiveFolder &folder) {
            folder.want(wanted);
            return true;
        },
        [this](bool) { --fences_; });
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

void ReceiveTarget::on_hole(const Hole &hole) {
    post([hole](ReceiveFolder &folder) { return folder.on_hole(hole); },
         [this](const std::optional<WriteFailure> &failure) {
             if (failure) {
                 listener_.on_entry_failed(*failure);
             }
         });
}

void ReceiveTarget::on_validator(const Validator &validator) {
    post(
        [validator](ReceiveFolder &folder) {
            folder.on_validator(validator);
            return true;
        },
        [](bool) {});
}

void ReceiveTarget::add_whole(const std::vector<std::uint64_t> &indexes) {
    whole_.insert(whole_.end(), indexes.begin(), indexes.end());
}

/// Between two steps of a preparation, too: the files before it become durable.
bool ReceiveTarget::can_settle() const {
    const bool at_work = state_ == State::Preparing || state_ == State::Ready;
    return folder_ && at_work && round_ != Round::Running;
}

void ReceiveTarget::service(const Around &around, Timestamp now) {
    now_ = now;
    advance(around.complete);
    if (next_look_ <= now) {
        next_look_ = kNever;
        look_for_room();
    }
    if (!can_settle()) {
        return;
    }
    if (next_round_ == kNever) {
        next_round_ = now + kRoundInterval;
    }
    const bool quiet = !around.arriving && !whole_.empty();
    const bool has_room_again = round_ == Round::NoRoom && !shortage_;
    if (has_room_again || next_naming_ <= now) {
        settle();
    } else if (quiet || now >= next_round_ || folder_->unsettled_bytes() >= kRoundBytes) {
        next_round_ = now + kRoundInterval;
        if (!whole_.empty() || folder_->unsettled_bytes() > 0) {
            settle();
        }
    }
}

void ReceiveTarget::settle() {
    round_ = Round::Running;
    const bool last_try = unnamed_since_ != kNever && now_ >= unnamed_since_ + kNamingPatience;
    post(
        [whole = std::exchange(whole_, {}), last_try](ReceiveFolder &folder) mutable {
            folder.add_whole(std::move(whole));
            return folder.settle(last_try);
        },
        [this](Settled settled) { on_settled(std::move(settled)); });
}

/// Files that found no room for their names, or could not be named, stay whole in the folder.
void ReceiveTarget::on_settled(Settled settled) {
    round_ = Round::None;
    if (settled.fatal && settled.fatal->code == ErrorCode::DiskFull) {
        round_ = Round::NoRoom;
        settled.fatal.reset();
        wait_for_room({.of = settled.full, .bytes = kRoomForNames});
    }
    if (settled.unnamed == 0) {
        unnamed_since_ = next_naming_ = kNever;
    } else {
        const bool first = unnamed_since_ == kNever;
        unnamed_since_ = first ? now_ : unnamed_since_;
        naming_interval_ =
            first ? kNamingInterval : std::min(2 * naming_interval_, kMostNamingInterval);
        next_naming_ = now_ + naming_interval_;
    }
    listener_.on_settled(settled);
}

void ReceiveTarget::finish() {
    state_ = State::Finishing;
    wanted_since_ = false;
    post([](ReceiveFolder &folder) { return folder.finish(); },
         [this](Result<std::vector<WriteFailure>> failures) {
             if (!failures) {
                 fail(failures.error());
                 return;
             }
             const bool is_last = !wanted_since_ && offered_end_ == prepared_end_;
             state_ = is_last ? State::Finished : State::Ready;
             if (is_last) {
                 listener_.on_finished(*failures);
             }
         });
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
        look_interval_ = std::exchange(wrote_, false)
                             ? kLookInterval
                             : std::min(2 * look_interval_, kMostLookInterval);
    }
    next_look_ = std::min(next_look_, now_ + look_interval_);
}

void ReceiveTarget::look_for_room() {
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
                 next_look_ = std::min(next_look_, now_ + look_interval_);
             }
         });
}

Timestamp ReceiveTarget::deadline() const {
    if (!can_settle()) {
        return next_look_;
    }
    const bool rounds = !whole_.empty() || folder_->unsettled_bytes() > 0;
    return std::min({rounds ? next_round_ : kNever, next_naming_, next_look_});
}

} // namespace thru
