// An address of UDP as a value, in the form that the system uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

struct sockaddr;

namespace thru {

class Address {
public:
    /// None.
    Address() = default;
    /// None for what is no address of IPv4 or IPv6.
    explicit Address(const sockaddr &address);

    bool empty() const { return size_ == 0; }
    /// Only when not empty.
    const sockaddr *get() const { return reinterpret_cast<const sockaddr *>(bytes_.data()); }
    std::size_t size() const { return size_; }

    /// Family, address, port, and the network of an address that means something on one only.
    friend bool operator==(const Address &, const Address &) = default;

private:
    /// As large as sockaddr_in6; zeros behind a shorter one.
    static constexpr std::size_t kMaxBytes = 28;
    alignas(8) std::array<std::uint8_t, kMaxBytes> bytes_{};
    std::size_t size_ = 0;
};

} // namespace thru
