#include "target/local_transfer.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

#include "support/prepare_folder.h"
#include "transfer/receiving.h"
#include "transfer/sender.h"

namespace thru::test {

namespace {

constexpr WireId kShareId = {1};
constexpr WireId kReceiveId = {2};

template <class End> Result<> deliver(const std::vector<ControlMessage> &messages, End &end) {
    for (const ControlMessage &message : messages) {
        if (auto taken = end.on_control(message); !taken) {
            return taken;
        }
    }
    return {};
}

/// The engine's work for a receiver.
class ReceivingEnd {
public:
    ReceivingEnd(std::filesystem::path target, const LocalOptions &options,
                 std::shared_ptr<const SourceFiles> files)
        : target_(std::move(target)), options_(options), files_(std::move(files)) {}

    Receiver receiver{"receiver", kReceiveId};
    std::uint64_t fetched_bytes = 0;

    Result<> handle_events();
    Result<> take_segment(ByteView stream);
    Result<> commit();
    void suspend() { folder_->suspend(); }

private:
    Result<> accept(std::uint64_t end);

    std::filesystem::path target_;
    LocalOptions options_;
    /// The sender's files.
    std::shared_ptr<const SourceFiles> files_;
    std::shared_ptr<ReceiveFolder> folder_;
};

Result<> ReceivingEnd::accept(std::uint64_t end) {
    auto opened = ReceiveFolder::open(target_.string(), receiver.manifest(), options_.receive,
                                      {.share = options_.share,
                                       .receive = kReceiveId,
                                       .origin = kOriginId,
                                       .lists_chunks = options_.lists_chunks});
    if (!opened) {
        return std::unexpected(opened.error());
    }
    folder_ = std::move(*opened);
    auto prepared = test::prepare(
        *folder_, 0, end, {}, [this](std::uint64_t index) { return chunks_of(files_, index); },
        [this](const Fetch &fetch) {
            RangeReader source(files_, fetch.index);
            std::string bytes;
            for (ByteRange left = fetch.range; left.length > 0;) {
                for (const Fetched &part : source.bytes(left)) {
                    left.offset += part.bytes.size();
                    left.length -= part.bytes.size();
                    bytes += part.bytes;
                }
            }
            return bytes;
        },
        &fetched_bytes);
    if (!prepared) {
        return std::unexpected(prepared.error());
    }
    for (const WriteFailure &failure : prepared->failures) {
        receiver.on_entry_failed(failure.index, failure.error.code);
    }
    receiver.accept(end, {.present = std::move(prepared->present),
                          .uncompared = std::move(prepared->uncompared),
                          .unwanted = std::move(prepared->unwanted),
                          .have = std::move(prepared->have),
                          .extents = std::move(prepared->extents),
                          .missing = std::move(prepared->missing),
                          .of_basis = std::move(prepared->of_basis)});
    return {};
}

Result<> ReceivingEnd::handle_events() {
    for (ReceiverEvent &event : receiver.take_events()) {
        if (const auto *offered = std::get_if<ReceiverOffered>(&event)) {
            if (auto accepted = accept(offered->end); !accepted) {
                return accepted;
            }
        } else if (auto *whole = std::get_if<ReceiverFilesComplete>(&event)) {
            folder_->add_complete(std::move(whole->indexes));
        } else if (const auto *restarted = std::get_if<ReceiverRestarted>(&event)) {
            if (!folder_->restart(restarted->index)) {
                receiver.skip({{restarted->index, 1}});
            }
        } else if (const auto *outdated = std::get_if<ReceiverOutdated>(&event)) {
            folder_->invalidate(outdated->index, outdated->ranges);
        } else if (const auto *validator = std::get_if<Validator>(&event)) {
            folder_->on_validator(*validator);
        } else if (const auto *hole = std::get_if<Hole>(&event)) {
            EXPECT_FALSE(folder_->on_hole(*hole));
        }
    }
    if (receiver.complete()) {
        const auto finished = folder_->finish();
        if (!finished) {
            return std::unexpected(finished.error());
        }
        for (const WriteFailure &failure : finished->failures) {
            receiver.on_entry_failed(failure.index, failure.error.code);
        }
        receiver.on_all_durable();
    }
    return {};
}

Result<> ReceivingEnd::take_segment(ByteView stream) {
    SegmentHeaderDecoder header;
    if (!header.feed(stream) || !header.done()) {
        return fail(ErrorCode::PeerProtocol);
    }
    if (auto started = receiver.on_segment_started(header.plan()); !started) {
        return started;
    }
    const auto written = write_segment(folder_, stream, options_.chunk);
    if (!written.result) {
        return written.result;
    }
    for (const WriteFailure &failure : written.writer->failures()) {
        receiver.on_entry_failed(failure.index, failure.error.code);
    }
    EXPECT_EQ(written.writer->outcome(), SegmentOutcome::Verified);
    receiver.on_segment_written(written.writer->plan());
    return {};
}

Result<> ReceivingEnd::commit() {
    if (!folder_) {
        return {};
    }
    const CommitResult result = folder_->commit();
    for (const CommitResult::Published &file : result.published) {
        if (file.identical) {
            receiver.on_file_identical(file.index);
        } else {
            receiver.on_file_published(file.index, file.renamed);
        }
    }
    for (const WriteFailure &failure : result.failures) {
        receiver.on_entry_failed(failure.index, failure.error.code);
    }
    for (const Piece &piece : result.damaged) {
        receiver.on_read_back_wrong(piece);
    }
    for (const Piece &piece : result.unsynced) {
        receiver.on_bytes_lost(piece);
    }
    return result.fatal ? Result<>(std::unexpected(*result.fatal)) : Result<>{};
}

/// Runs all steps up to an answer.
void step(Sender &sender, HaveCheck &check) {
    auto answer = check.step();
    while (!answer) {
        answer = check.step();
    }
    if (answer->wants_extents) {
        sender.compare(check.have(), *answer->wants_extents);
    } else {
        sender.on_have_checked(check.have().index, answer->same, std::move(answer->different));
    }
}

/// Answers the sender's queries about its files; `check` is for the one file that is compared.
void handle_events(Sender &sender, LocalTransfer &transfer, std::unique_ptr<HaveCheck> &check) {
    for (SenderEvent &event : sender.take_events()) {
        if (const auto *finished = std::get_if<SenderFinished>(&event)) {
            transfer.finished = true;
            transfer.totals = finished->totals;
        } else if (const auto *claimed = std::get_if<Have>(&event)) {
            check = std::make_unique<HaveCheck>(transfer.share->files, *claimed);
            step(sender, *check);
        } else if (auto *extents = std::get_if<Extents>(&event)) {
            check->take(std::move(*extents));
            step(sender, *check);
        } else if (const auto *wanted = std::get_if<SenderDataWanted>(&event)) {
            const auto run = transfer.share->files->next_data(wanted->index, wanted->offset);
            EXPECT_TRUE(run);
            sender.on_data_found(wanted->index, run->begin, run->end);
        }
    }
}

Result<> run(LocalTransfer &transfer, ReceivingEnd &receiving, const LocalOptions &options) {
    const auto files = transfer.share->files;
    Sender sender(
        transfer.share->manifest,
        {.name = "sender", .share = options.share, .validator_of = [files](std::uint64_t index) {
             return files->validator(index);
         }});
    std::unique_ptr<HaveCheck> check;
    sender.on_checkpoint();
    if (auto taken = receiving.receiver.on_manifest_bytes(encoded(*transfer.share->manifest));
        !taken) {
        return taken;
    }
    for (std::size_t idle = 0; !transfer.finished && idle < 100; ++idle) {
        if (auto taken = deliver(sender.take_messages(), receiving.receiver); !taken) {
            return taken;
        }
        if (auto handled = receiving.handle_events(); !handled) {
            return handled;
        }
        if (auto taken = deliver(receiving.receiver.take_messages(), sender); !taken) {
            return taken;
        }
        handle_events(sender, transfer, check);
        const auto plan = sender.next_segment();
        if (!plan) {
            // No segment is in flight: received data can be committed.
            if (auto result = receiving.commit(); !result) {
                return result;
            }
            continue;
        }
        idle = 0;
        if (transfer.segments++ == options.max_segments) {
            receiving.suspend();
            return {};
        }
        transfer.bytes_sent += plan_bytes(*plan);
        const auto stream = read_segment(*transfer.share, *plan, options.chunk);
        if (!stream) {
            sender.on_entry_failed(*plan, stream.error().index, stream.error().error.code);
        } else {
            // Holes and validators precede the data.
            if (auto taken = deliver(sender.take_messages(), receiving.receiver); !taken) {
                return taken;
            }
            if (auto taken = receiving.take_segment(*stream); !taken) {
                return taken;
            }
        }
    }
    return {};
}

} // namespace

std::shared_ptr<ReceiveFolder> open_in(const std::filesystem::path &directory,
                                       std::shared_ptr<const ManifestTable> manifest,
                                       const ReceiveOptions &options) {
    const std::size_t entries = manifest->size();
    auto opened =
        ReceiveFolder::open(directory.string(), std::move(manifest), options,
                            {.share = kShareId, .receive = kReceiveId, .origin = kOriginId});
    EXPECT_TRUE(opened && test::prepare(**opened, 0, entries, {}));
    return opened.value_or(nullptr);
}

Written write_segment(const std::shared_ptr<ReceiveFolder> &folder, ByteView stream,
                      std::size_t chunk) {
    SegmentHeaderDecoder header;
    const auto read = header.feed(stream);
    if (!read || !header.done()) {
        ADD_FAILURE() << "no segment";
        return {};
    }
    Written written{.writer =
                        std::make_unique<SegmentWriter>(folder, header.plan(), header.bytes())};
    ByteView rest = stream.subspan(*read);
    do {
        const ByteView next = rest.first(std::min(chunk, rest.size()));
        written.result = written.writer->write(next);
        rest = rest.subspan(next.size());
    } while (written.result && !rest.empty());
    return written;
}

CommitResult receive(const std::shared_ptr<ReceiveFolder> &folder, const SegmentPlan &plan,
                     std::string_view data) {
    const auto written = write_segment(folder, segment_stream(plan, data));
    EXPECT_TRUE(written.whole());
    std::vector<std::uint64_t> indexes;
    for (const Piece &piece : plan) {
        indexes.push_back(piece.index);
    }
    folder->add_complete(std::move(indexes));
    return folder->commit();
}

LocalTransfer transfer(const std::vector<std::string> &roots, const std::filesystem::path &target,
                       const LocalOptions &options) {
    LocalTransfer transfer{.share = std::make_shared<Share>(roots)};
    ReceivingEnd receiving(target, options, transfer.share->files);
    transfer.result = run(transfer, receiving, options);
    transfer.bytes_sent += receiving.fetched_bytes;
    transfer.bytes_reused = receiving.receiver.reused_bytes();
    return transfer;
}

} // namespace thru::test
