#include "target/receive_journal.h"

#include <utility>

#include "crypto/random.h"
#include "journal/journal_search.h"
#include "names/part_name.h"

namespace thru {

namespace {

/// `bytes` is about the space needed.
Error journal_error(const fs::SystemError &error, std::uint64_t bytes = 0) {
    Error meaning = fs::writing_error(error, "make the journal");
    if (meaning.code == ErrorCode::DiskFull) {
        meaning.cause = kRoomForFolders + static_cast<std::int64_t>(bytes);
    }
    return meaning;
}

Result<JournalHeader> new_header(const ReceiveFolder::State &state) {
    const auto volume = fs::volume_facts(state.target.root());
    if (!volume) {
        return std::unexpected(fs::writing_error(volume.error(), "look at the disk"));
    }
    JournalHeader header{.share = state.ids.share,
                         .receive = state.ids.receive,
                         .origin = state.ids.origin,
                         .boot = current_boot(),
                         .volume_device = volume->id.device,
                         .volume_number = volume->id.number};
    random_bytes(header.id);
    return header;
}

} // namespace

Result<> resume_journal(ReceiveFolder::State &state, std::size_t end) {
    auto found = state.options.resume
                     ? find_journal(state.target.root(), *state.manifest, end, state.ids)
                     : std::nullopt;
    if (!found) {
        state.store.set_tag(random_tag(), 0);
        return {};
    }
    state.underway = found->journal.header.receive == state.ids.receive;
    auto header = new_header(state);
    const auto volume = fs::volume_facts(state.target.root());
    if (!header || !volume) {
        return std::unexpected(header ? fs::writing_error(volume.error(), "look at the disk")
                                      : header.error());
    }
    if (!is_same_boot(found->journal.header, *volume)) {
        found->journal.content.drop_unsynced();
    }
    found->doubtful = state.options.verify || !volume->counts_insertions;
    const bool same_sender =
        found->journal.header.origin == state.ids.origin && state.ids.origin != OriginId{};
    if (!same_sender) {
        header->origin = {};
    }
    auto journal = Journal::resume_from(state.target.root(), found->tag, *header,
                                        found->journal.content, std::move(found->file));
    if (!journal) {
        return std::unexpected(journal_error(journal.error(), found->journal.bytes));
    }
    state.journal = std::move(*journal);
    state.parts.set_journal(state.journal.get());
    const std::uint64_t first_part = (std::uint64_t{random_below(1U << 31)} + 1) * kMaxParts;
    state.store.set_tag(found->tag, first_part);
    state.previous = std::make_unique<PreviousAttempt>(std::move(*found), same_sender, first_part,
                                                       state.target, state.names, *state.manifest);
    return {};
}

Result<> create_journal(ReceiveFolder::State &state) {
    const auto header = new_header(state);
    if (!header) {
        return std::unexpected(header.error());
    }
    auto journal = Journal::create(state.target.root(), state.store.tag(), *header);
    if (!journal) {
        return std::unexpected(journal_error(journal.error()));
    }
    if (auto synced = (*journal)->sync(); !synced) {
        static_cast<void>((*journal)->end());
        return std::unexpected(journal_error(synced.error()));
    }
    state.journal = std::move(*journal);
    state.parts.set_journal(state.journal.get());
    return {};
}

} // namespace thru
