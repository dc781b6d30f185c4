#include "pairing/join_code.h"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "pairing/word_list.h"
#include "support/vectors.h"

namespace thru {
namespace {

TEST(WordList, HasWordsOfThreeToTenLettersThatDifferInTheirFirstThree) {
    std::set<std::string_view> beginnings;
    for (const auto word : word_list()) {
        EXPECT_TRUE(word.size() >= 3 && word.size() <= 10) << word;
        EXPECT_TRUE(std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; })) << word;
        EXPECT_TRUE(beginnings.insert(word.substr(0, 3)).second) << word;
        EXPECT_TRUE(is_listed_word(word)) << word;
    }
    // Three of them carry 31 bits: what docs/protocol.md counts on.
    EXPECT_EQ(word_list().size(), 1295U);
    for (const auto *word : {"", "a", "apples", "Apple", "zzz", "yo-yo"}) {
        EXPECT_FALSE(is_listed_word(word)) << word;
    }
}

TEST(JoinCode, AgreesWithTheVectors) {
    for (const auto &vector : test::read_vectors("join-code")) {
        SCOPED_TRACE(vector["name"]);
        const auto text = vector["text"].get<std::string>();
        const auto &expect = vector["expect"];
        const auto parsed = parse_join_code(text);
        if (expect.contains("error")) {
            ASSERT_FALSE(parsed);
            EXPECT_EQ(error_name(parsed.error().code), expect["error"].get<std::string>());
            continue;
        }
        const auto code = expect["code"].get<std::string>();
        const bool listed = expect["listed"].get<bool>();
        EXPECT_EQ(parse_join_code(code).has_value(), listed);
        EXPECT_EQ(parsed.has_value(), listed && text == code) << "only the normal form is parsed";
    }
}

TEST(JoinCode, IsANameplateAndWords) {
    const auto code = parse_join_code("4821-apple-riverboat-stopwatch");
    ASSERT_TRUE(code);
    EXPECT_EQ(code->nameplate, "4821");
    EXPECT_EQ(code->words, "apple-riverboat-stopwatch");
}

TEST(JoinCode, NamesTheFirstWrongWord) {
    const auto refused = parse_join_code("4821-apple-rivreboat-stopwotch");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadCode);
    EXPECT_EQ(refused.error().cause, 2);
    EXPECT_EQ(refused.error().detail, "rivreboat");
}

TEST(JoinCode, AVeryLongTextIsRefused) {
    EXPECT_FALSE(parse_join_code(std::string(1 << 20, '4')));
    EXPECT_FALSE(parse_join_code("4821-" + std::string(1 << 20, 'a')));
    EXPECT_FALSE(parse_join_code("4821" + std::string(1 << 20, '-')));
}

TEST(JoinCode, RandomWordsMakeACodeAndAreSpreadEvenly) {
    constexpr int kCodes = 50'000;
    std::map<std::string_view, int> counts;
    for (const auto word : word_list()) {
        counts[word] = 0;
    }
    for (int round = 0; round < kCodes; ++round) {
        const auto words = random_words();
        const auto code = parse_join_code("1000-" + words);
        ASSERT_TRUE(code) << words;
        std::string_view rest = words;
        for (int word = 0; word < 3; ++word) {
            const auto end = rest.find('-');
            ++counts.at(rest.substr(0, end));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
    }
    // Chi-square with 1294 degrees of freedom: mean 1294, deviation 51; seven deviations.
    const double expected = 3.0 * kCodes / static_cast<double>(word_list().size());
    double chi_square = 0;
    for (const auto &[word, count] : counts) {
        chi_square += (count - expected) * (count - expected) / expected;
    }
    EXPECT_LT(chi_square, 1294 + 7 * 51);
}

} // namespace
} // namespace thru
