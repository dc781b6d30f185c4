#include "simulated_sharing.h"

#include <cstdio>
#include <string>
#include <vector>

#include "sim/shared_trial.h"

namespace {

using namespace thru;
using sim::SharedTrial;

struct Named {
    std::string name;
    SharedTrial trial;
};

std::vector<Named> all_trials() {
    std::vector<Named> trials;
    constexpr auto kBbr = CongestionControl::Bbr;
    constexpr auto kCubic = CongestionControl::Cubic;
    const std::vector<std::pair<std::string, std::vector<SharedTrial::Flow>>> mixes = {
        {"BBR, BBR", {{kBbr}, {kBbr}}},
        {"four BBR", {{kBbr}, {kBbr}, {kBbr}, {kBbr}}},
        {"BBR, BBR 5 s later", {{kBbr}, {kBbr, 5}}},
        {"BBR, CUBIC", {{kBbr}, {kCubic}}},
        {"CUBIC, BBR 5 s later", {{kBbr, 5}, {kCubic}}},
        {"BBR, two CUBIC", {{kBbr}, {kCubic}, {kCubic}}},
        {"CUBIC, CUBIC", {{kCubic}, {kCubic}}},
        {"leaving room, CUBIC", {{.background = true}, {kCubic}}},
        {"leaving room, BBR", {{.background = true}, {kBbr}}},
        {"CUBIC, leaving room 5 s later", {{.begins = 5, .background = true}, {kCubic}}},
        {"BBR, leaving room 5 s later", {{.begins = 5, .background = true}, {kBbr}}},
        {"leaving room, leaving room", {{.background = true}, {.background = true}}},
    };
    for (const auto &[mix, flows] : mixes) {
        for (const double milliseconds : {20, 100}) {
            for (const double queue : {0.25, 1.0, 4.0}) {
                SharedTrial trial{.link = sim::link_of(milliseconds, 100, queue), .flows = flows};
                char text[80];
                std::snprintf(text, sizeof text, "%s | %.0f ms, %.2f BDP", mix.c_str(),
                              milliseconds, queue);
                trials.push_back({text, std::move(trial)});
            }
        }
    }
    return trials;
}

} // namespace

void print_simulated_sharing(std::string_view wanted, double seconds) {
    std::printf("| connections | path | shares | fairness | used | added delay | sent again |\n"
                "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (auto &[name, trial] : all_trials()) {
        if (name.find(wanted) == std::string::npos) {
            continue;
        }
        trial.seconds = seconds;
        const auto figures = sim::measure(trial);
        std::string shares;
        std::string again;
        for (std::size_t index = 0; index < figures.shares.size(); ++index) {
            char text[32];
            std::snprintf(text, sizeof text, "%s%.2f", index > 0 ? ", " : "",
                          figures.shares[index]);
            shares += text;
            std::snprintf(text, sizeof text, "%s%.1f %%", index > 0 ? ", " : "",
                          figures.again[index] * 100);
            again += text;
        }
        std::printf("| %s | %s | %.3f | %.1f %% | %.2f RTT | %s |\n", name.c_str(), shares.c_str(),
                    figures.fairness, figures.used * 100, figures.added_delay, again.c_str());
        std::fflush(stdout);
    }
}
