#include "base/natural_order.h"

#include <algorithm>
#include <cstddef>

namespace thru {

namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

unsigned char lower(char letter) {
    return static_cast<unsigned char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
}

/// Removes the leading digits of `rest`, and returns them without leading zeros.
std::string_view take_number(std::string_view &rest) {
    const auto end =
        static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin());
    std::string_view number = rest.substr(0, end);
    rest.remove_prefix(end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

std::strong_ordering loose_order(std::string_view left, std::string_view right) {
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view one = take_number(left);
            const std::string_view other = take_number(right);
            if (one != other) {
                return one.size() == other.size() ? one <=> other : one.size() <=> other.size();
            }
            continue;
        }
        if (const auto order = lower(left.front()) <=> lower(right.front()); order != 0) {
            return order;
        }
        left.remove_prefix(1);
        right.remove_prefix(1);
    }
    return left.size() <=> right.size();
}

} // namespace

std::strong_ordering natural_order(std::string_view left, std::string_view right) {
    const auto order = loose_order(left, right);
    return order != 0 ? order : left <=> right;
}

std::strong_ordering natural_path_order(std::string_view left, std::string_view right) {
    const auto [end, other_end] = std::ranges::mismatch(left, right);
    const auto same = static_cast<std::size_t>(end - left.begin());
    // Skip the folders that both paths share; they differ in the next name.
    const std::size_t slash = left.substr(0, same).rfind('/');
    const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
    left.remove_prefix(begin);
    right.remove_prefix(begin);
    const std::size_t left_end = left.find('/');
    const std::size_t right_end = right.find('/');
    const bool is_left_folder = left_end != std::string_view::npos;
    const bool is_right_folder = right_end != std::string_view::npos;
    if (is_left_folder != is_right_folder) {
        return is_left_folder ? std::strong_ordering::less : std::strong_ordering::greater;
    }
    return natural_order(left.substr(0, left_end), right.substr(0, right_end));
}

} // namespace thru
