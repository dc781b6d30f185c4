#include "engine/delete_queue.h"

#include <gtest/gtest.h>

#include "engine/folder_end.h"
#include "fs/disk.h"

namespace thru {
namespace {

TEST(DeleteQueue, WaitsForItsOwnFolderOnly) {
    const test::TemporaryFolder hanging;
    const test::TemporaryFolder other;
    test::FolderEnd end(other.path());
    auto &context = end.context();
    std::vector<SessionNumber> told;
    DeleteQueue queue(context);
    const auto turn = [&] {
        queue.service();
        end.finish_disk();
        for (const auto &event : context.events.take()) {
            if (const auto *deleted = std::get_if<PartialDeletedEvent>(&event)) {
                told.push_back(deleted->session);
            }
        }
    };
    const auto suspending = context.suspending.insert(hanging.path().string());
    queue.add({.session = 1, .directory = hanging.path().string()});
    queue.add({.session = 2, .directory = other.path().string()});
    turn();
    EXPECT_EQ(told, std::vector<SessionNumber>{2});
    turn();
    context.suspending.erase(suspending);
    turn();
    EXPECT_EQ(told, (std::vector<SessionNumber>{2, 1}));
    turn();
    EXPECT_EQ(told.size(), 2U);
}

} // namespace
} // namespace thru
