#include "engine/folder_end.h"

#include <utility>

namespace thru::test {

FolderEnd::FolderEnd(std::filesystem::path target, ReceiveOptions options)
    : target_(std::move(target)), options_(options), disk_(DiskPool::kInOrder,
                                                           [this] {
                                                               const std::lock_guard lock(mutex_);
                                                               completed_ = true;
                                                               changed_.notify_all();
                                                           }),
      context_{.loop = loop_,
               .disk = disk_,
               .events = events_,
               .buffers = BufferPool::create(),
               .upload = {},
               .sending = 0,
               .suspending = {},
               .contacts = {}} {}

FolderEnd::~FolderEnd() {
    release_disk();
    drop_transfer();
    finish_disk();
}

void FolderEnd::attach(Connection &connection) {
    connection_ = &connection;
    accepting_ = false;
    transfer_ =
        std::make_unique<ReceiveTransfer>(context_, task_, connection, "receiver", WireId{2});
}

void FolderEnd::on_stream_data(StreamId stream, ByteView bytes, bool fin) {
    if (!transfer_ || failure_) {
        return;
    }
    if (auto taken = transfer_->on_stream_data(stream, bytes, fin); !taken) {
        failure_ = taken.error();
    }
}

void FolderEnd::pump(Timestamp now) {
    if (!transfer_ || failure_) {
        return;
    }
    now_ = now;
    if (!held_) {
        finish_disk();
    }
    turn();
}

void FolderEnd::turn() {
    if (auto pumped = transfer_->pump(now_); !pumped) {
        failure_ = pumped.error();
    }
    for (auto &event : transfer_->take_events()) {
        if (std::holds_alternative<ReceiverOffered>(event)) {
            ++offers_;
            if (!std::exchange(accepting_, true)) {
                transfer_->accept(target_.string(), options_, {}, std::nullopt);
            }
        } else if (auto *accepted = std::get_if<ReceiveAccepted>(&event)) {
            accepted_ = std::move(*accepted);
        } else if (auto *problem = std::get_if<EntryProblem>(&event)) {
            problems_.push_back(std::move(*problem));
        } else if (const auto *finished = std::get_if<ReceiverFinished>(&event)) {
            finished_ = finished->totals;
        }
    }
}

/// The pool does one job at a time, and one of its own keeps it busy.
void FolderEnd::hold_disk() {
    {
        const std::lock_guard lock(mutex_);
        held_ = true;
    }
    disk_.post(disk_.make_strand(), {.work =
                                         [this] {
                                             std::unique_lock lock(mutex_);
                                             changed_.wait(lock, [this] { return !held_; });
                                         },
                                     .completion = {}});
}

void FolderEnd::release_disk() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
}

/// A job that ran before the marker may have let the next one of its strand in behind it.
void FolderEnd::finish_disk() {
    for (bool idle = false; !idle;) {
        bool reached = false;
        std::size_t others = 0;
        disk_.post(disk_.make_strand(), {.work = [] {}, .completion = [&] { reached = true; }});
        while (!reached) {
            {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return completed_; });
                completed_ = false;
            }
            while (disk_.run_completions(0)) {
                const bool before = reached;
                disk_.run_completions(1);
                if (turns_between_ && transfer_) {
                    turn();
                }
                others += reached == before ? 1 : 0;
            }
        }
        idle = others == 0;
    }
}

} // namespace thru::test
