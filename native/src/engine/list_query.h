#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace thru {

/// A text that a path must contain, ASCII case-insensitive. Empty: any path.
class ListQuery {
public:
    explicit ListQuery(std::string_view words) : words_(words) {
        std::ranges::transform(words_, words_.begin(), lower);
    }
    bool is_in(std::string_view path) const {
        return words_.empty() || std::ranges::search(path, words_, {}, lower).begin() != path.end();
    }

private:
    static char lower(char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    }

    std::string words_;
};

/// Rows [offset, offset + limit) in sorted order. Sorts only this page: linear in the rows.
template <class Row, class Less>
std::span<Row> sorted_page(std::vector<Row> &rows, std::uint64_t offset, std::uint64_t limit,
                           const Less &less) {
    const auto first =
        rows.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, rows.size()));
    const auto last = first + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(
                                  limit, static_cast<std::uint64_t>(rows.end() - first)));
    if (first != rows.begin() && first != rows.end()) {
        std::nth_element(rows.begin(), first, rows.end(), less);
    }
    if (last != rows.end()) {
        std::nth_element(first, last, rows.end(), less);
    }
    std::sort(first, last, less);
    return {first, last};
}

} // namespace thru
