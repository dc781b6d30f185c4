// Everything on the simulated disk: folders, files and links, as programs see them and as they
// outlast a power loss. A value: a copy is another disk.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crash/sim_content.h"
#include "fs/file_system.h"

namespace thru::test {

using NodeId = std::uint64_t;

template <class T = void> using SimResult = std::expected<T, fs::ErrorKind>;

/// Names in one folder.
class SimNames {
public:
    /// As programs see them.
    const std::map<std::string, NodeId> &all() const { return names_; }
    /// What a power loss may bring back, too.
    std::vector<NodeId> possible() const;
    /// 0 when there is none of this name.
    NodeId find(const std::string &name) const;
    /// Adds a name, replacing an existing one.
    void put(const std::string &name, NodeId node);
    /// In one step: nobody sees the node under both names or none.
    void rename(const std::string &from, const std::string &to);
    void take(const std::string &name);

    void sync();
    /// Each change since the last sync is kept or lost independently, but a node that was renamed
    /// has its old name or the new one.
    void lose_power(Fate &fate);

private:
    struct Change {
        NodeId node = 0;
        /// Empty after it lost its name.
        std::string name;
        /// What had that name then.
        NodeId replaced = 0;
    };
    void apply(std::size_t change);

    std::map<std::string, NodeId> names_;
    std::map<std::string, NodeId> synced_;
    std::vector<Change> unsynced_;
};

struct SimAttributes {
    std::int64_t mtime_ns = 0;
    std::uint32_t mode = fs::kPlainMode;
};

struct SimNode {
    NodeId id = 0;
    fs::FileType type = fs::FileType::File;
    SimContent content;
    SimNames names;
    /// The target of a link.
    std::string target;
    SimAttributes attributes;
    /// The synced ones first; the last are what programs see.
    std::vector<SimAttributes> unsynced_attributes;
    std::int64_t ctime_ns = 0;
    /// Blocks that it has beyond those of its content.
    std::uint64_t reserved_blocks = 0;
    NodeId parent = 0;
    /// Its status as programs see it.
    std::uint64_t number = 0;
    /// Not once it was removed or replaced; it may be open then.
    bool named = true;

    std::uint64_t blocks() const { return content.blocks() + reserved_blocks; }
    void set_attributes(const SimAttributes &changed);
    void sync_attributes();
};

class SimImage {
public:
    static constexpr NodeId kRoot = 1;

    SimImage();

    SimNode *find(NodeId node);
    const SimNode *find(NodeId node) const;
    /// Gives it its id.
    NodeId add(SimNode node);

    /// The node at an absolute path; a link at its end is followed when `follow` says so.
    SimResult<NodeId> at(std::string_view path, bool follow) const;
    /// Below `start`, through folders only.
    SimResult<NodeId> beneath(NodeId start, std::string_view relative) const;
    /// Without links, and absolute.
    std::string path_of(NodeId node) const;

    /// Blocks that everything with a name has together.
    std::uint64_t blocks() const;
    void sync();
    void fail_sync();
    /// Gives all files but these another number.
    void number_anew(const std::set<NodeId> &but);
    /// Drops what has no name, and gets none back when the power is lost.
    void collect();
    void lose_power(std::uint64_t seed);

private:
    /// The nodes that can be reached from the root, now or after a power loss.
    std::set<NodeId> named(bool after_power_loss) const;
    SimResult<NodeId> walk(NodeId start, std::string_view path, bool follow, int links) const;

    std::map<NodeId, SimNode> nodes_;
    NodeId last_ = kRoot;
};

/// Calls `visit` with each component of a path, none of them empty or a dot, until it returns
/// false.
template <class Visit> void each_component(std::string_view path, Visit visit) {
    while (!path.empty()) {
        const std::size_t slash = path.find('/');
        const std::string_view component = path.substr(0, slash);
        path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
        if (!component.empty() && component != "." && !visit(std::string(component), path)) {
            return;
        }
    }
}

} // namespace thru::test
