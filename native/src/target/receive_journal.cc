#include "target/receive_journal.h"

#include <utility>

#include "crypto/random.h"
#include "journal/journal_search.h"
#include "names/part_name.h"
#include "target/receive_state.h"

namespace thru {

namespace {

/// `bytes`: approximate space needed.
Error journal_error(const fs::SystemError &error, std::uint64_t bytes = 0) {
    Error meaning = fs::writing_error(error, "make the journal");
    if (meaning.code == ErrorCode::DiskFull) {
        meaning.cause = kRoomForFolders + static_cast<std::int64_t>(bytes);
    }
    return meaning;
}

} // namespace

Result<JournalHeader> ReceiveJournal::new_header() const {
    const auto volume = fs::volume_facts(state_.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    JournalHeader header{.share = state_.ids.share,
                         .receive = state_.ids.receive,
                         .origin = state_.ids.origin,
                         .boot = current_boot(),
                         .volume_device = volume->id.device,
                         .volume_number = volume->id.number,
                         .kept = std::uint64_t{kept_ ? 1U : 0U}};
    random_bytes(header.id);
    return header;
}

Result<> ReceiveJournal::resume(std::size_t end) {
    if (searched_) {
        return {};
    }
    kept_ = state_.options.deletions && state_.ids.origin != OriginId{};
    auto found = state_.options.resume ? find_journal(state_.target.root(), *state_.manifest, end,
                                                      state_.ids, &state_.names)
                                       : std::nullopt;
    if (!found) {
        state_.store.set_tag(random_tag(), 0);
        searched_ = true;
        return {};
    }
    own_ = found->journal.header.receive == state_.ids.receive;
    kept_ = kept_ ||
            (found->journal.header.kept != 0 && state_.ids.origin == found->journal.header.origin);
    auto header = new_header();
    const auto volume = fs::volume_facts(state_.target.root());
    if (!header || !volume) {
        return std::unexpected(header ? fs::writing_error(volume.error(), "look at the disk")
                                      : header.error());
    }
    if (!is_same_boot(found->journal.header, *volume)) {
        found->journal.content.drop_unsynced();
    }
    found->doubtful = state_.options.verify || !volume->counts_insertions;
    const bool same_sender =
        found->journal.header.origin == state_.ids.origin && state_.ids.origin != OriginId{};
    if (!same_sender) {
        header->origin = {};
    }
    auto journal = Journal::resume_from(state_.target.root(), found->tag, *header,
                                        found->journal.content, std::move(found->file));
    if (!journal) {
        return std::unexpected(journal_error(journal.error(), found->journal.bytes));
    }
    set(std::move(*journal));
    const std::uint64_t first_part = (std::uint64_t{random_below(1U << 31)} + 1) * kMaxParts;
    state_.store.set_tag(found->tag, first_part);
    previous_ = std::make_unique<PreviousAttempt>(std::move(*found), same_sender, first_part,
                                                  state_.target, state_.names, *state_.manifest);
    searched_ = true;
    return {};
}

Result<> ReceiveJournal::create() {
    const auto header = new_header();
    if (!header) {
        return std::unexpected(header.error());
    }
    auto journal = Journal::create(state_.target.root(), state_.store.tag(), *header);
    if (!journal) {
        return std::unexpected(journal_error(journal.error()));
    }
    if (auto synced = (*journal)->sync(); !synced) {
        static_cast<void>((*journal)->end());
        return std::unexpected(journal_error(synced.error()));
    }
    set(std::move(*journal));
    return {};
}

std::optional<Slot> ReceiveJournal::add(std::uint64_t index) {
    const auto entry = state_.names.journal_entry(*state_.manifest, index);
    return entry ? journal_->add(*entry) : std::nullopt;
}

void ReceiveJournal::set(std::unique_ptr<Journal> journal) {
    state_.parts.set_journal(journal.get());
    journal_ = std::move(journal);
}

fs::SystemResult<> ReceiveJournal::end() {
    state_.parts.set_journal(nullptr);
    auto ended = journal_->end();
    close();
    return ended;
}

void ReceiveJournal::close() {
    set(nullptr);
    previous_.reset();
}

} // namespace thru
