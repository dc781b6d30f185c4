#include "journal/journal.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "journal/journal_search.h"
#include "transfer/manifests.h"

namespace thru::test {
namespace {

constexpr const char *kTag = "aabbcc";

JournalHeader header(std::uint8_t share = 1) {
    return {.id = {7, 7}, .share = {share}, .receive = {2}, .origin = {3}, .boot = current_boot()};
}
TransferIds ids(std::uint8_t share = 1) { return {.share = {share}, .origin = {3}}; }

class JournalTest : public testing::Test {
protected:
    std::unique_ptr<Journal> create() { return Journal::create(root_, kTag, header()).value(); }
    std::string path() const { return (folder_ / journal_name(kTag)).string(); }
    std::optional<ReadJournal> read() const {
        const auto opened = fs::open_for_reading(path());
        return opened ? read_journal(*opened) : std::nullopt;
    }
    /// Logs every kind of record.
    static void log_everything(Journal &journal) {
        for (const char *name : {"a", "b", "c", "d"}) {
            EXPECT_TRUE(journal.add(file(name, 1000)));
        }
        journal.append(OpenRecord{.slot = 0, .part = 1, .file = 11});
        journal.append(ValidatorRecord{.slot = 0, .validator = {9}});
        journal.append(
            ExtentRecord{.slot = 0, .extent = {.offset = 0, .length = 400, .hash = {1}}});
        journal.append(ProgressRecord{.slot = 0, .begin = 400, .end = 500});
        journal.append(HoleRecord{.slot = 0, .offset = 900, .length = 100});
        journal.append(BatchRecord{
            .hash = {2},
            .members = {{.slot = 1, .part = 2, .file = 12}, {.slot = 2, .part = 3, .file = 13}}});
        journal.append(SyncRecord{.covered = journal.last()});
        journal.append(PublishedRecord{.items = {{.slot = 1, .file = 12, .name = "b (2)"}}});
        journal.append(
            ExtentRecord{.slot = 0, .extent = {.offset = 400, .length = 200, .hash = {3}}});
        journal.append(ExtentRecord{.slot = 3, .extent = {.offset = 0, .length = 7, .hash = {4}}});
        journal.append(DroppedRecord{.slot = 3});
        EXPECT_TRUE(journal.sync());
    }

    TemporaryFolder folder_;
    fs::FileHandle root_ = fs::open_folder(folder_.path().string()).value();
};

TEST_F(JournalTest, ReturnsWhatWasLogged) {
    log_everything(*create());
    const auto journal = read();
    ASSERT_TRUE(journal);
    EXPECT_EQ(journal->header.share, (WireId{1}));
    EXPECT_EQ(journal->bytes, std::filesystem::file_size(path()));
    const JournalContent &content = journal->content;
    EXPECT_EQ(content.slots(), 4u);
    EXPECT_EQ(content.entries().path(2), "c");
    const JournalFile *a = content.file(0);
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(a->part, 1u);
    EXPECT_EQ(a->file, 11u);
    EXPECT_EQ(a->validator, (WireId{9}));
    ASSERT_EQ(a->extents.size(), 2u);
    EXPECT_TRUE(content.is_synced(a->extents.at(0).record));
    EXPECT_FALSE(content.is_synced(a->extents.at(400).record));
    EXPECT_TRUE(a->progress.empty()); // verified since
    EXPECT_EQ(a->holes.at(900).end, 1000u);
    EXPECT_EQ(content.published(1)->name, "b (2)");
    EXPECT_EQ(content.file(1), nullptr);
    EXPECT_TRUE(content.is_complete(*content.file(2)->batch));
    EXPECT_EQ(content.file(3), nullptr);
}

TEST_F(JournalTest, AfterAPowerLossOnlyCountsWhatWasSynced) {
    const auto own = create();
    log_everything(*own);
    own->append(BatchRecord{.hash = {5}, .members = {{.slot = 3, .part = 4, .file = 14}}});
    own->append(HoleRecord{.slot = 0, .offset = 600, .length = 300});
    ASSERT_TRUE(own->flush());
    auto journal = read();
    journal->content.drop_unsynced();
    EXPECT_EQ(journal->content.file(0)->extents.size(), 1u);
    EXPECT_EQ(journal->content.file(0)->holes.size(), 1u);
    EXPECT_TRUE(journal->content.file(0)->holes.contains(900));
    EXPECT_TRUE(journal->content.file(2)->batch);
    EXPECT_FALSE(journal->content.file(3)->batch);
    // Its part is known anyway.
    EXPECT_EQ(journal->content.file(3)->part, 4u);
    EXPECT_TRUE(journal->content.published(1));
}

TEST_F(JournalTest, ReplaysUpToTheFirstDamagedRecord) {
    log_everything(*create());
    const std::string bytes = test::read_file(path());
    const std::uint64_t whole = read()->bytes;
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        test::write_file(path(), bytes.substr(0, length));
        const auto journal = read();
        EXPECT_EQ(journal.has_value(), length >= kJournalHeaderBytes);
        EXPECT_LE(journal ? journal->bytes : 0, length);
    }
    test::write_file(path(), bytes + std::string(500, '\0'));
    EXPECT_EQ(read()->bytes, whole);
}

// CFG-08
TEST_F(JournalTest, DetectsEveryBitThatFlips) {
    log_everything(*create());
    const std::string bytes = test::read_file(path());
    const auto opened = fs::open_for_writing(root_, journal_name(kTag)).value();
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        const auto right = static_cast<std::uint8_t>(bytes[bit / 8]);
        const auto wrong = static_cast<std::uint8_t>(right ^ 1U << bit % 8);
        ASSERT_TRUE(fs::write_at(opened, bit / 8, {&wrong, 1}));
        const auto journal = read_journal(opened);
        EXPECT_LE(journal ? journal->bytes : 0, bit / 8) << bit;
        ASSERT_TRUE(fs::write_at(opened, bit / 8, {&right, 1}));
    }
    EXPECT_EQ(read()->bytes, bytes.size());
}

// CFG-09
TEST_F(JournalTest, TakesNoRecordsOfAnotherJournal) {
    log_everything(*create());
    std::string bytes = test::read_file(path());
    const std::string records = bytes.substr(kJournalHeaderBytes);
    Bytes other;
    JournalHeader changed = header();
    changed.id.back() ^= 1;
    encode_header(changed, other);
    test::write_file(path(), std::string(as_text(other)) + records);
    EXPECT_EQ(read()->content.slots(), 0u);
    EXPECT_EQ(read()->bytes, kJournalHeaderBytes);
}

TEST_F(JournalTest, EndsAtARecordThatContradictsThoseBefore) {
    const std::vector<JournalRecord> bad = {
        OpenRecord{.slot = 1},
        ValidatorRecord{.slot = 1},
        ExtentRecord{.slot = 0, .extent = {.offset = 0, .length = 1001}},
        ExtentRecord{.slot = 0, .extent = {.offset = ~std::uint64_t{0}, .length = 2}},
        ExtentRecord{.slot = 0, .extent = {.offset = 1, .length = 0}},
        BatchRecord{.members = {{.slot = 1}}},
        ProgressRecord{.slot = 0, .begin = 5, .end = 5},
        ProgressRecord{.slot = 0, .begin = 5, .end = 1001},
        HoleRecord{.slot = 0, .offset = 1000, .length = 1},
        SyncRecord{.covered = 2},
        PublishedRecord{.items = {{.slot = 1}}},
        VoidRecord{.slot = 0, .offset = 1, .length = ~std::uint64_t{0}},
        DroppedRecord{.slot = 7},
        EntriesRecord{.encoded = {0xFF, 0xFF}},
    };
    for (const JournalRecord &record : bad) {
        const auto own = create();
        EXPECT_TRUE(own->add(file("a", 1000)));
        own->append(record);
        own->append(DroppedRecord{.slot = 0});
        ASSERT_TRUE(own->flush());
        const auto journal = read();
        EXPECT_LT(journal->bytes, std::filesystem::file_size(path())) << record.index();
        std::filesystem::remove(path());
    }
}

TEST_F(JournalTest, ForgetsWhatWasVoid) {
    const auto own = create();
    EXPECT_TRUE(own->add(file("a", 1000)));
    for (const std::uint64_t offset : {0, 100, 200}) {
        own->append(ExtentRecord{.slot = 0, .extent = {.offset = offset, .length = 100}});
    }
    own->append(ProgressRecord{.slot = 0, .begin = 300, .end = 350});
    own->append(VoidRecord{.slot = 0, .offset = 150, .length = 170});
    ASSERT_TRUE(own->flush());
    const auto journal = read();
    const JournalFile *known = journal->content.file(0);
    EXPECT_EQ(known->extents.size(), 1u);
    EXPECT_TRUE(known->extents.contains(0));
    EXPECT_TRUE(known->progress.empty());
}

TEST_F(JournalTest, ForgetsThePartsOfHolesThatWereVoid) {
    const auto own = create();
    EXPECT_TRUE(own->add(file("a", 1000)));
    own->append(HoleRecord{.slot = 0, .offset = 0, .length = 100});
    own->append(HoleRecord{.slot = 0, .offset = 200, .length = 300});
    own->append(HoleRecord{.slot = 0, .offset = 600, .length = 10});
    own->append(VoidRecord{.slot = 0, .offset = 300, .length = 50});
    own->append(VoidRecord{.slot = 0, .offset = 450, .length = 200});
    ASSERT_TRUE(own->flush());
    const auto journal = read();
    std::map<std::uint64_t, std::uint64_t> left;
    for (const auto &[begin, known] : journal->content.file(0)->holes) {
        left[begin] = known.end;
    }
    EXPECT_EQ(left, (std::map<std::uint64_t, std::uint64_t>{{0, 100}, {200, 300}, {350, 450}}));
}

TEST_F(JournalTest, IsContinuedWithAllThatItSays) {
    log_everything(*create());
    for (int attempt = 0; attempt < 3; ++attempt) {
        auto old = fs::open_for_writing(root_, journal_name(kTag)).value();
        ASSERT_EQ(fs::try_lock(old), true);
        const auto journal = read_journal(old);
        JournalHeader other = header();
        other.id[5] = static_cast<std::uint8_t>(attempt + 1);
        const auto own =
            Journal::resume_from(root_, kTag, other, journal->content, std::move(old)).value();
        // Later records don't make it safe.
        own->append(SyncRecord{.covered = own->last()});
        ASSERT_TRUE(own->sync());
        const auto again = read();
        const JournalFile *a = again->content.file(0);
        ASSERT_EQ(a->extents.size(), 2u);
        EXPECT_TRUE(again->content.is_synced(a->extents.at(0).record));
        EXPECT_FALSE(again->content.is_synced(a->extents.at(400).record));
        EXPECT_EQ(a->validator, (WireId{9}));
        EXPECT_EQ(a->holes.size(), 1u);
        EXPECT_EQ(again->content.published(1)->name, "b (2)");
        EXPECT_TRUE(again->content.is_complete(*again->content.file(2)->batch));
        EXPECT_EQ(own->add(file("e", 1)), Slot(4 + attempt));
        ASSERT_TRUE(own->flush());
    }
    EXPECT_EQ(read()->content.slots(), 7u);
}

TEST_F(JournalTest, IsWrittenAnewWhenMostOfItDoesNotMatter) {
    const auto own = create();
    constexpr std::uint64_t kSize = 1ULL << 40;
    EXPECT_TRUE(own->add(file("a", kSize)));
    const std::uint64_t most = 24 << 20;
    std::uint64_t largest = 0;
    for (std::uint64_t at = 0; largest < most && at < 1'000'000; ++at) {
        own->append(ProgressRecord{.slot = 0, .begin = 0, .end = at + 1});
        if (at % 1000 == 0) {
            ASSERT_TRUE(own->flush());
            own->compact_if_large();
            largest = std::max<std::uint64_t>(largest, std::filesystem::file_size(path()));
        }
    }
    EXPECT_LT(largest, most);
    EXPECT_GT(largest, 15u << 20);
    own->append(DroppedRecord{.slot = 0});
    EXPECT_EQ(own->add(file("b", 1)), Slot{1});
    ASSERT_TRUE(own->sync());
    EXPECT_EQ(read()->bytes, std::filesystem::file_size(path()));
    EXPECT_EQ(read()->content.slots(), 2u);
}

TEST_F(JournalTest, HoldsAHundredThousandFiles) {
    constexpr Slot kFiles = 100'000;
    {
        const auto own = create();
        for (Slot slot = 0; slot < kFiles; ++slot) {
            EXPECT_EQ(own->add(file("folder/file " + std::to_string(slot), slot)), slot);
        }
        for (Slot slot = 0; slot < kFiles; slot += kMaxPublishedItems) {
            PublishedRecord named;
            for (Slot item = slot; item < std::min<Slot>(kFiles, slot + kMaxPublishedItems);
                 ++item) {
                named.items.push_back({.slot = item, .file = item});
            }
            own->append(named);
        }
        ASSERT_TRUE(own->sync());
    }
    const auto journal = read();
    EXPECT_EQ(journal->content.slots(), kFiles);
    EXPECT_TRUE(journal->content.published(kFiles - 1));
    EXPECT_LT(journal->bytes, 8u << 20);
}

TEST_F(JournalTest, TheOneOfTheShareIsFoundAndLockedOnesAreLeftAlone) {
    const auto manifest = test::manifest_of({file("a", 1000), file("z", 5)});
    const auto make = [&](const char *tag, std::uint8_t share, const char *name) {
        auto own = Journal::create(root_, tag, header(share)).value();
        EXPECT_TRUE(own->add(file(name, 1000)));
        EXPECT_TRUE(own->flush());
        return own;
    };
    static_cast<void>(make("000001", 5, "a"));
    static_cast<void>(make("000002", 1, "other"));
    static_cast<void>(make("000003", 6, "other"));
    EXPECT_EQ(find_journal(root_, *manifest, 2, ids(1))->tag, "000002");
    EXPECT_EQ(find_journal(root_, *manifest, 2, ids(9))->tag, "000001");
    const auto held = make("000004", 1, "a");
    EXPECT_EQ(find_journal(root_, *manifest, 2, ids(1))->tag, "000002");
    const auto found = find_journal(root_, *manifest, 2, ids(1));
    // `found` now holds that one, too.
    EXPECT_EQ(find_journal(root_, *manifest, 2, ids(1))->tag, "000001");
    for (const char *tag : {"000001", "000002", "000003", "000004"}) {
        EXPECT_TRUE(std::filesystem::exists(folder_ / journal_name(tag)));
    }
}

TEST_F(JournalTest, NobodyGetsTheOneOfAShareByItsIdAlone) {
    {
        auto own = Journal::create(root_, kTag, header()).value();
        EXPECT_TRUE(own->add(file("theirs", 1000)));
        ASSERT_TRUE(own->flush());
    }
    const auto manifest = test::manifest_of({file("a", 1000)});
    EXPECT_FALSE(find_journal(root_, *manifest, 1, {.share = {1}, .origin = {4}}));
    EXPECT_FALSE(find_journal(root_, *manifest, 1, {.share = {1}}));
    EXPECT_TRUE(find_journal(root_, *manifest, 1, ids()));
}

TEST_F(JournalTest, AnotherVersionsIsLeftAlone) {
    log_everything(*create());
    std::string bytes = test::read_file(path());
    bytes[3] = '2';
    test::write_file(path(), bytes);
    test::write_file(folder_ / journal_name("000001"), "");
    test::write_file(folder_ / journal_name("000002"), std::string(5000, '\0'));
    EXPECT_FALSE(find_journal(root_, *test::manifest_of({file("a", 1000)}), 1, ids(1)));
    EXPECT_TRUE(test::read_file(path()) == bytes);
    // These journals never began.
    EXPECT_FALSE(std::filesystem::exists(folder_ / journal_name("000001")));
    EXPECT_FALSE(std::filesystem::exists(folder_ / journal_name("000002")));
}

} // namespace
} // namespace thru::test
