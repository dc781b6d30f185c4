// thru_bench [MiB] [runs]: one QUIC connection over loopback UDP.
// thru_bench engine <runs> <size> [name...]: parts of the engine, a line of JSON for each.
// thru_bench paths [name] [seconds]: bulk data over simulated paths in virtual time.
// thru_bench hash <MiB>: CPU seconds for the hashes of this much data at one end.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "hashing.h"
#include "many_receivers.h"
#include "parts/parts.h"
#include "quic_loopback.h"
#include "simulated_paths.h"
#include "simulated_sharing.h"

namespace {

using namespace thru;

void print_packets(std::uint64_t bytes, std::uint64_t runs) {
    for (const auto &[name, control] :
         {std::pair{"cubic", CongestionControl::Cubic}, std::pair{"bbr", CongestionControl::Bbr}}) {
        std::vector<double> rates;
        for (std::uint64_t index = 0; index < runs; ++index) {
            const auto figures = send_over_loopback(bytes, control);
            const auto gigabytes = static_cast<double>(figures.bytes) * 1e-9;
            rates.push_back(gigabytes * 1000 / figures.seconds);
            std::printf("%-6s %6.0f MB/s  sender %.2f s/GB  receiver %.2f s/GB\n", name,
                        rates.back(), figures.sender_cpu / gigabytes,
                        figures.receiver_cpu / gigabytes);
        }
        std::ranges::sort(rates);
        std::printf("%-6s median %.0f MB/s of %zu runs\n", name, rates[rates.size() / 2],
                    rates.size());
    }
}

} // namespace

int main(int count, char **arguments) {
    const auto number = [&](int index, std::uint64_t otherwise) {
        return count > index ? std::strtoull(arguments[index], nullptr, 10) : otherwise;
    };
    if (count > 3 && std::string_view(arguments[1]) == "engine") {
        return bench::print_parts({.runs = number(2, 1),
                                   .size = std::strtod(arguments[3], nullptr),
                                   .names = {arguments + 4, arguments + count}})
                   ? 0
                   : 1;
    }
    if (count > 1 && std::string_view(arguments[1]) == "paths") {
        print_simulated_paths(count > 2 ? arguments[2] : "", static_cast<double>(number(3, 20)),
                              static_cast<std::uint32_t>(std::max<std::uint64_t>(number(4, 1), 1)));
        return 0;
    }
    if (count > 1 && std::string_view(arguments[1]) == "sharing") {
        print_simulated_sharing(count > 2 ? arguments[2] : "", static_cast<double>(number(3, 60)));
        return 0;
    }
    if (count > 1 && std::string_view(arguments[1]) == "many-receivers") {
        return print_many_receivers(number(2, 100), number(3, 16) << 20, number(4, 60)) ? 0 : 1;
    }
    if (count > 2 && std::string_view(arguments[1]) == "hash") {
        std::printf("%.3f\n", hashing_seconds(number(2, 0) << 20));
        return 0;
    }
    print_packets(number(1, 1024) << 20, number(2, 3));
}
