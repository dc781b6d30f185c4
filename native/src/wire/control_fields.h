// The fields of control messages. Writer and reader have the same functions, so a message's layout
// is written once for both (control.cc). Normative text: docs/protocol.md#control-stream
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/byte_reader.h"
#include "base/bytes.h"
#include "base/error.h"
#include "wire/index_ranges.h"
#include "wire/varint.h"

namespace thru {

/// An enum whose values count up from 0.
template <class T>
concept Choice = std::is_enum_v<T>;

/// Appends the fields of one payload to `out`. Values beyond their limits are bugs in the caller.
class FieldWriter {
public:
    explicit FieldWriter(Bytes &out) : out_(out) {}

    void number(std::uint64_t value) { append_varint(out_, value); }
    template <std::unsigned_integral T> void small_number(T value) { append_varint(out_, value); }
    /// A last field that version 1 gained later: 0 or absent means no. `more`: another one follows.
    void late_flag(bool value, bool more = false) {
        if (value || more) {
            number(value ? 1 : 0);
        }
    }
    /// A last field that version 1 gained later: absent means 0.
    void late_number(std::uint64_t value) {
        if (value != 0) {
            number(value);
        }
    }
    template <Choice T> void choice(T value, [[maybe_unused]] T last) {
        assert(value <= last);
        number(static_cast<std::uint64_t>(value));
    }
    template <std::size_t Size> void raw(const std::array<std::uint8_t, Size> &bytes) {
        append_bytes(out_, bytes);
    }
    /// Eight bytes.
    void time(std::int64_t ns) { append_big_endian(out_, static_cast<std::uint64_t>(ns), 8); }
    void peer_name(std::string_view name);
    void error(ErrorCode code);
    /// Writes an empty name if there is no code.
    void error(const std::optional<ErrorCode> &code);
    void ranges(const IndexRanges &ranges);
    /// A text of at least one byte, without zero bytes.
    void name(std::string_view name, [[maybe_unused]] std::size_t max_bytes) {
        assert(!name.empty() && name.size() <= max_bytes && !name.contains('\0'));
        text(name);
    }
    /// Any bytes.
    void value(std::string_view value, [[maybe_unused]] std::size_t max_bytes) {
        assert(value.size() <= max_bytes);
        text(value);
    }
    /// `lay_out` writes one element.
    template <class Elements, class LayOut>
    void list(const Elements &elements, [[maybe_unused]] std::size_t most, LayOut lay_out) {
        assert(elements.size() <= most);
        number(elements.size());
        for (const auto &element : elements) {
            lay_out(element);
        }
    }
    /// Asserts a condition on several fields.
    void check([[maybe_unused]] bool holds) { assert(holds); }

private:
    void text(std::string_view text);

    Bytes &out_;
};

/// Reads the fields of one payload in order. Once a field is missing or beyond its limit, all later
/// ones are empty, so checking `ok` once is enough.
class FieldReader {
public:
    explicit FieldReader(ByteView payload) : reader_(payload) {}

    bool ok() const { return ok_; }

    void number(std::uint64_t &value) { value = take_number(); }
    template <std::unsigned_integral T> void small_number(T &value) {
        const auto number = take_number();
        check(number <= std::numeric_limits<T>::max());
        value = ok_ ? static_cast<T>(number) : T{};
    }
    /// Any number but 0 means yes.
    void late_flag(bool &value, bool /*more*/ = false) {
        value = ok_ && reader_.left() > 0 && take_number() != 0;
    }
    void late_number(std::uint64_t &value) {
        value = ok_ && reader_.left() > 0 ? take_number() : 0;
    }
    template <Choice T> void choice(T &value, T last) {
        const auto number = take_number();
        check(number <= static_cast<std::uint64_t>(last));
        value = ok_ ? static_cast<T>(number) : T{};
    }
    template <std::size_t Size> void raw(std::array<std::uint8_t, Size> &bytes) {
        std::ranges::copy(take_bytes(Size), bytes.begin());
    }
    void time(std::int64_t &ns) {
        check(reader_.left() >= 8);
        ns = ok_ ? static_cast<std::int64_t>(*reader_.big_endian(8)) : 0;
    }
    void peer_name(std::string &name);
    void error(ErrorCode &code);
    void error(std::optional<ErrorCode> &code);
    void ranges(IndexRanges &ranges);
    void name(std::string &name, std::size_t max_bytes) {
        name = take_text(max_bytes);
        check(!name.empty() && !name.contains('\0'));
    }
    void value(std::string &value, std::size_t max_bytes) { value = take_text(max_bytes); }
    template <class Elements, class LayOut>
    void list(Elements &elements, std::size_t most, LayOut lay_out) {
        const auto count = take_number();
        check(count <= most);
        while (ok_ && elements.size() < count) {
            lay_out(elements.emplace_back());
        }
    }
    void check(bool holds) { ok_ = ok_ && holds; }

private:
    /// Returns 0 if the number is missing.
    std::uint64_t take_number();
    /// Returns an empty view if bytes are missing.
    ByteView take_bytes(std::uint64_t length);
    std::string_view take_text(std::size_t max_bytes);

    ByteReader reader_;
    bool ok_ = true;
};

} // namespace thru
