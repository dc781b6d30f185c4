#include "pairing/join_code.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

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
    // Three words carry 31 bits, on which docs/protocol.md relies.
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

/// Chi-squared statistic of the counts of equally likely outcomes.
double chi_square(const std::vector<int> &counts, double expected) {
    double sum = 0;
    for (const auto count : counts) {
        sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
}

// CODE-07
TEST(JoinCode, AMillionRandomCodesAreSpreadEvenlyAndRepeatNoOftenerThanExpected) {
    constexpr int kCodes = 1'000'000;
    constexpr int kWords = 3;
    const auto list = word_list();
    std::vector<std::vector<int>> counts(kWords, std::vector<int>(list.size()));
    std::vector<std::uint32_t> codes;
    codes.reserve(kCodes);
    for (int round = 0; round < kCodes; ++round) {
        const auto words = random_words();
        std::string_view rest = words;
        std::uint32_t number = 0;
        for (auto &place : counts) {
            const auto end = std::min(rest.find('-'), rest.size());
            const auto word = std::ranges::lower_bound(list, rest.substr(0, end));
            ASSERT_TRUE(word != list.end() && *word == rest.substr(0, end)) << words;
            const auto index = static_cast<std::uint32_t>(word - list.begin());
            ++place[index];
            number = number * static_cast<std::uint32_t>(list.size()) + index;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        ASSERT_TRUE(rest.empty()) << words;
        codes.push_back(number);
    }
    // 1294 degrees of freedom: mean 1294, standard deviation 51; allows seven deviations.
    const double expected = static_cast<double>(kCodes) / static_cast<double>(list.size());
    for (const auto &place : counts) {
        EXPECT_LT(chi_square(place, expected), 1294 + 7 * 51);
    }
    // One in 1295^3 of the 10^12 / 2 pairs is equal: 230 pairs, with a standard deviation of 15.
    std::ranges::sort(codes);
    const auto repeated = std::ranges::unique(codes).size();
    EXPECT_NEAR(static_cast<double>(repeated), 230, 7 * 15.2);
}

} // namespace
} // namespace thru
