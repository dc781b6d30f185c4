#include "engine/share/share_contents.h"

#include <algorithm>
#include <utility>

#include "engine/share/left_out_count.h"

namespace thru {

namespace {

/// Entries per scan step: a few milliseconds of a pool thread.
constexpr std::size_t kScanStep = 2000;
constexpr std::size_t kMaxItemsReported = 1000;

} // namespace

ShareContents::ShareContents(EngineContext &context, SessionNumber session, ScanOptions options,
                             Listener listener)
    : context_(context), session_(session), listener_(std::move(listener)),
      reads_attributes_(options.attributes), scan_(std::make_shared<TreeScan>(std::move(options))),
      scan_strand_(context.disk.make_strand()), manifest_(std::make_shared<ManifestTable>()),
      files_(std::make_shared<SourceFiles>(manifest_, scan_)) {}

ShareContents::~ShareContents() = default;

Result<> ShareContents::add(std::vector<ScanItem> items) {
    if (items.size() > kMaxItems - items_.size()) {
        return fail(ErrorCode::LimitExceeded, 0, "too many items in one share");
    }
    const auto stream =
        std::ranges::find_if(items, [](const ScanItem &item) { return item.stream.has_value(); });
    if (stream_ || (stream != items.end() && items_.size() + items.size() > 1)) {
        return fail(ErrorCode::BadArgument, 0, "a stream is shared alone");
    }
    if (stream != items.end()) {
        add_stream(*stream->stream);
    }
    if (!stream_) {
        sources_.insert(sources_.end(), items.begin(), items.end());
    }
    items_.resize(items_.size() + items.size());
    scan(std::move(items));
    return {};
}

void ShareContents::scan_again(const ShareContents &earlier) {
    quiet_ = true;
    sources_ = earlier.sources_;
    items_.resize(sources_.size());
    for (std::uint32_t number = 0; number < items_.size(); ++number) {
        const Item &known = earlier.items_[number];
        items_[number].taken_out = known.taken_out;
        if (!known.entries.empty()) {
            sources_[number].resolved = earlier.files_->item_path(known.entries.front().first);
        }
    }
    scan(sources_);
}

void ShareContents::publish() {
    quiet_ = false;
    report_held_problems();
    report_totals(complete_files_);
    report_items();
}

void ShareContents::report_held_problems() {
    for (const ScanProblem &problem : std::exchange(held_problems_, {})) {
        context_.events.push(ItemProblemEvent{session_, {}, problem.path, problem.error});
    }
}

/// Scans the last items of items_.
void ShareContents::scan(std::vector<ScanItem> items) {
    complete_files_ = false;
    const auto first = static_cast<std::uint32_t>(items_.size() - items.size());
    std::vector<std::uint32_t> taken_out;
    for (std::uint32_t number = first; number < items_.size(); ++number) {
        if (items_[number].taken_out) {
            taken_out.push_back(number);
        }
    }
    // Runs on the scanning strand, so never during a step.
    context_.disk.fetch(
        scan_strand_, lifetime_, {},
        [scan = scan_, added = std::move(items), taken_out = std::move(taken_out)]() mutable {
            scan->add(std::move(added));
            for (const std::uint32_t number : taken_out) {
                scan->remove(number);
            }
        },
        [] {});
    added_meanwhile_ = scanning_;
    if (!scanning_) {
        scan_step();
    }
}

void ShareContents::add_stream(const StreamItem &item) {
    auto source = std::make_shared<StreamSource>(item.descriptor);
    files_->set_stream(source);
    stream_ = std::make_unique<StreamFeed>(
        context_, std::move(source), item,
        StreamFeed::Listener{.on_grown =
                                 [this](std::uint64_t end, bool ended) {
                                     if (!manifest_->grow_stream(end)) {
                                         listener_.on_stream_broken();
                                         return;
                                     }
                                     items_.front().bytes = end;
                                     report_totals(true);
                                     listener_.on_stream_grown(end, ended);
                                 },
                             .on_broken =
                                 [this](const Error &error) {
                                     report_problem({.path = manifest_->size() > 0
                                                                 ? std::string(manifest_->path(0))
                                                                 : std::string(),
                                                     .error = error});
                                     listener_.on_stream_broken();
                                 }});
}

Result<> ShareContents::remove(std::uint32_t number) {
    if (number >= items_.size() || items_[number].taken_out) {
        return fail(ErrorCode::BadArgument, number, "no such item in the share");
    }
    Item &item = items_[number];
    item.taken_out = true;
    context_.disk.fetch(
        scan_strand_, lifetime_, {}, [scan = scan_, number] { scan->remove(number); }, [] {});
    removed_ = merged(removed_, item.entries);
    removed_files_ += item.files;
    removed_bytes_ += item.bytes;
    excluded_ -= item.excluded;
    left_out_ -= count_of(item.left_out);
    if (!item.entries.empty()) {
        listener_.on_removed(*this, item.entries);
    }
    report_totals(complete_files_);
    report_items();
    return {};
}

void ShareContents::scan_step() {
    scanning_ = true;
    added_meanwhile_ = false;
    context_.disk.fetch(
        scan_strand_, lifetime_, {}, [scan = scan_] { return scan->step(kScanStep); },
        [this](const ScanBatch &batch) { on_scanned(batch); });
}

void ShareContents::on_scanned(const ScanBatch &batch) {
    for (const auto &problem : batch.problems) {
        report_problem(problem);
    }
    for (const std::uint32_t root : batch.excluded) {
        ++items_[root].excluded;
        excluded_ += items_[root].taken_out ? 0 : 1;
    }
    for (const FollowedLink &link : batch.followed) {
        ++items_[link.root].followed;
        if (followed_.size() < kMaxLinksReported) {
            followed_.push_back(link);
        }
    }
    report_beyond(batch.beyond);
    bool full = false;
    IndexRanges removed;
    for (const auto &scanned : batch.entries) {
        if (!add_entry(scanned, removed)) {
            full = true;
            break;
        }
    }
    if (!removed.empty()) {
        removed_ = merged(removed_, removed);
        listener_.on_removed(*this, removed);
    }
    complete_files_ = (batch.complete && !added_meanwhile_) || full;
    scanning_ = !complete_files_;
    report_totals(complete_files_);
    listener_.on_grown(*this);
    if (!complete_files_) {
        scan_step();
        return;
    }
    const bool taken_out = std::ranges::any_of(items_, &Item::taken_out);
    if (manifest_->size() == 0 && !taken_out) {
        listener_.on_nothing(*this);
        return;
    }
    report_items();
    listener_.on_checkpoint(*this);
}

/// False if the manifest is full. Adds an entry to `removed` if its item was removed meanwhile.
bool ShareContents::add_entry(const ScannedEntry &scanned, IndexRanges &removed) {
    Item &item = items_[scanned.root];
    const auto index = manifest_->size();
    if (auto added = manifest_->add(scanned.entry); !added) {
        report_problem({.path = scanned.entry.path, .error = added.error(), .root = scanned.root});
        return false;
    }
    files_->add(scanned);
    if (scanned.entry.kind == EntryKind::File) {
        hard_links_.add(*manifest_, scanned.identity.id, scanned.links);
    }
    add_attributes(scanned, index);
    append_index(item.entries, index);
    if (scanned.entry.kind == EntryKind::File) {
        ++item.files;
        item.bytes += scanned.entry.size;
    }
    if (item.taken_out) {
        append_index(removed, index);
        removed_files_ += scanned.entry.kind == EntryKind::File ? 1 : 0;
        removed_bytes_ += scanned.entry.size;
    }
    return true;
}

void ShareContents::add_attributes(const ScannedEntry &scanned, std::uint64_t index) {
    const ReadAttributes &read = scanned.attributes;
    if (read.created_ns && creation_times_.size() < kMaxOfferedCreationTimes) {
        creation_times_.push_back(
            {.index = static_cast<std::uint32_t>(index), .ns = *read.created_ns});
    }
    const std::uint64_t cost = attribute_cost(read.attributes);
    const bool fits = cost <= kMaxOfferAttributeBytes - attribute_bytes_;
    if (!read.attributes.empty() && fits) {
        attribute_bytes_ += cost;
        attributes_.push_back(
            {.index = static_cast<std::uint32_t>(index), .attributes = read.attributes});
    }
    const bool no_room =
        !read.attributes.empty() && !fits && !std::exchange(told_attributes_, true);
    // Their reports must leave room for those of files that can't be offered.
    constexpr unsigned kFew = 20;
    if (no_room || (read.incomplete && incomplete_++ < kFew)) {
        list({.path = scanned.entry.path,
              .error = {.code = ErrorCode::AttributesLeftOut,
                        .detail = no_room ? "no room for those of this and maybe of further files"
                                          : ""}});
    }
}

bool ShareContents::has_attributes_of(const ShareContents &now) const {
    std::vector<FileAttributes> kept = attributes_;
    std::erase_if(kept, [&](const auto &file) { return contains(removed_, file.index); });
    return std::ranges::equal(kept, now.attributes_, [&](const auto &one, const auto &other) {
        return one.attributes == other.attributes &&
               manifest_->path(one.index) == now.manifest_->path(other.index);
    });
}

void ShareContents::report_items() {
    if (quiet_) {
        return;
    }
    std::uint64_t followed = 0;
    for (const Item &item : items_) {
        followed += item.taken_out ? 0 : item.followed;
    }
    std::vector<FollowedLink> links = followed_;
    std::erase_if(links, [&](const auto &link) { return items_[link.root].taken_out; });
    std::vector<OfferItem> listed;
    std::vector<std::string> resolved;
    for (std::uint32_t number = 0; number < items_.size() && listed.size() < kMaxItemsReported;
         ++number) {
        const Item &item = items_[number];
        if (item.taken_out || item.entries.empty()) {
            continue;
        }
        const auto first = item.entries.front().first;
        listed.push_back({.id = number,
                          .top = {.name = std::string(manifest_->path(first)),
                                  .kind = manifest_->kind(first),
                                  .text = manifest_->text(first),
                                  .stream = manifest_->stream(first),
                                  .files = item.files,
                                  .bytes = item.bytes}});
        resolved.push_back(files_->item_path(first));
    }
    context_.events.push(ScanItemsEvent{session_, std::move(listed), std::move(resolved), followed,
                                        std::move(links)});
}

void ShareContents::report_totals(bool complete) {
    if (quiet_) {
        return;
    }
    context_.events.push(ScanEvent{session_, manifest_->files() - removed_files_,
                                   manifest_->folders(), manifest_->bytes() - removed_bytes_,
                                   complete, excluded_, left_out_});
}

/// Counts all of them, and reports one problem of the share.
void ShareContents::report_beyond(const std::vector<std::uint32_t> &roots) {
    ScanProblem problem{
        .path = {},
        .error = {.code = ErrorCode::LimitExceeded, .detail = "too many files and folders"}};
    for (const std::uint32_t root : roots) {
        problem.root = root;
        std::exchange(told_beyond_, true) ? count(problem) : report_problem(problem);
    }
}

void ShareContents::count(const ScanProblem &problem) {
    Item &item = items_[problem.root];
    count_left_out(problem, item.left_out);
    left_out_ += item.taken_out ? 0 : 1;
}

void ShareContents::report_problem(const ScanProblem &problem) {
    count(problem);
    whole_ = whole_ && !problem.whole_item;
    list(problem);
}

void ShareContents::list(const ScanProblem &problem) {
    if (problems_++ >= kMaxProblemsReported) {
        return;
    }
    if (quiet_) {
        held_problems_.push_back(problem);
    } else {
        context_.events.push(ItemProblemEvent{session_, {}, problem.path, problem.error});
    }
}

LeftOut ShareContents::left_out() const {
    LeftOut all;
    for (const Item &item : items_) {
        if (!item.taken_out) {
            add_left_out(item.left_out, all);
        }
    }
    return all;
}

} // namespace thru
