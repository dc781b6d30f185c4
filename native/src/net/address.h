// A UDP address as a value, in the system's format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

struct sockaddr;

namespace thru {

class Address {
public:
    /// The empty address.
    Address() = default;
    /// Empty if `address` is neither IPv4 nor IPv6.
    explicit Address(const sockaddr &address);

    bool empty() const { return size_ == 0; }
    /// Call this only if the address is not empty.
    const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(bytes_.data()); }
    std::size_t size() const { return size_; }

    /// Compares family, address, port and, for scoped addresses, the interface.
    friend bool operator==(const Address &, const Address &) = default;

private:
    /// The size of sockaddr_in6; shorter addresses are padded with zeros.
    static constexpr std::size_t kMaxBytes = 28;
    alignas(8) std::array<std::uint8_t, kMaxBytes> bytes_{};
    std::size_t size_ = 0;
};

} // namespace thru
