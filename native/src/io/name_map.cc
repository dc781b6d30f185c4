#include "io/name_map.h"

#include <algorithm>
#include <array>
#include <expected>
#include <unordered_map>

#include "crypto/short_hash.h"
#include "io/code_points.h"
#include "io/link_target.h"
#include "io/numbered_name.h"

namespace thru {

namespace {

using NodeId = std::uint32_t;

/// The target itself, which every path begins below.
constexpr NodeId kTop = 0;

/// Something that stands in a folder: an entry, or a folder that entries need and that need not be
/// one itself.
struct Node {
    /// As offered; a view into the manifest.
    std::string_view name;
    /// Instead of `name`, where the system can't hold it.
    std::unique_ptr<const std::string> written;
    NodeId folder = kTop;
    /// Of the whole written path, in bytes.
    std::uint32_t length = 0;
    /// What stands in it and is not forgotten.
    std::uint32_t children = 0;
    /// Index of the entry plus one; 0 for a folder that is none.
    std::uint32_t entry = 0;
    EntryKind kind = EntryKind::Folder;

    std::string_view written_name() const { return written ? std::string_view(*written) : name; }
};

constexpr std::size_t kMaxNodes = 1 + 2 * kMaxManifestEntries;

/// Numbered names that were taken, too, before one was found; over a whole manifest. Only names
/// made for this come near.
constexpr std::uint64_t kMaxTakenNames = kMaxManifestEntries;

/// Grows without moving what is there, so that other threads can read that meanwhile.
template <class T, std::size_t kMost> class Blocks {
public:
    T &operator[](std::size_t at) { return blocks_[at / kPerBlock][at % kPerBlock]; }
    const T &operator[](std::size_t at) const { return blocks_[at / kPerBlock][at % kPerBlock]; }
    /// Makes room up to `size`, at most kMost.
    void grow(std::size_t size) {
        for (; room_ < size; room_ += kPerBlock) {
            blocks_[room_ / kPerBlock] = std::make_unique<T[]>(kPerBlock);
        }
    }

private:
    static constexpr std::size_t kPerBlock = 4096;
    std::array<std::unique_ptr<T[]>, kMost / kPerBlock + 1> blocks_;
    std::size_t room_ = 0;
};

/// Why an entry is refused.
using Refused = std::unexpected<std::string>;
template <class T = void> using Checked = std::expected<T, std::string>;

} // namespace

struct NameMap::State {
    State(TargetRules its_rules, bool folds) : rules(its_rules), folds_case(folds) {
        nodes.grow(1);
    }

    Checked<> add(const ManifestTable &manifest, std::size_t index);
    /// The folder that `path` names; made when no entry was in it so far.
    Checked<NodeId> reach(std::string_view path);
    Checked<NodeId> make(NodeId folder, std::string_view name, EntryKind kind);
    /// A name for what is called `name` that nothing else in `folder` has.
    Checked<std::string> free_name(NodeId folder, std::string_view name, EntryKind kind);
    void release(NodeId node);
    std::string written_path(NodeId node) const;

    std::uint64_t hash_of(NodeId folder, std::string_view name) const;
    /// The same for all names that the system takes for one.
    std::uint64_t place_of(NodeId folder, std::string_view written) const {
        return folds_case ? hash_of(folder, folded(written)) : hash_of(folder, written);
    }

    const TargetRules rules;
    const bool folds_case;
    const ShortHash hash;

    Blocks<Node, kMaxNodes> nodes;
    std::size_t node_count = 1;
    Blocks<NodeId, kMaxManifestEntries> entry_nodes;
    std::size_t entry_count = 0;

    // By 64 bits under a secret key: for a million names the odds of a chance collision are one in
    // thirty million.
    std::unordered_map<std::uint64_t, NodeId> by_name;
    std::unordered_map<std::uint64_t, NodeId> by_place;
    /// The number to try next, for places that several entries want.
    std::unordered_map<std::uint64_t, unsigned> next_number;
    std::uint64_t taken_names = 0;

    /// Entries come folder by folder: the one of the last.
    std::string_view last_folder;
    NodeId last_folder_node = kTop;

    std::uint64_t mapped = 0;
    std::vector<MappedName> listed;
};

std::uint64_t NameMap::State::hash_of(NodeId folder, std::string_view name) const {
    std::string text(reinterpret_cast<const char *>(&folder), sizeof folder);
    text += name;
    return hash(as_bytes(text));
}

Checked<> NameMap::State::add(const ManifestTable &manifest, std::size_t index) {
    const std::string_view path = manifest.path(index);
    const EntryKind kind = manifest.kind(index);
    // What no system may be asked for; the rest is mapped.
    if (const auto safe = SafeRelPath::parse(path, TargetRules::Posix); !safe) {
        return Refused(safe.error().detail);
    }
    const std::size_t slash = path.rfind('/');
    const bool at_top = slash == std::string_view::npos;
    if (kind == EntryKind::Link) {
        if (at_top) {
            return Refused("symbolic link that is in no shared item");
        }
        if (const auto inside = check_link_target(path, manifest.target(index)); !inside) {
            return Refused(inside.error().detail);
        }
    }
    const auto folder = reach(at_top ? std::string_view{} : path.substr(0, slash));
    if (!folder) {
        return Refused(folder.error());
    }
    const std::string_view name = at_top ? path : path.substr(slash + 1);
    NodeId node = kTop;
    if (const auto known = by_name.find(hash_of(*folder, name)); known != by_name.end()) {
        node = known->second;
        if (nodes[node].entry != 0) {
            return Refused("the same path twice");
        }
        if (kind != EntryKind::Folder) {
            return Refused("not a folder, but others are in it");
        }
    } else {
        const auto made = make(*folder, name, kind);
        if (!made) {
            return Refused(made.error());
        }
        node = *made;
    }
    nodes[node].entry = static_cast<std::uint32_t>(index + 1);
    entry_nodes[index] = node;
    if (nodes[node].written) {
        ++mapped;
        if (listed.size() < kMostListed) {
            listed.push_back({.path = std::string(path), .written_as = written_path(node)});
        }
    }
    return {};
}

Checked<NodeId> NameMap::State::reach(std::string_view path) {
    if (path.empty()) {
        return kTop;
    }
    if (path == last_folder) {
        return last_folder_node;
    }
    NodeId folder = kTop;
    for (std::string_view rest = path; !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find('/'));
        const auto known = by_name.find(hash_of(folder, name));
        if (known == by_name.end()) {
            const auto made = make(folder, name, EntryKind::Folder);
            if (!made) {
                return made;
            }
            folder = *made;
        } else if (nodes[known->second].kind != EntryKind::Folder) {
            return Refused("in something that is not a folder");
        } else {
            folder = known->second;
        }
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    last_folder = path;
    last_folder_node = folder;
    return folder;
}

Checked<NodeId> NameMap::State::make(NodeId folder, std::string_view name, EntryKind kind) {
    if (node_count == kMaxNodes) {
        return Refused("too many folders");
    }
    auto written = free_name(folder, name, kind);
    if (!written) {
        return Refused(written.error());
    }
    const std::size_t above = folder == kTop ? 0 : nodes[folder].length + std::size_t{1};
    if (above + written->size() > kMaxPathBytes) {
        return Refused("path too long with the names that this system can hold");
    }
    const auto id = static_cast<NodeId>(node_count++);
    nodes.grow(node_count);
    Node &node = nodes[id];
    node.name = name;
    node.folder = folder;
    node.length = static_cast<std::uint32_t>(above + written->size());
    node.kind = kind;
    by_name.emplace(hash_of(folder, name), id);
    by_place.emplace(place_of(folder, *written), id);
    if (*written != name) {
        node.written = std::make_unique<const std::string>(std::move(*written));
    }
    ++nodes[folder].children;
    return id;
}

Checked<std::string> NameMap::State::free_name(NodeId folder, std::string_view name,
                                               EntryKind kind) {
    const std::string wanted = nearest_name(name, rules);
    const std::uint64_t place = place_of(folder, wanted);
    if (!by_place.contains(place)) {
        return wanted;
    }
    unsigned &number = next_number.try_emplace(place, 2).first->second;
    for (;; ++taken_names) {
        if (taken_names == kMaxTakenNames) {
            return Refused("too many names that this system can't tell apart");
        }
        std::string numbered = numbered_name(wanted, kind, number++);
        if (!by_place.contains(place_of(folder, numbered))) {
            return numbered;
        }
    }
}

/// As far up as nothing needs the folder any more.
void NameMap::State::release(NodeId node) {
    while (node != kTop && nodes[node].entry == 0 && nodes[node].children == 0) {
        const NodeId folder = nodes[node].folder;
        by_name.erase(hash_of(folder, nodes[node].name));
        by_place.erase(place_of(folder, nodes[node].written_name()));
        --nodes[folder].children;
        node = folder;
    }
    last_folder = {};
}

std::string NameMap::State::written_path(NodeId node) const {
    std::string path(nodes[node].length, '/');
    for (std::size_t end = path.size(); node != kTop; node = nodes[node].folder) {
        const std::string_view name = nodes[node].written_name();
        path.replace(end - name.size(), name.size(), name);
        end -= std::min(name.size() + 1, end);
    }
    return path;
}

NameMap::NameMap(TargetRules rules, bool folds_case)
    : state_(std::make_unique<State>(rules, folds_case)) {}

NameMap::~NameMap() = default;

Result<> NameMap::extend(const ManifestTable &manifest, std::size_t first, std::size_t end) {
    state_->entry_nodes.grow(end);
    for (std::size_t index = first; index < end; ++index) {
        if (manifest.kind(index) == EntryKind::Gone) {
            continue;
        }
        if (const auto added = state_->add(manifest, index); !added) {
            return fail(ErrorCode::BadManifest, 0,
                        added.error() + ": " + printable(manifest.path(index)));
        }
    }
    state_->entry_count = end;
    return {};
}

void NameMap::forget(const ManifestTable &, const IndexRanges &ranges) {
    for (const IndexRange &range : ranges) {
        for (std::uint64_t index = range.first;
             index < state_->entry_count && index - range.first < range.count; ++index) {
            const NodeId node = state_->entry_nodes[index];
            if (node != kTop && state_->nodes[node].entry == index + 1) {
                state_->nodes[node].entry = 0;
                state_->release(node);
            }
        }
    }
}

SafeRelPath NameMap::place(const ManifestTable &, std::uint64_t index) const {
    return SafeRelPath::parse(state_->written_path(state_->entry_nodes[index]), state_->rules)
        .value();
}

std::uint64_t NameMap::mapped() const { return state_->mapped; }

const std::vector<MappedName> &NameMap::listed() const { return state_->listed; }

} // namespace thru
