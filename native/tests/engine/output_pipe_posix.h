// A pipe that replaces standard output.
#pragma once

#include <csignal>
#include <future>
#include <string>
#include <unistd.h>
#include <utility>

#include <gtest/gtest.h>

namespace thru {

class OutputPipe {
public:
    OutputPipe() {
        // write() then returns an error, as in every program that writes to pipes.
        std::signal(SIGPIPE, SIG_IGN);
        EXPECT_EQ(::pipe(ends_), 0);
    }
    ~OutputPipe() {
        close_reader();
        close_writer();
    }

    int writer() const { return ends_[1]; }
    void close_reader() { close(0); }
    void close_writer() { close(1); }
    /// Reads on another thread until the writer's end is closed or `most` bytes have arrived.
    std::future<std::string> read_all(std::size_t most = std::string::npos) {
        return std::async(std::launch::async, [this, most] {
            std::string all;
            std::string block(1 << 16, '\0');
            while (all.size() < most) {
                const auto got = ::read(ends_[0], block.data(), block.size());
                if (got <= 0) {
                    break;
                }
                all.append(block, 0, static_cast<std::size_t>(got));
            }
            return all;
        });
    }

private:
    void close(int end) {
        if (ends_[end] >= 0) {
            ::close(std::exchange(ends_[end], -1));
        }
    }

    int ends_[2] = {-1, -1};
};

} // namespace thru
