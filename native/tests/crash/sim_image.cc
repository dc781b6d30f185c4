#include "crash/sim_image.h"

#include <utility>

namespace thru::test {

using fs::ErrorKind;
using fs::FileType;

NodeId SimNames::find(const std::string &name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? 0 : found->second;
}

std::vector<NodeId> SimNames::possible() const {
    std::vector<NodeId> nodes;
    for (const auto &[name, node] : synced_) {
        nodes.push_back(node);
    }
    for (const Change &change : unsynced_) {
        nodes.push_back(change.node);
    }
    return nodes;
}

void SimNames::put(const std::string &name, NodeId node, bool linked) {
    const NodeId replaced = std::exchange(names_[name], node);
    unsynced_.push_back({.node = node, .name = name, .replaced = replaced, .linked = linked});
}

void SimNames::rename(const std::string &from, const std::string &to, bool linked) {
    const NodeId node = find(from);
    names_.erase(from);
    put(to, node, linked);
    unsynced_.back().from = from;
}

void SimNames::take(const std::string &name, bool linked) {
    unsynced_.push_back({.node = find(name), .linked = linked, .from = name});
    names_.erase(name);
}

void SimNames::sync() {
    synced_ = names_;
    unsynced_.clear();
}

void SimNames::apply(std::size_t change) {
    const Change &applied = unsynced_[change];
    if (!applied.name.empty()) {
        // A node that had moved away from this name by then must move away on the disk first.
        const auto existing = synced_.find(applied.name);
        const NodeId node = existing == synced_.end() ? 0 : existing->second;
        for (std::size_t earlier = change; node != 0 && node != applied.replaced && earlier > 0;) {
            if (unsynced_[--earlier].node == node) {
                apply(earlier);
                break;
            }
        }
    }
    std::erase_if(synced_, [&](const auto &entry) {
        return entry.second == applied.node && (!applied.linked || entry.first == applied.from);
    });
    if (!applied.name.empty()) {
        synced_[applied.name] = applied.node;
    }
}

void SimNames::lose_power(Fate &fate) {
    for (std::size_t change = 0; change < unsynced_.size(); ++change) {
        if (fate.keeps(Fate::Kind::Names)) {
            apply(change);
        }
    }
    names_ = synced_;
    unsynced_.clear();
}

void SimNode::set_attributes(const SimAttributes &changed) {
    if (unsynced_attributes.empty()) {
        unsynced_attributes.push_back(attributes);
    }
    unsynced_attributes.push_back(changed);
    attributes = changed;
}

void SimNode::sync_attributes() { unsynced_attributes.clear(); }

SimImage::SimImage() { nodes_[kRoot] = {.id = kRoot, .type = FileType::Folder, .parent = kRoot}; }

SimNode *SimImage::find(NodeId node) {
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? nullptr : &found->second;
}

const SimNode *SimImage::find(NodeId node) const {
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? nullptr : &found->second;
}

NodeId SimImage::add(SimNode node) {
    node.id = ++last_;
    node.number = last_;
    nodes_[last_] = std::move(node);
    return last_;
}

void SimImage::number_anew(const std::set<NodeId> &but) {
    for (auto &[id, node] : nodes_) {
        if (node.type == fs::FileType::File && !but.contains(id)) {
            node.number += std::uint64_t{1} << 32;
        }
    }
}

SimResult<NodeId> SimImage::at(std::string_view path, bool follow) const {
    constexpr int kMaxLinks = 40;
    return walk(kRoot, path, follow, kMaxLinks);
}

SimResult<NodeId> SimImage::beneath(NodeId start, std::string_view relative) const {
    bool leads_outside = relative.starts_with('/');
    each_component(relative, [&](const std::string &component, std::string_view) {
        leads_outside = leads_outside || component == "..";
        return !leads_outside;
    });
    if (leads_outside) {
        return std::unexpected(ErrorKind::Refused);
    }
    return walk(start, relative, false, 0);
}

/// Follows at most `links` links.
SimResult<NodeId> SimImage::walk(NodeId start, std::string_view path, bool follow,
                                 int links) const {
    SimResult<NodeId> reached = start;
    each_component(path, [&](const std::string &component, std::string_view rest) {
        const SimNode &folder = *find(*reached);
        if (folder.type != FileType::Folder) {
            reached = std::unexpected(ErrorKind::NotFolder);
            return false;
        }
        const NodeId next = component == ".." ? folder.parent : folder.names.find(component);
        const SimNode *node = find(next);
        if (node == nullptr) {
            reached = std::unexpected(ErrorKind::NotFound);
            return false;
        }
        if (node->type == FileType::Link && (follow || !rest.empty())) {
            reached = links == 0 ? std::unexpected(ErrorKind::Link)
                                 : walk(node->target.starts_with('/') ? kRoot : *reached,
                                        node->target, true, links - 1);
            return reached.has_value();
        }
        reached = next;
        return true;
    });
    return reached;
}

std::string SimImage::path_of(NodeId node) const {
    std::string path;
    while (node != kRoot) {
        const SimNode *found = find(node);
        const SimNode *parent = found == nullptr ? nullptr : find(found->parent);
        if (parent == nullptr) {
            return "(gone)" + path;
        }
        std::string name = "(removed)";
        for (const auto &[listed, child] : parent->names.all()) {
            if (child == node) {
                name = listed;
                break;
            }
        }
        path.insert(0, "/" + name);
        node = found->parent;
    }
    return path.empty() ? "/" : path;
}

std::set<NodeId> SimImage::named(bool after_power_loss) const {
    std::set<NodeId> reached;
    std::vector<NodeId> left = {kRoot};
    while (!left.empty()) {
        const NodeId id = left.back();
        left.pop_back();
        if (!reached.insert(id).second) {
            continue;
        }
        const SimNames &names = nodes_.at(id).names;
        for (const auto &[name, child] : names.all()) {
            left.push_back(child);
        }
        if (after_power_loss) {
            const std::vector<NodeId> possible = names.possible();
            left.insert(left.end(), possible.begin(), possible.end());
        }
    }
    return reached;
}

std::uint64_t SimImage::blocks() const {
    std::uint64_t sum = 0;
    for (const NodeId id : named(false)) {
        sum += nodes_.at(id).blocks();
    }
    return sum;
}

void SimImage::sync() {
    for (auto &[id, node] : nodes_) {
        node.content.sync();
        node.names.sync();
        node.sync_attributes();
    }
}

void SimImage::fail_sync() {
    for (auto &[id, node] : nodes_) {
        node.content.fail_sync();
    }
}

void SimImage::collect() {
    const std::set<NodeId> kept = named(true);
    std::erase_if(nodes_, [&](const auto &entry) { return !kept.contains(entry.first); });
    const std::set<NodeId> now = named(false);
    for (auto &[id, node] : nodes_) {
        node.named = now.contains(id);
    }
}

void SimImage::lose_power(std::uint64_t seed) {
    Fate fate(seed);
    for (auto &[id, node] : nodes_) {
        node.content.lose_power(fate);
        node.names.lose_power(fate);
        if (!node.unsynced_attributes.empty()) {
            const std::size_t count = node.unsynced_attributes.size();
            node.attributes = node.unsynced_attributes[fate.version(Fate::Kind::Attributes, count)];
            node.sync_attributes();
        }
    }
    collect();
}

} // namespace thru::test
