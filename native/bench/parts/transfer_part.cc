#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "engine/engine.h"
#include "parts/files.h"
#include "parts/part.h"
#include "running_engine.h"

namespace thru::bench {

namespace {

constexpr SessionNumber kShared = 1;
constexpr SessionNumber kReceived = 2;

/// A share of one file and a receive of it, in two engines that signal each other directly.
class OwnTransfer {
public:
    explicit OwnTransfer(const std::string &source)
        : sender_([this](const Event &event) { on_sender(event); }),
          receiver_([this](const Event &event) { on_receiver(event); }) {
        sender_.post(OpenShare{.session = kShared, .items = {{.path = source}}, .name = "sender"});
        sender_.post(SetCode{kShared, "4821-apple-banana-cactus"});
        sender_.post(AddPeer{kShared, "r"});
        receiver_.post(OpenReceive{.session = kReceived,
                                   .receive = {1, 2, 3},
                                   .nameplate = "4821",
                                   .secret = ByWords{"apple-banana-cactus"},
                                   .peer = "s",
                                   .name = "receiver"});
        wait(offered_);
    }
    ~OwnTransfer() {
        // Its thread sends messages to the other engine.
        sender_.close();
    }
    OwnTransfer(const OwnTransfer &) = delete;
    OwnTransfer &operator=(const OwnTransfer &) = delete;

    /// Runs until everything is published in `target`.
    void receive(const std::string &target) {
        receiver_.post(Accept{kReceived, target, {}, {}, {}});
        wait(finished_);
    }

private:
    void on_sender(const Event &event) {
        if (const auto *signal = std::get_if<SignalEvent>(&event)) {
            receiver_.post(Signal{kReceived, "s", signal->payload});
        }
        demand(!std::holds_alternative<FailedEvent>(event), "The sender of a file has failed");
    }
    void on_receiver(const Event &event) {
        if (const auto *signal = std::get_if<SignalEvent>(&event)) {
            sender_.post(Signal{kShared, "r", signal->payload});
        } else if (std::holds_alternative<OfferEvent>(event)) {
            note(offered_);
        } else if (const auto *finished = std::get_if<FinishedEvent>(&event)) {
            demand(finished->files == 1 && finished->problems == 0, "A file has not arrived");
            note(finished_);
        }
        demand(!std::holds_alternative<FailedEvent>(event), "The receiver of a file has failed");
    }
    void note(bool &happened) {
        const std::lock_guard lock(mutex_);
        happened = true;
        changed_.notify_all();
    }
    void wait(const bool &happened) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return happened; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool offered_ = false;
    bool finished_ = false;
    // Last, because their threads use the members above.
    RunningEngine sender_;
    RunningEngine receiver_;
};

Ready prepare_files(std::uint64_t amount) {
    const auto folder = std::make_shared<OwnFolder>();
    const std::string source = folder->below("source.bin");
    write_file(source, amount);
    return {.amount = amount,
            .run =
                [=] {
                    const std::string target = folder->below("target");
                    Took took;
                    {
                        OwnTransfer transfer(source);
                        took = timed([&] { transfer.receive(target); });
                    }
                    std::filesystem::remove_all(target);
                    return took;
                },
            .limit =
                [=] {
                    const std::string copy = folder->below("copy.bin");
                    const Took took = timed([&] { copy_file(source, copy); });
                    std::filesystem::remove(copy);
                    return took;
                }};
}

} // namespace

const Part kFiles{.name = "files",
                  .what = "a file to a file over loopback, from the acceptance to its name, by two "
                          "engines in one process",
                  .unit = "B",
                  .limit = "read, write and sync of a copy",
                  .amount = 1ULL << 30,
                  .prepare = prepare_files};

} // namespace thru::bench
