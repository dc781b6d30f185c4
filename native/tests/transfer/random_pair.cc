#include "transfer/random_pair.h"

#include <string>

#include "transfer/index_chunks.h"

namespace thru::test {

namespace {

/// Sparse files have data in every other block of this size.
constexpr std::uint64_t kHoleBytes = 3 * kMiB;

std::pair<std::uint64_t, std::uint64_t> range_of(const Piece &piece) {
    return {piece.offset, piece.offset + std::max<std::uint64_t>(piece.length, 1)};
}

} // namespace

IndexRanges RandomPair::some_entries() {
    const std::uint64_t first = below(accepted_);
    return {{.first = first, .count = 1 + below(std::min<std::uint64_t>(accepted_ - first, 8))}};
}

void RandomPair::grow() {
    const std::uint64_t entries = 1 + below(60);
    for (std::uint64_t added = 0; added < entries; ++added) {
        const std::uint64_t index = pair_.table->size();
        const std::string path = "e" + std::to_string(index);
        const std::uint64_t size = chance(10) ? 0 : chance(15) ? below(40 * kMiB) : below(2 * kMiB);
        pair_.add(chance(8)    ? folder(path)
                  : chance(4)  ? link(path, "x")
                  : chance(10) ? sparse_file(path, size)
                               : file(path, size));
        if (pair_.table->kind(index) == EntryKind::File && chance(4)) {
            unreadable_.insert(index);
        }
    }
    pair_.checkpoint();
}

/// Some users take their time, and something may be prefetched meanwhile.
void RandomPair::read_offer(std::uint64_t end) {
    if (accepted_ > 0 || chance(40)) {
        return accept(end);
    }
    reading_ = end;
    EXPECT_TRUE(pair_.receiver.prefetch(below(12 * kMiB)));
}

Have RandomPair::have_of(std::uint64_t index, bool right) {
    const std::uint64_t size = pair_.table->file_size(index);
    const std::uint64_t offset = chance(30) ? size : below(size + 1);
    if (right) {
        right_haves_.insert(index);
    }
    if (offset > 0 || size == 0) {
        disk_[index].add(0, std::max<std::uint64_t>(offset, 1));
    }
    return {.index = index, .offset = offset, .validator = validator_of(index)};
}

void RandomPair::accept(std::uint64_t end) {
    ReceiverChoices choices;
    for (std::uint64_t index = accepted_; index < end; ++index) {
        if (chance(3)) {
            pair_.receiver.on_entry_failed(index, ErrorCode::TargetNotWritable);
        } else if (pair_.table->kind(index) != EntryKind::File) {
            continue;
        } else if (chance(5)) {
            append_index(choices.present, index);
        } else if (chance(5)) {
            append_index(choices.unwanted, index);
        } else if (chance(15)) {
            choices.have.push_back(have_of(index, chance(60)));
        } else if (chance(5) && !pair_.table->stream(index)) {
            append_index(choices.linked, index);
            to_link_.push_back(index);
        } else if (chance(10)) {
            choices.first.resize(1);
            append_index(choices.first.front(), index);
        }
    }
    pair_.receiver.accept(end, choices);
    accepted_ = end;
}

/// False if the header must wait until the receiver accepts.
bool RandomPair::start(InFlight &segment) {
    const bool prefetched = !segment.prefetched.empty();
    if (prefetched && accepted_ == 0) {
        return false;
    }
    const auto started = prefetched ? pair_.receiver.on_prefetched_started(segment.plan)
                                    : pair_.receiver.on_segment_started(segment.plan);
    EXPECT_TRUE(started.has_value()) << started.error().detail;
    return true;
}

/// The sender can't read entry `unreadable` of the segment.
void RandomPair::reset(const InFlight &segment, std::uint64_t unreadable) {
    if (segment.prefetched.empty()) {
        pair_.sender.on_entry_failed(segment.plan, unreadable, ErrorCode::SourceChanged);
    } else {
        pair_.sender.on_prefetch_failed(segment.prefetched);
    }
}

void RandomPair::send_segment() {
    if (in_flight_.size() >= 12) {
        return;
    }
    const auto plan = pair_.sender.next_segment();
    if (!plan) {
        return;
    }
    ASSERT_LE(plan_bytes(*plan), kSegmentBytes);
    ASSERT_LE(plan->size(), kMaxPieces);
    const auto bad = std::ranges::find_if(
        *plan, [this](const Piece &piece) { return unreadable_.contains(piece.index); });
    InFlight segment{.plan = through_bytes(*plan)};
    if (pair_.sender.prefetched()) {
        segment.prefetched = segment.plan;
    }
    if (bad == plan->end()) {
        in_flight_.push_back(std::move(segment));
        return;
    }
    // Noticed before or after the receiver saw the beginning of the stream, which is then reset.
    if (chance(50) && start(segment)) {
        pair_.receiver.on_segment_abandoned(segment.plan);
    }
    reset(segment, bad->index);
}

void RandomPair::start_segment() {
    if (in_flight_.empty()) {
        return;
    }
    InFlight &segment = in_flight_[below(in_flight_.size())];
    if (segment.started) {
        return;
    }
    segment.started = start(segment);
    if (!segment.started) {
        return;
    }
    for (const Piece &piece : segment.plan) {
        segment.dropped.push_back(!pair_.receiver.accepts(piece.index) ||
                                  named_.contains(piece.index));
    }
    // Restarts must be handled first: they concern older data.
    handle_events();
}

void RandomPair::write(const InFlight &segment) {
    for (std::size_t at = 0; at < segment.plan.size(); ++at) {
        const auto [begin, end] = range_of(segment.plan[at]);
        if (!segment.dropped[at]) {
            disk_[segment.plan[at].index].add(begin, end);
        }
    }
}

/// Bytes of a segment that doesn't count are undefined.
void RandomPair::spoil(const InFlight &segment) {
    for (std::size_t at = 0; at < segment.plan.size(); ++at) {
        const auto [begin, end] = range_of(segment.plan[at]);
        if (!segment.dropped[at]) {
            ASSERT_FALSE(named_.contains(segment.plan[at].index));
            disk_[segment.plan[at].index].remove(begin, end);
        }
    }
}

void RandomPair::end_segment() {
    if (in_flight_.empty()) {
        return;
    }
    const auto at = in_flight_.begin() + static_cast<std::ptrdiff_t>(below(in_flight_.size()));
    if (!at->started) {
        return;
    }
    const InFlight segment = std::move(*at);
    in_flight_.erase(at);
    const std::uint64_t fate = quiet_ ? 99 : below(100);
    if (fate < 4) {
        spoil(segment);
        pair_.receiver.on_segment_damaged(segment.plan);
    } else if (fate < 8) {
        spoil(segment);
        pair_.receiver.on_segment_lost(segment.plan);
        pair_.receiver.pause({.why = Pause::Why::DiskFull, .need = 1});
    } else if (fate < 10) {
        spoil(segment);
        pair_.receiver.on_segment_voided(segment.plan);
    } else if (fate < 12) {
        spoil(segment);
        pair_.receiver.on_segment_abandoned(segment.plan);
        reset(segment, segment.plan.empty() ? 0 : segment.plan.front().index);
    } else {
        write(segment);
        if (chance(1) && !segment.plan.empty()) {
            pair_.receiver.on_entry_failed(segment.plan.front().index, ErrorCode::DiskIo);
        }
        pair_.receiver.on_segment_written(segment.plan);
    }
}

void RandomPair::name_file() {
    if (!named_late_.empty()) {
        pair_.receiver.on_file_published(named_late_.front(), false);
        return named_late_.pop_front();
    }
    if (to_name_.empty()) {
        return;
    }
    const std::uint64_t index = to_name_.front();
    to_name_.pop_front();
    if (named_.contains(index)) {
        return; // the receiver has not been informed yet
    }
    const std::uint64_t size = pair_.table->file_size(index);
    if (size > 0 && !quiet_ && chance(3)) {
        const std::uint64_t begin = below(size);
        const std::uint64_t length = 1 + below(size - begin);
        disk_[index].remove(begin, begin + length);
        if (chance(50)) {
            pair_.receiver.on_bytes_lost({.index = index, .offset = begin, .length = length});
        } else {
            pair_.receiver.on_read_back_wrong({.index = index, .offset = begin, .length = length});
        }
        return;
    }
    ASSERT_EQ(disk_[index].bytes(), std::max<std::uint64_t>(size, 1)) << index;
    ASSERT_TRUE(named_.insert(index).second) << index;
    pair_.receiver.on_file_published(index, chance(10));
}

/// The disk makes a further name of a file, or can't.
void RandomPair::link_name() {
    if (to_link_.empty()) {
        return;
    }
    const std::uint64_t index = to_link_.front();
    to_link_.pop_front();
    if (!pair_.receiver.is_linked(index)) {
        return;
    }
    if (chance(50)) {
        return pair_.receiver.unlink({{.first = index, .count = 1}});
    }
    disk_[index].add(0, std::max<std::uint64_t>(pair_.table->file_size(index), 1));
    ASSERT_TRUE(named_.insert(index).second) << index;
    pair_.receiver.on_file_published(index, false);
}

/// The disk deletes unpublished data, and drops segments in flight.
void RandomPair::drop(std::uint64_t index) {
    if (named_.contains(index)) {
        return;
    }
    if (std::erase(to_name_, index) > 0 && chance(50)) {
        named_.insert(index); // just before the drop was received
        return named_late_.push_back(index);
    }
    disk_.erase(index);
    for (InFlight &segment : in_flight_) {
        for (std::size_t at = 0; at < segment.dropped.size(); ++at) {
            segment.dropped[at] = segment.dropped[at] || segment.plan[at].index == index;
        }
    }
}

void RandomPair::handle(const ReceiverEvent &event) {
    if (const auto *grown = std::get_if<ReceiverOffered>(&event)) {
        read_offer(grown->end);
    } else if (const auto *whole = std::get_if<ReceiverFilesComplete>(&event)) {
        to_name_.insert(to_name_.end(), whole->indexes.begin(), whole->indexes.end());
    } else if (const auto *failed = std::get_if<ReceiverEntryFailed>(&event)) {
        EXPECT_TRUE(failed_at_receiver_.insert(failed->index).second);
        drop(failed->index);
    } else if (const auto *restarted = std::get_if<ReceiverRestarted>(&event)) {
        // Before the answer, segments of the file were written only from the Have's offset.
        EXPECT_FALSE(right_haves_.contains(restarted->index));
    } else if (const auto *hole = std::get_if<Hole>(&event)) {
        disk_[hole->index].add(hole->offset, hole->offset + hole->length);
    } else if (const auto *removed = std::get_if<ReceiverRemoved>(&event)) {
        for_each_index(removed->ranges, [this](std::uint64_t index) { drop(index); });
    } else if (std::holds_alternative<ReceiverReleased>(event)) {
        released_ = true;
    }
}

void RandomPair::handle_events() {
    std::ranges::move(pair_.receiver.take_events(), std::back_inserter(pair_.receiver_events));
    for (const ReceiverEvent &event : std::exchange(pair_.receiver_events, {})) {
        handle(event);
    }
    for (const SenderEvent &event : std::exchange(pair_.sender_events, {})) {
        if (const auto *failed = std::get_if<SenderEntryFailed>(&event)) {
            EXPECT_TRUE(failed_at_sender_.insert(failed->index).second);
        } else if (const auto *claimed = std::get_if<Have>(&event)) {
            to_check_.push_back(*claimed);
        } else if (const auto *wanted = std::get_if<SenderDataWanted>(&event)) {
            to_search_.push_back(*wanted);
        } else if (std::holds_alternative<SenderFinished>(event)) {
            finished_ = true;
        } else if (const auto *progress = std::get_if<SenderProgress>(&event)) {
            EXPECT_LE(progress->files, progress->total_files);
            EXPECT_LE(progress->bytes, progress->total_bytes);
        }
    }
}

void RandomPair::disturb() {
    switch (below(40)) {
    case 0:
        return finished_ ? void() : grow();
    case 1:
    case 2: {
        const IndexRanges entries = some_entries();
        pair_.sender.on_removed(entries);
        return;
    }
    case 3:
    case 4:
    case 5: {
        const IndexRanges entries = some_entries();
        for_each_index(entries, [this](std::uint64_t index) { drop(index); });
        return pair_.receiver.skip(entries);
    }
    case 6:
    case 7:
    case 8:
    case 9:
        return pair_.receiver.want(some_entries());
    case 10:
        return pair_.sender.pause();
    case 11:
    case 12:
        return pair_.sender.resume();
    case 13:
        return pair_.receiver.pause({});
    case 14:
    case 15:
    case 16:
        return pair_.receiver.resume();
    default:
        return;
    }
}

void RandomPair::step() {
    handle_events();
    if (reading_ > 0 && chance(2)) {
        accept(std::exchange(reading_, 0));
    }
    if (reading_ > 0 && chance(2)) {
        pair_.sender.on_removed({{.first = below(reading_), .count = 1}});
    }
    switch (below(8)) {
    case 0:
        return send_segment();
    case 1:
        return start_segment();
    case 2:
        return end_segment();
    case 3:
        link_name();
        return name_file();
    case 4:
        if (!to_check_.empty()) {
            const std::uint64_t index = to_check_.front().index;
            to_check_.pop_front();
            pair_.sender.on_have_checked(index, right_haves_.contains(index));
        } else if (!to_search_.empty()) {
            const auto [index, offset] = to_search_.front();
            to_search_.pop_front();
            const std::uint64_t size = pair_.table->file_size(index);
            const std::uint64_t block = offset / kHoleBytes;
            const std::uint64_t begin = block % 2 == 1 ? offset : (block + 1) * kHoleBytes;
            const std::uint64_t end = (begin / kHoleBytes + 1) * kHoleBytes;
            pair_.sender.on_data_found(index, std::min(begin, size), std::min(end, size));
        }
        return;
    case 5:
        pair_.receiver.on_all_durable();
        return;
    case 6:
        if (!quiet_ && accepted_ > 0) {
            disturb();
        }
        return;
    default:
        pair_.exchange(below(300), below(2000));
    }
}

void RandomPair::run() {
    grow();
    const std::uint64_t wild = 200 + below(3000);
    for (std::uint64_t steps = 0; !released_ && steps < 300'000; ++steps) {
        ASSERT_FALSE(testing::Test::HasFailure()) << "step " << steps;
        if (steps == wild) {
            quiet_ = true;
            pair_.sender.resume();
        }
        // The receiver may have been out of space until the end.
        if (quiet_ && steps % 500 == 0) {
            pair_.receiver.resume();
        }
        step();
    }
    check_end();
}

void RandomPair::check_end() {
    ASSERT_TRUE(released_);
    EXPECT_EQ(pair_.receiver.totals().files, pair_.receiver.totals().total_files);
    EXPECT_EQ(pair_.receiver.totals().bytes, pair_.receiver.totals().total_bytes);
    for (const std::uint64_t index : named_) {
        EXPECT_EQ(disk_.at(index).bytes(),
                  std::max<std::uint64_t>(pair_.table->file_size(index), 1));
    }
}

} // namespace thru::test
