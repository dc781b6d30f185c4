// Everything on the simulated disk: folders, files and links, as programs see them and as they
// survive a power loss. A value: a copy is another disk.
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
    /// Names as programs see them.
    const std::map<std::string, NodeId> &all() const { return names_; }
    /// All nodes, including those that a power loss may bring back.
    std::vector<NodeId> possible() const;
    /// 0 if there is no such name.
    NodeId find(const std::string &name) const;
    /// Adds a name, replacing an existing one. A `linked` node keeps its other names.
    void put(const std::string &name, NodeId node, bool linked = false);
    /// Renames in one step: the node is never visible under both names or neither.
    void rename(const std::string &from, const std::string &to, bool linked = false);
    void take(const std::string &name, bool linked = false);

    void sync();
    /// Each change since the last sync is kept or lost independently, but a renamed node has either
    /// its old or its new name.
    void lose_power(Fate &fate);

private:
    struct Change {
        NodeId node = 0;
        /// Empty if the node lost its name.
        std::string name;
        /// The node that had the name before.
        NodeId replaced = 0;
        /// It has other names, which stay.
        bool linked = false;
        /// The name that a linked node loses.
        std::string from;
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
    /// The synced ones first; the last ones are what programs see.
    std::vector<SimAttributes> unsynced_attributes;
    std::int64_t ctime_ns = 0;
    /// Blocks beyond those of its content.
    std::uint64_t reserved_blocks = 0;
    NodeId parent = 0;
    /// Its file number as programs see it.
    std::uint64_t number = 0;
    /// False once it was removed or replaced; it may still be open.
    bool named = true;
    /// It has had several names at a time.
    bool linked = false;

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
    /// Assigns the node's id.
    NodeId add(SimNode node);

    /// The node at an absolute path; follows a link at its end if `follow` is set.
    SimResult<NodeId> at(std::string_view path, bool follow) const;
    /// The node below `start`; passes through folders only.
    SimResult<NodeId> beneath(NodeId start, std::string_view relative) const;
    /// An absolute path without links.
    std::string path_of(NodeId node) const;

    /// Blocks of all nodes with a name.
    std::uint64_t blocks() const;
    bool is_named(NodeId node) const { return named(false).contains(node); }
    void sync();
    void fail_sync();
    /// Renumbers all files but these.
    void number_anew(const std::set<NodeId> &but);
    /// Drops nodes that have no name, now or after a power loss.
    void collect();
    void lose_power(std::uint64_t seed);

private:
    /// The nodes that can be reached from the root, now or after a power loss.
    std::set<NodeId> named(bool after_power_loss) const;
    SimResult<NodeId> walk(NodeId start, std::string_view path, bool follow, int links) const;

    std::map<NodeId, SimNode> nodes_;
    NodeId last_ = kRoot;
};

/// Calls `visit` with each component of a path, except empty ones and dots, until it returns false.
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
