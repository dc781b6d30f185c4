#include "simulated_paths.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/bulk_trial.h"

namespace {

using namespace thru;
using sim::BulkTrial;

struct Path {
    std::string name;
    BulkTrial trial;
};

constexpr double kMegabits = 200;

Path path(std::string name, double milliseconds, double megabits = kMegabits, double queue = 1) {
    return {.name = std::move(name),
            .trial = {.link = sim::link_of(milliseconds, megabits, queue)}};
}

std::string label(const char *format, double first, double second = 0, double third = 0) {
    char text[64];
    std::snprintf(text, sizeof text, format, first, second, third);
    return text;
}

/// Rates of homes and offices over continental and global routes.
void add_grid(std::vector<Path> &paths) {
    for (const double megabits : {100, 300, 700, 1000}) {
        for (const double rtt : {20, 100, 160, 300}) {
            for (const double loss : {0.0, 0.2, 1.0}) {
                paths.push_back(
                    path(label("grid %4.0f Mbit/s, %3.0f ms, %.1f %%", megabits, rtt, loss), rtt,
                         megabits));
                paths.back().trial.link.loss = loss / 100;
            }
        }
    }
}

std::vector<Path> all_paths() {
    std::vector<Path> paths;
    add_grid(paths);
    for (const double rtt : {20, 100, 160, 300}) {
        for (const double loss : {0.0, 0.2, 1.0, 5.0, 10.0}) {
            paths.push_back(path(label("loss %3.0f ms %4.1f %%", rtt, loss), rtt));
            paths.back().trial.link.loss = loss / 100;
        }
    }
    for (const double loss : {20, 25}) {
        paths.push_back(path(label("heavy loss 100 ms %4.1f %%", loss), 100));
        paths.back().trial.link.loss = loss / 100;
    }
    for (const double rtt : {20, 40, 100}) {
        for (const double most : {5, 30}) {
            paths.push_back(path(label("reordered %3.0f ms by 0-%.0f ms", rtt, most), rtt));
            paths.back().trial.link.held = 1;
            paths.back().trial.link.held_max = static_cast<Timestamp>(most * 1e6);
        }
    }
    paths.push_back(path("reordered  40 ms, 2 % by 5-30 ms", 40));
    paths.back().trial.link.held = 0.02;
    paths.back().trial.link.held_min = 5 * kMillisecond;
    paths.back().trial.link.held_max = 30 * kMillisecond;
    paths.push_back(path("reordered  40 ms by 0-30 ms, 1 % lost", 40));
    paths.back().trial.link.held = 1;
    paths.back().trial.link.held_max = 30 * kMillisecond;
    paths.back().trial.link.loss = 0.01;
    for (const double rtt : {20, 100}) {
        for (const double queue : {0.1, 0.5, 4.0}) {
            paths.push_back(
                path(label("queue %3.0f ms, %.1f BDP", rtt, queue), rtt, kMegabits, queue));
        }
    }
    for (const double factor : {0.1, 10.0}) {
        const auto megabits = factor < 1 ? kMegabits : kMegabits / 10;
        paths.push_back(
            path(label("rate 100 ms, times %.1f", factor), 100, megabits, factor < 1 ? 1 : 10));
        paths.back().trial.rate_change = factor;
    }
    paths.push_back(path("bursts 100 ms, 0.5 % in bursts of 20", 100));
    paths.back().trial.link.burst_begins = 0.00025;
    paths.back().trial.link.burst_length = 20;
    paths.push_back(path("policer 100 ms, credit 0.25 BDP", 100, kMegabits, 0.25));
    paths.back().trial.link.polices = true;
    paths.push_back(path("other  10 ms,  50 Mbit/s, 0.5 %", 10, 50));
    paths.back().trial.link.loss = 0.005;
    paths.push_back(path("other  60 ms, 500 Mbit/s, 2 %", 60, 500));
    paths.back().trial.link.loss = 0.02;
    paths.push_back(path("other 100 ms, 300 Mbit/s, 0.2 %", 100, 300, 0.4));
    paths.back().trial.link.loss = 0.002;
    paths.push_back(path("other 200 ms,  20 Mbit/s, 3 %", 200, 20));
    paths.back().trial.link.loss = 0.03;
    for (const double megabits : {1, 5, 10}) {
        for (const double queue : {1.0, 8.0}) {
            paths.push_back(path(label("slow  40 ms, %2.0f Mbit/s, %.0f BDP", megabits, queue), 40,
                                 megabits, queue));
        }
    }
    for (const double loss : {0, 1}) {
        paths.push_back(path(label("long 300 ms, 1 Gbit/s, %.0f %%", loss), 300, 1000));
        paths.back().trial.link.loss = loss / 100;
    }
    for (const double rtt : {20, 100, 300}) {
        for (const double queue : {0.25, 1.0, 4.0}) {
            paths.push_back(
                path(label("leaving room %3.0f ms, %.2f BDP", rtt, queue), rtt, kMegabits, queue));
            paths.back().trial.background = true;
        }
    }
    paths.push_back(path("leaving room 100 ms, 1 % lost", 100));
    paths.back().trial.link.loss = 0.01;
    paths.back().trial.background = true;
    return paths;
}

/// Runs sorted by their shares, the least first.
std::vector<sim::BulkFigures> runs_of(BulkTrial trial, std::uint32_t seeds) {
    std::vector<sim::BulkFigures> runs;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        runs.push_back(sim::measure(trial));
        ++trial.link.seed;
    }
    std::ranges::sort(runs, {}, &sim::BulkFigures::share);
    return runs;
}

} // namespace

void print_simulated_paths(std::string_view wanted, double seconds, std::uint32_t seeds) {
    std::printf(
        "| path | share | least | steady | sent again | added delay | to 90 %% | to new rate | "
        "waited for memory |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (auto &[name, trial] : all_paths()) {
        if (name.find(wanted) == std::string::npos) {
            continue;
        }
        trial.seconds = seconds;
        const auto runs = runs_of(trial, seeds);
        const auto &figures = runs[runs.size() / 2];
        const auto time = [](double reached) {
            return reached < 0 ? std::string("never") : label("%.2f s", reached);
        };
        std::printf(
            "| %s | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.2f RTT | %s | %s | %.1f %% |%s\n",
            name.c_str(), figures.share * 100, runs.front().share * 100, figures.steady * 100,
            figures.again * 100, figures.added_delay, time(figures.seconds_to_rate).c_str(),
            trial.rate_change == 1 ? "" : time(figures.seconds_to_new_rate).c_str(),
            figures.held_up * 100, figures.alive ? "" : " connection lost");
        std::fflush(stdout);
    }
}
