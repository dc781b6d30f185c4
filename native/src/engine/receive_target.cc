#include "engine/receive_target.h"

#include <algorithm>
#include <utility>

namespace thru {

namespace {

/// The most that a power loss costs is what came since the last round.
constexpr Timestamp kRoundInterval = 2 * kSecond;
constexpr std::uint64_t kRoundBytes = 64ULL << 20;
/// How often a full disk is looked at.
constexpr Timestamp kRoomInterval = kSecond;
/// A folder grows by blocks when names come into it.
constexpr std::uint64_t kRoomForNames = 1ULL << 20;

} // namespace

ReceiveTarget::ReceiveTarget(EngineContext &context, std::shared_ptr<const ManifestTable> manifest,
                             Listener listener)
    : context_(context), manifest_(std::move(manifest)), listener_(std::move(listener)),
      strand_(context.disk.make_strand()), settle_strand_(context.disk.make_strand()),
      alive_(std::make_shared<bool>(true)) {}

ReceiveTarget::~ReceiveTarget() {
    if (folder_ && !finished_) {
        const auto suspending = context_.suspending.insert(directory_);
        context_.disk.post(settle_strand_,
                           {.work = [folder = std::move(folder_)] { folder->suspend(); },
                            .completion = [&context = context_,
                                           suspending] { context.suspending.erase(suspending); }});
    }
}

void ReceiveTarget::open(const std::string &directory, const ReceiveOptions &options,
                         const TransferIds &ids, Selection selection, std::size_t end) {
    directory_ = directory;
    options_ = options;
    ids_ = ids;
    selection_ = std::make_shared<const Selection>(std::move(selection));
    opening_end_ = end;
    open_when_free();
}

/// Not while an attempt that is over still holds the folder's journal: this one goes on from it.
void ReceiveTarget::open_when_free() {
    if (opening_end_ && !context_.suspending.contains(directory_)) {
        prepare(*std::exchange(opening_end_, std::nullopt));
    }
}

void ReceiveTarget::extend(std::size_t end) {
    finished_ = false;
    prepare(end);
}

void ReceiveTarget::prepare(std::size_t end) {
    struct Preparing {
        std::shared_ptr<ReceiveFolder> folder;
        Prepared prepared;
        std::vector<IndexRanges> first;
        std::optional<Error> error;
    };
    auto result = std::make_shared<Preparing>();
    result->folder = folder_;
    const auto begin = std::exchange(prepared_end_, end);
    context_.disk.post(
        strand_,
        {.work =
             [result, begin, end, directory = directory_, manifest = manifest_, options = options_,
              ids = ids_, selection = selection_, excluded = part_of(excluded_, begin, end)] {
                 if (!result->folder) {
                     auto opened = ReceiveFolder::open(directory, manifest, options, ids);
                     if (!opened) {
                         result->error = opened.error();
                         return;
                     }
                     result->folder = std::move(*opened);
                 }
                 const auto unwanted = merged(selection->unwanted(*manifest, begin, end), excluded);
                 // Their paths may be offered again.
                 result->folder->drop(excluded);
                 auto prepared = result->folder->prepare(begin, end, unwanted);
                 if (!prepared) {
                     result->error = prepared.error();
                     return;
                 }
                 result->prepared = std::move(*prepared);
                 result->prepared.unwanted = merged(result->prepared.unwanted, unwanted);
                 result->first = selection->first(*manifest, begin, end);
             },
         .completion =
             [this, result, end, alive = std::weak_ptr(alive_)] {
                 if (alive.expired()) {
                     return;
                 }
                 folder_ = result->folder;
                 if (result->error) {
                     listener_.on_failed(*result->error);
                 } else {
                     listener_.on_prepared(end, std::move(result->prepared),
                                           std::move(result->first));
                 }
             }});
}

void ReceiveTarget::post(std::function<void(ReceiveFolder &)> job) {
    ++jobs_;
    context_.disk.post(strand_, {.work = [folder = folder_, job = std::move(job)] { job(*folder); },
                                 .completion =
                                     [this, alive = std::weak_ptr(alive_)] {
                                         if (!alive.expired()) {
                                             --jobs_;
                                         }
                                     }});
}

void ReceiveTarget::restart(std::uint64_t index) {
    ++jobs_;
    auto comes = std::make_shared<bool>(true);
    context_.disk.post(
        strand_, {.work = [folder = folder_, index, comes] { *comes = folder->restart(index); },
                  .completion =
                      [this, index, comes, alive = std::weak_ptr(alive_)] {
                          if (alive.expired()) {
                              return;
                          }
                          --jobs_;
                          if (!*comes) {
                              listener_.on_left_out(index);
                          }
                      }});
}

void ReceiveTarget::add_whole(const std::vector<std::uint64_t> &indexes) {
    whole_.insert(whole_.end(), indexes.begin(), indexes.end());
}

void ReceiveTarget::service(bool arriving, Timestamp now) {
    open_when_free();
    if (!folder_ || settling_ || finishing_) {
        return;
    }
    if (next_round_ == kNever) {
        next_round_ = now + kRoundInterval;
    }
    const bool quiet = !arriving && !whole_.empty();
    const bool has_room_again = settle_again_ && awaited_room_ == 0;
    if (has_room_again) {
        settle(now);
    } else if (quiet || now >= next_round_ || folder_->unsettled_bytes() >= kRoundBytes) {
        next_round_ = now + kRoundInterval;
        if (!whole_.empty() || folder_->unsettled_bytes() > 0) {
            settle(now);
        }
    }
    if (next_look_ <= now) {
        next_look_ = now + kRoomInterval;
        look_for_room();
    }
}

void ReceiveTarget::settle(Timestamp) {
    settling_ = true;
    auto settled = std::make_shared<Settled>();
    context_.disk.post(settle_strand_, {.work =
                                            [folder = folder_, settled,
                                             whole = std::exchange(whole_, {})]() mutable {
                                                folder->add_whole(std::move(whole));
                                                *settled = folder->settle();
                                            },
                                        .completion =
                                            [this, settled, alive = std::weak_ptr(alive_)] {
                                                if (alive.expired()) {
                                                    return;
                                                }
                                                settling_ = false;
                                                on_settled(*settled);
                                            }});
}

/// Files that found no room for their names stay whole in the folder until there is some.
void ReceiveTarget::on_settled(Settled settled) {
    settle_again_ = settled.fatal && settled.fatal->code == ErrorCode::DiskFull;
    if (settle_again_) {
        settled.fatal.reset();
        wait_for_room(kRoomForNames, monotonic_now());
    }
    listener_.on_settled(settled);
}

void ReceiveTarget::finish() {
    finishing_ = true;
    auto failures = std::make_shared<Result<std::vector<WriteFailure>>>();
    context_.disk.post(settle_strand_,
                       {.work = [folder = folder_, failures] { *failures = folder->finish(); },
                        .completion =
                            [this, failures, alive = std::weak_ptr(alive_)] {
                                if (alive.expired()) {
                                    return;
                                }
                                finishing_ = false;
                                finished_ = failures->has_value();
                                if (*failures) {
                                    listener_.on_finished(**failures);
                                } else {
                                    listener_.on_failed(failures->error());
                                }
                            }});
}

void ReceiveTarget::wait_for_room(std::uint64_t bytes, Timestamp now) {
    awaited_room_ = std::max(awaited_room_, bytes);
    next_look_ = std::min(next_look_, now + kRoomInterval);
}

void ReceiveTarget::look_for_room() {
    auto free = std::make_shared<std::optional<std::uint64_t>>();
    context_.disk.post(strand_, {.work = [folder = folder_, free] { *free = folder->free_bytes(); },
                                 .completion =
                                     [this, free, alive = std::weak_ptr(alive_)] {
                                         if (alive.expired() || awaited_room_ == 0) {
                                             return;
                                         }
                                         if (!*free) {
                                             listener_.on_failed(Error{ErrorCode::TargetGone, 0,
                                                                       "the folder is not there"});
                                         } else if (**free >= awaited_room_) {
                                             awaited_room_ = 0;
                                             next_look_ = kNever;
                                             listener_.on_room();
                                         }
                                     }});
}

Timestamp ReceiveTarget::deadline() const {
    const bool rounds =
        folder_ && !settling_ && !finishing_ && (!whole_.empty() || folder_->unsettled_bytes() > 0);
    return std::min(rounds ? next_round_ : kNever, next_look_);
}

} // namespace thru
