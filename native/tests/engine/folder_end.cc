#include "engine/folder_end.h"

#include <utility>

#include "fs/file_system.h"

namespace thru::test {

FolderEnd::FolderEnd(std::filesystem::path target, ReceiveOptions options)
    : FolderEnd(std::move(target), options, std::make_unique<HeldDisk>()) {}

FolderEnd::FolderEnd(std::filesystem::path target, ReceiveOptions options,
                     std::unique_ptr<HeldDisk> disk)
    : target_(std::move(target)), options_(options), disk_(std::move(disk)),
      context_{.loop = loop_,
               .disk = disk_->pool(),
               .events = events_,
               .buffers = BufferPool::create(),
               .upload = {},
               .suspending = {},
               .contacts = {}} {}

std::unique_ptr<FolderEnd> FolderEnd::with_lanes(const std::filesystem::path &target) {
    const auto status = fs::status_of(target.string());
    return std::unique_ptr<FolderEnd>(
        new FolderEnd(target, {}, std::make_unique<HeldDisk>(status->id.device)));
}

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
    finish_disk();
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
                accept_(*transfer_);
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

void FolderEnd::finish_disk() {
    disk_->finish([this] {
        if (turns_between_ && transfer_) {
            turn();
        }
    });
}

} // namespace thru::test
