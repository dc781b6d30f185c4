#include "io/receive_folder.h"

#include <algorithm>
#include <utility>

#include "io/conflict.h"
#include "io/receive_state.h"
#include "io/safe_rel_path.h"

namespace thru {

namespace {

template <class Do> void each_index(const IndexRanges &ranges, std::size_t end, Do act) {
    for (const IndexRange &range : ranges) {
        const std::uint64_t last = std::min<std::uint64_t>(range.first + range.count, end);
        for (std::uint64_t index = range.first; index < last; ++index) {
            act(index);
        }
    }
}

/// Makes bytes of a sparse file zeros again that something was written to.
fs::SystemResult<> clear(const fs::FileHandle &file, std::uint64_t offset, std::uint64_t end) {
    const Bytes zeros(1 << 20);
    while (offset < end) {
        const auto data = fs::next_data(file, offset);
        if (!data) {
            return std::unexpected(data.error());
        }
        const std::uint64_t begin = std::max(data->begin, offset);
        const std::uint64_t stop = std::min(data->end, end);
        if (data->begin == data->end || begin >= stop) {
            return {};
        }
        const std::uint64_t length = std::min<std::uint64_t>(stop - begin, zeros.size());
        if (auto written =
                fs::write_at(file, begin, ByteView(zeros).first(static_cast<std::size_t>(length)));
            !written) {
            return written;
        }
        offset = begin + length;
    }
    return {};
}

} // namespace

ReceiveFolder::State::State(Target opened, std::shared_ptr<const ManifestTable> of,
                            const ReceiveOptions &chosen, const TransferIds &transfer)
    : target(std::move(opened)), manifest(std::move(of)), options(chosen), ids(transfer),
      names(options) {}

ReceiveFolder::ReceiveFolder(std::unique_ptr<State> state) : state_(std::move(state)) {}
ReceiveFolder::~ReceiveFolder() = default;

Result<std::shared_ptr<ReceiveFolder>>
ReceiveFolder::open(const std::string &directory, std::shared_ptr<const ManifestTable> manifest,
                    const ReceiveOptions &options, const TransferIds &ids) {
    auto target = Target::open(directory);
    if (!target) {
        return std::unexpected(std::move(target).error());
    }
    return std::shared_ptr<ReceiveFolder>(new ReceiveFolder(
        std::make_unique<State>(std::move(*target), std::move(manifest), options, ids)));
}

Result<Prepared> ReceiveFolder::prepare(std::size_t first, std::size_t end,
                                        const IndexRanges &unwanted) {
    return thru::prepare(*state_, first, end, unwanted);
}

void ReceiveFolder::on_source(const Source &source) { state_->parts.set_source(source); }

void ReceiveFolder::on_zeros(const Zeros &zeros) {
    const auto part = state_->parts.large(zeros.index);
    if (!part || !*part) {
        return;
    }
    const auto file = state_->parts.open(**part);
    // Where they can't be cleared, nothing can be written either: that is told then.
    if (file && clear(**file, zeros.offset, zeros.offset + zeros.length)) {
        state_->parts.add_zeros(*part, zeros.offset, zeros.length);
    }
}

void ReceiveFolder::drop(const IndexRanges &ranges) {
    each_index(ranges, state_->parts.entries(),
               [this](std::uint64_t index) { state_->parts.set_dropped(index, true); });
    const std::lock_guard lock(state_->names_mutex);
    state_->names.forget(*state_->manifest, ranges);
}

void ReceiveFolder::want(const IndexRanges &ranges) {
    each_index(ranges, state_->parts.entries(), [this](std::uint64_t index) {
        state_->parts.set_dropped(index, false);
        if (state_->manifest->kind(index) == EntryKind::File && !state_->manifest->text(index)) {
            state_->parts.add_slot(index);
        }
    });
    state_->parts.flush_journal();
}

bool ReceiveFolder::restart(std::uint64_t index) {
    state_->parts.restart(index);
    const std::lock_guard lock(state_->mutex);
    const auto compared = state_->compared.extract(index);
    if (!compared) {
        return true;
    }
    const Decision decision =
        decide_different(compared.mapped(), *state_->manifest, index, state_->options);
    if (decision == Decision::WriteOver) {
        state_->replaced[index] = compared.mapped();
    }
    return decision != Decision::LeaveOut;
}

void ReceiveFolder::add_whole(std::vector<std::uint64_t> indexes) {
    const std::lock_guard lock(state_->mutex);
    state_->whole.insert(state_->whole.end(), indexes.begin(), indexes.end());
}

Settled ReceiveFolder::settle() { return thru::settle(*state_); }

std::uint64_t ReceiveFolder::unsettled_bytes() const { return state_->unsettled_bytes; }

Result<std::vector<WriteFailure>> ReceiveFolder::finish() { return thru::finish(*state_); }

void ReceiveFolder::suspend() {
    state_->parts.close();
    if (!state_->options.resume) {
        state_->parts.remove_rest();
        return;
    }
    static_cast<void>(thru::settle(*state_));
    if (!state_->journal) {
        return;
    }
    const bool nothing = !state_->earlier && !state_->parts.told();
    state_->parts.set_journal(nullptr);
    if (nothing) {
        static_cast<void>(state_->journal->end());
    }
    // From here on another attempt may take it.
    state_->journal.reset();
}

std::optional<std::uint64_t> ReceiveFolder::free_bytes() const {
    const auto facts = fs::volume_facts(state_->target.root());
    return facts ? std::optional(facts->free_bytes) : std::nullopt;
}

} // namespace thru
