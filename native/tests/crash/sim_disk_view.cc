// Access to the simulated disk from outside the tested process.
#include <functional>

#include "crash/sim_access.h"

namespace thru::test {

NodeId SimDisk::make(const std::string &path, SimNode node) {
    NodeId folder = SimImage::kRoot;
    NodeId made = folder;
    each_component(path, [&](const std::string &name, std::string_view rest) {
        folder = made;
        SimNames &names = image_.find(folder)->names;
        made = names.find(name);
        if (rest.empty() || made == 0) {
            SimNode added = rest.empty() ? std::move(node) : SimNode{.type = fs::FileType::Folder};
            added.parent = folder;
            free_blocks_ -= added.blocks();
            made = image_.add(std::move(added));
            image_.find(folder)->names.put(name, made);
            image_.find(folder)->names.sync();
        }
        return true;
    });
    return made;
}

void SimDisk::put_file(const std::string &path, std::string_view content, std::int64_t mtime_ns) {
    const std::scoped_lock lock(mutex_);
    SimNode node{.attributes = {.mtime_ns = mtime_ns}};
    node.ctime_ns = mtime_ns;
    node.content.write(0, as_bytes(content));
    node.content.sync();
    make(path, std::move(node));
}

void SimDisk::put_folder(const std::string &path) {
    const std::scoped_lock lock(mutex_);
    make(path, {.type = fs::FileType::Folder});
}

namespace {

std::string content_of(const SimNode &node) {
    Bytes bytes(static_cast<std::size_t>(node.content.size()));
    node.content.read(0, bytes);
    return std::string(as_text(bytes));
}

} // namespace

std::optional<std::string> SimDisk::content(const std::string &path) const {
    const std::scoped_lock lock(mutex_);
    const auto found = image_.at(path, false);
    const SimNode *node = found ? image_.find(*found) : nullptr;
    if (node == nullptr || node->type != fs::FileType::File) {
        return std::nullopt;
    }
    return content_of(*node);
}

bool SimDisk::is_one_file(const std::string &path, const std::string &other) const {
    const std::scoped_lock lock(mutex_);
    const auto one = image_.at(path, false);
    return one && one == image_.at(other, false);
}

std::map<std::string, std::string> SimDisk::snapshot(const std::string &folder) const {
    const std::scoped_lock lock(mutex_);
    std::map<std::string, std::string> found;
    const std::function<void(NodeId, const std::string &)> list = [&](NodeId id,
                                                                      const std::string &prefix) {
        for (const auto &[name, child] : image_.find(id)->names.all()) {
            const SimNode &node = *image_.find(child);
            const std::string path = prefix + name;
            found[path] = node.type == fs::FileType::File     ? content_of(node)
                          : node.type == fs::FileType::Folder ? "(folder)"
                                                              : "-> " + node.target;
            list(child, path + "/");
        }
    };
    if (const auto top = image_.at(folder, true)) {
        list(*top, "");
    }
    return found;
}

} // namespace thru::test
