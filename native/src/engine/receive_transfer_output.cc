// A ReceiveTransfer whose one file goes to a stream of this process.
#include "engine/receive_transfer.h"

namespace thru {

void ReceiveTransfer::accept_output(int descriptor, const Selection &selection) {
    const auto unwanted =
        merged(selection.unwanted(*manifest(), 0, offered_end_), target_.excluded());
    std::uint64_t files = 0;
    auto skipped = unwanted.begin();
    for (std::uint64_t index = 0; index < offered_end_; ++index) {
        while (skipped != unwanted.end() && skipped->first + skipped->count <= index) {
            ++skipped;
        }
        const bool wanted = skipped == unwanted.end() || index < skipped->first;
        if (wanted && manifest()->kind(index) == EntryKind::File) {
            ++files;
            output_index_ = index;
        }
    }
    if (files != 1) {
        fail_transfer({ErrorCode::BadArgument, static_cast<std::int64_t>(files),
                       "an output takes exactly one file"});
        return;
    }
    output_ = std::make_unique<ReceiveOutput>(
        context_, task_, descriptor,
        ReceiveOutput::Listener{.on_taken =
                                    [this](std::uint64_t bytes) {
                                        progressed_ = true;
                                        connection_.consume_connection(bytes);
                                        connection_.allow_stream();
                                    },
                                .on_given_up =
                                    [this](const Piece &piece) {
                                        receiver_.on_bytes_lost(piece.index, piece.offset,
                                                                piece.length);
                                    },
                                .on_failed = [this](const Error &error) { fail_transfer(error); }});
    accepted_ = true;
    events_.emplace_back(ReceiveAccepted{});
    request_output();
}

/// Asks for the one file; for nothing of what was added to the share since.
void ReceiveTransfer::request_output() {
    const auto begin = receiver_.accepted_end();
    if (begin == offered_end_) {
        return;
    }
    IndexRanges unwanted;
    if (output_index_ < begin) {
        unwanted.push_back({.first = begin, .count = offered_end_ - begin});
    } else {
        if (output_index_ > begin) {
            unwanted.push_back({.first = begin, .count = output_index_ - begin});
        }
        if (output_index_ + 1 < offered_end_) {
            unwanted.push_back(
                {.first = output_index_ + 1, .count = offered_end_ - output_index_ - 1});
        }
    }
    receiver_.accept(offered_end_, {.unwanted = std::move(unwanted)});
}

/// The file is published when all of it is written.
void ReceiveTransfer::service_output(Timestamp now) {
    output_->service(now);
    const auto size = manifest()->file_size(output_index_);
    if (receiver_.holds_complete(output_index_) && output_->written() == size) {
        receiver_.on_file_published(output_index_, false);
    }
    if (receiver_.complete()) {
        receiver_.on_all_durable();
    }
}

} // namespace thru
