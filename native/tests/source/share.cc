#include "source/share.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

namespace thru::test {

Share::Share(ScanOptions options)
    : scan(std::make_shared<TreeScan>(std::move(options))),
      files(std::make_shared<SourceFiles>(manifest, scan)) {}

Share::Share(const std::vector<std::string> &paths, ScanOptions options)
    : Share(std::move(options)) {
    add(paths);
}

void Share::add(const std::vector<std::string> &paths) {
    std::vector<ScanItem> items;
    for (const std::string &path : paths) {
        items.push_back({.path = path});
    }
    add_items(std::move(items));
}

void Share::add_items(std::vector<ScanItem> items, std::size_t step) {
    scan->add(std::move(items));
    for (bool complete = false; !complete;) {
        ScanBatch batch = scan->step(step);
        largest_batch = std::max(largest_batch, batch.entries.size() + batch.problems.size());
        for (ScannedEntry &scanned : batch.entries) {
            EXPECT_TRUE(manifest->add(scanned.entry).has_value());
            files->add(scanned);
            entries.push_back(std::move(scanned));
        }
        std::ranges::move(batch.problems, std::back_inserter(problems));
        std::ranges::move(batch.excluded, std::back_inserter(excluded));
        std::ranges::move(batch.beyond, std::back_inserter(beyond));
        std::ranges::move(batch.followed, std::back_inserter(followed));
        complete = batch.complete;
    }
}

std::size_t Share::index_of(std::string_view path) const {
    const auto found =
        std::ranges::find(entries, path, [](const auto &each) { return each.entry.path; });
    EXPECT_NE(found, entries.end()) << path;
    return static_cast<std::size_t>(found - entries.begin());
}

std::vector<std::string> Share::sorted_paths() const {
    std::vector<std::string> paths;
    for (const ScannedEntry &scanned : entries) {
        paths.push_back(scanned.entry.path);
    }
    std::ranges::sort(paths);
    EXPECT_EQ(std::ranges::adjacent_find(paths), paths.end());
    return paths;
}

std::map<std::string, ErrorCode> Share::problem_codes() const {
    std::map<std::string, ErrorCode> codes;
    for (const ScanProblem &problem : problems) {
        codes[problem.path] = problem.error.code;
    }
    return codes;
}

HaveCheck::Answer answer(const std::shared_ptr<const SourceFiles> &files, const Have &have,
                         const std::vector<Extents::Run> &runs, bool takes_parts) {
    HaveCheck check(files, have);
    std::vector<ByteRange> different;
    for (bool asked = false;;) {
        auto answered = check.step();
        if (answered && answered->wants_extents) {
            check.take({.index = have.index,
                        .offset = *answered->wants_extents,
                        .runs = asked ? std::vector<Extents::Run>{} : runs,
                        .takes_parts = takes_parts});
            asked = true;
        } else if (answered) {
            EXPECT_LE(answered->different.size(), kMaxDifferent);
            different.insert(different.end(), answered->different.begin(),
                             answered->different.end());
            if (!answered->is_part) {
                answered->different = std::move(different);
                return *std::move(answered);
            }
        }
    }
}

bool confirms(const std::shared_ptr<const SourceFiles> &files, const Have &have) {
    const auto answered = answer(files, have, {});
    return answered.same && answered.different.empty();
}

std::vector<Chunks> chunks_of(const std::shared_ptr<const SourceFiles> &files,
                              std::uint64_t index) {
    std::vector<Chunks> parts;
    ChunkListing listing(files, index);
    ReceiverChunks receiver;
    receiver.expect(index, files->manifest().file_size(index));
    for (;;) {
        const auto part = listing.step();
        if (!part) {
            continue;
        }
        auto answer = receiver.take(*part);
        if (!answer) {
            ADD_FAILURE() << answer.error().detail;
            return {};
        }
        EXPECT_EQ(answer->last, listing.is_last(*part));
        parts.push_back(*part);
        if (answer->last) {
            return parts;
        }
    }
}

std::expected<Bytes, SegmentReader::Failure> read_segment(const Share &share, SegmentPlan plan,
                                                          std::size_t chunk) {
    SegmentReader reader(share.files, std::move(plan));
    Bytes stream(static_cast<std::size_t>(reader.stream_bytes()));
    std::size_t filled = 0;
    while (!reader.finished()) {
        const std::size_t take = std::min(chunk, stream.size() - filled);
        const auto got = reader.read(MutableByteView(stream).subspan(filled, take));
        if (!got) {
            return std::unexpected(got.error());
        }
        filled += *got;
    }
    EXPECT_EQ(filled, stream.size());
    return stream;
}

std::expected<std::string, Error> read_entry(const Share &share, std::size_t index) {
    const std::uint64_t size = share.manifest->file_size(index);
    const auto stream = read_segment(share, {{index, 0, size}});
    if (!stream) {
        EXPECT_EQ(stream.error().index, index);
        return std::unexpected(stream.error().error);
    }
    const ByteView data =
        ByteView(*stream).last(static_cast<std::size_t>(size) + kSegmentHashBytes);
    return std::string(as_text(data.first(static_cast<std::size_t>(size))));
}

} // namespace thru::test
