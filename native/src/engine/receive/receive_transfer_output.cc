// A ReceiveTransfer whose one file goes to a stream of this process.
#include "engine/receive/receive_transfer.h"

namespace thru {

/// The disk pool looks for the file: there may be a million files, and a thousand patterns.
void ReceiveTransfer::accept_output(int descriptor, Selection selection) {
    context_.disk.fetch(
        choice_strand_, lifetime_, {},
        [manifest = manifest(), end = offered_end_, selection = std::move(selection),
         removed = target_.excluded()] {
            return output_files(*manifest, end,
                                merged(selection.unwanted(*manifest, 0, end), removed));
        },
        [this, descriptor](const OutputFiles &files) { begin_output(descriptor, files); });
}

ReceiveTransfer::OutputFiles ReceiveTransfer::output_files(const ManifestTable &manifest,
                                                           std::uint64_t end,
                                                           const IndexRanges &unwanted) {
    OutputFiles files;
    auto skipped = unwanted.begin();
    for (std::uint64_t index = 0; index < end; ++index) {
        while (skipped != unwanted.end() && skipped->first + skipped->count <= index) {
            ++skipped;
        }
        const bool wanted = skipped == unwanted.end() || index < skipped->first;
        if (wanted && manifest.kind(index) == EntryKind::File) {
            ++files.count;
            files.last = index;
        }
    }
    return files;
}

void ReceiveTransfer::begin_output(int descriptor, const OutputFiles &files) {
    if (files.count != 1) {
        fail_transfer({ErrorCode::BadArgument, static_cast<std::int64_t>(files.count),
                       "an output takes exactly one file"});
        return;
    }
    output_index_ = files.last;
    if (fail_if_removed(target_.excluded())) {
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

/// True when the output's file is among those that the sender took out of the share.
bool ReceiveTransfer::fail_if_removed(const IndexRanges &removed) {
    const bool lost = !part_of(removed, output_index_, output_index_ + 1).empty();
    if (lost) {
        fail_transfer({ErrorCode::Stopped, 0, "the sender took the file out of the share"});
    }
    return lost;
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
