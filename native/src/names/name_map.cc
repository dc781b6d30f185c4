#include "names/name_map.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <expected>
#include <optional>
#include <set>
#include <utility>

#include "crypto/keyed_hash.h"
#include "names/blocks.h"
#include "names/code_points.h"
#include "names/key_table.h"
#include "names/link_target.h"
#include "names/numbered_name.h"

namespace thru {

namespace {

using NodeId = std::uint32_t;

/// The target itself, the root of every path.
constexpr NodeId kTop = 0;

/// An item in a folder: an entry, or a folder that entries imply and that need not be an entry.
struct Node {
    /// The offered name, stored in the manifest.
    const char *name_start = nullptr;
    /// The chosen name, or the replacement if the system doesn't allow the offered one or it is
    /// taken.
    std::unique_ptr<const std::string> written;
    NodeId folder = kTop;
    /// Number of items in it that are not forgotten.
    std::uint32_t children = 0;
    /// Index of the entry plus one; 0 for an implied folder.
    std::uint32_t entry = 0;
    /// Length of the full written path in bytes.
    std::uint16_t length = 0;
    std::uint8_t name_length = 0;
    EntryKind kind = EntryKind::Folder;

    std::string_view name() const { return {name_start, name_length}; }
    std::string_view written_name() const { return written ? std::string_view(*written) : name(); }
};
static_assert(sizeof(Node) <= 32, "there can be four million of them");
static_assert(kMaxPathBytes <= UINT16_MAX && kMaxComponentBytes <= UINT8_MAX);

constexpr std::size_t kMaxNodes = 1 + 2 * kMaxManifestEntries;

/// The first numbers are tried for every taken name. Later ones keep rising through the whole
/// manifest and are never repeated, so names that collide on purpose cost no more than others.
constexpr unsigned kFirstNumber = 2;
constexpr unsigned kFirstSharedNumber = 10;

/// Maximum length of a path in an error.
constexpr std::size_t kMaxNamedBytes = 200;

/// The reason for refusing an entry, whose path is added to it.
std::unexpected<Error> refuse(std::string reason) {
    return fail(ErrorCode::BadManifest, 0, std::move(reason));
}

TargetRules rules_of(const ReceiveOptions &options) {
    return options.portable_names ? TargetRules::Windows : native_target_rules();
}

bool folds_case(const ReceiveOptions &options) { return rules_of(options) != TargetRules::Posix; }

/// Formats a refused path for people.
std::string shown(std::string_view path) {
    const std::string text = percent_form(path);
    return std::string(whole_characters(text, kMaxNamedBytes));
}

} // namespace

struct NameMap::State {
    struct FreeName {
        std::string written;
        /// The place_key of `written`.
        std::uint64_t place = 0;
    };

    State(TargetRules its_rules, bool folds, std::shared_ptr<const Renames> chosen)
        : rules(its_rules), folds_case(folds),
          names_can_be_one(folds || its_rules != TargetRules::Posix), renames(std::move(chosen)) {
        nodes.grow(1);
        for (const auto &[item, name] : renames ? *renames : Renames{}) {
            chosen_places.insert(place_key(kTop, name));
        }
    }

    Result<> add(const ManifestTable &manifest, std::size_t index);
    /// Returns the folder at `path`, making it if necessary.
    Result<NodeId> reach(std::string_view path);
    /// Adds a node for the last component of `path`, new to `folder`; records a changed name.
    Result<NodeId> make(NodeId folder, std::string_view path, EntryKind kind);
    /// The nearest valid name for `name` that is free in `folder`.
    FreeName free_name(NodeId folder, std::string_view name, EntryKind kind);
    bool is_taken(NodeId folder, std::string_view written, std::uint64_t place) const;
    /// Returns kTop if there is no such node.
    NodeId find(NodeId folder, std::string_view name) const;
    /// Frees the node's name for others; the node keeps its name on disk.
    void unlink(NodeId node);
    /// Unlinks the node, and then every folder above it that is no longer needed.
    void release(NodeId node);
    /// Removes entries [first, end) and all nodes beyond the first `nodes_before`.
    void unskip(std::size_t nodes_before, std::size_t first, std::size_t end);
    std::string written_path(NodeId node) const;
    /// The written name of the node's item.
    std::string_view top_name(NodeId node) const;
    std::string written_target(NodeId link, std::string_view target) const;

    std::uint64_t hash_of(NodeId folder, std::string_view name) const;
    std::uint64_t name_key(NodeId node) const;
    /// Equal for all names that the system treats as the same.
    std::uint64_t place_key(NodeId folder, std::string_view written) const;

    const TargetRules rules;
    const bool folds_case;
    /// If false, different names never collide on disk, unless one is a replacement.
    const bool names_can_be_one;
    const std::shared_ptr<const Renames> renames;
    const KeyedHash hash;

    Blocks<Node, kMaxNodes> nodes;
    std::size_t node_count = 1;
    Blocks<NodeId, kMaxManifestEntries> entry_nodes;
    std::size_t entry_count = 0;
    /// Entries that were forgotten before they were added.
    std::bitset<kMaxManifestEntries> never_come;

    /// The upper half is a hash of folder and name, the lower half the node.
    KeyTable by_name;
    /// Hashes of occupied places; unless names_can_be_one, only of replaced names. If two 64-bit
    /// hashes collide, which is very rare under a secret key, a name gets an unnecessary number.
    KeyTable places;
    /// Places of chosen names, whether their items are added or not: no other item gets one.
    std::set<std::uint64_t> chosen_places;
    unsigned next_number = kFirstSharedNumber;

    /// Entries arrive folder by folder, so the last one's folder is cached.
    std::string_view last_folder;
    NodeId last_folder_node = kTop;

    std::uint64_t mapped = 0;
    std::vector<MappedName> listed;
};

std::uint64_t NameMap::State::hash_of(NodeId folder, std::string_view name) const {
    std::array<std::uint8_t, sizeof folder + 4 * kMaxComponentBytes> text;
    std::memcpy(text.data(), &folder, sizeof folder);
    const std::size_t length = std::min(name.size(), text.size() - sizeof folder);
    std::memcpy(text.data() + sizeof folder, name.data(), length);
    return hash(ByteView(text).first(sizeof folder + length));
}

std::uint64_t NameMap::State::name_key(NodeId node) const {
    constexpr std::uint64_t kUpper = 0xFFFF'FFFF'0000'0000;
    return (hash_of(nodes[node].folder, nodes[node].name()) & kUpper) | node;
}

std::uint64_t NameMap::State::place_key(NodeId folder, std::string_view written) const {
    return hash_of(folder, folds_case ? folded(written) : std::string(written)) | 1;
}

NodeId NameMap::State::find(NodeId folder, std::string_view name) const {
    const auto upper = static_cast<std::uint32_t>(hash_of(folder, name) >> 32);
    return static_cast<NodeId>(by_name.find(upper, [&](std::uint64_t key) {
        const Node &node = nodes[static_cast<NodeId>(key)];
        return node.folder == folder && node.name() == name;
    }));
}

Result<> NameMap::State::add(const ManifestTable &manifest, std::size_t index) {
    const std::string_view path = manifest.path(index);
    const EntryKind kind = manifest.kind(index);
    const std::size_t slash = path.rfind('/');
    const bool at_top = slash == std::string_view::npos;
    // Check the rules of every system; the remaining problems are solved by mapping.
    const bool known_folder = !at_top && slash > 0 && path.substr(0, slash) == last_folder;
    const auto allowed = known_folder && path.size() <= kMaxPathBytes
                             ? check_offered_component(path.substr(slash + 1))
                             : check_offered_path(path);
    if (!allowed) {
        return refuse(allowed.error().detail);
    }
    if (kind == EntryKind::Link) {
        if (at_top) {
            return refuse("symbolic link that is in no shared item");
        }
        if (const auto inside = check_link_target(path, manifest.target(index)); !inside) {
            return refuse(inside.error().detail);
        }
    }
    const auto folder = reach(at_top ? std::string_view{} : path.substr(0, slash));
    if (!folder) {
        return std::unexpected(folder.error());
    }
    const std::string_view name = at_top ? path : path.substr(slash + 1);
    NodeId node = kTop;
    if (const NodeId known = find(*folder, name); known != kTop) {
        node = known;
        if (nodes[node].entry != 0) {
            return refuse("the same path twice");
        }
        if (kind != EntryKind::Folder) {
            return refuse("not a folder, but others are in it");
        }
    } else {
        const auto made = make(*folder, path, kind);
        if (!made) {
            return std::unexpected(made.error());
        }
        node = *made;
    }
    nodes[node].entry = static_cast<std::uint32_t>(index + 1);
    entry_nodes[index] = node;
    return {};
}

Result<NodeId> NameMap::State::reach(std::string_view path) {
    if (path.empty()) {
        return kTop;
    }
    if (path == last_folder) {
        return last_folder_node;
    }
    NodeId folder = kTop;
    for (std::size_t begin = 0, end = 0; end < path.size(); begin = end + 1) {
        end = std::min(path.find('/', begin), path.size());
        const NodeId known = find(folder, path.substr(begin, end - begin));
        if (known == kTop) {
            const auto made = make(folder, path.substr(0, end), EntryKind::Folder);
            if (!made) {
                return made;
            }
            folder = *made;
        } else if (nodes[known].kind != EntryKind::Folder) {
            return refuse("in something that is not a folder");
        } else {
            folder = known;
        }
    }
    last_folder = path;
    last_folder_node = folder;
    return folder;
}

Result<NodeId> NameMap::State::make(NodeId folder, std::string_view path, EntryKind kind) {
    if (node_count == kMaxNodes) {
        return refuse("too many folders");
    }
    const std::string_view name = path.substr(path.rfind('/') + 1);
    auto [written, place] = free_name(folder, name, kind);
    const std::size_t above = folder == kTop ? 0 : nodes[folder].length + std::size_t{1};
    const std::string_view item = path.substr(0, path.find('/'));
    const std::string_view top = renames && folder != kTop ? top_name(folder) : item;
    if (std::max(above + written.size(), top.size() + path.size() - item.size()) > kMaxPathBytes) {
        return renames && renames->contains(item)
                   ? std::unexpected(refused_rename("path too long with the chosen name", top))
                   : refuse("path too long with the names that this system can hold");
    }
    const auto id = static_cast<NodeId>(node_count++);
    nodes.grow(node_count);
    Node &node = nodes[id];
    node.name_start = name.data();
    node.name_length = static_cast<std::uint8_t>(name.size());
    node.folder = folder;
    node.length = static_cast<std::uint16_t>(above + written.size());
    node.kind = kind;
    by_name.insert(name_key(id));
    const bool is_mapped = written != name;
    if (names_can_be_one || is_mapped) {
        places.insert(place);
    }
    if (is_mapped) {
        node.written = std::make_unique<const std::string>(std::move(written));
        ++mapped;
        if (listed.size() < kMaxListedNames) {
            listed.push_back({.path = std::string(path), .written_as = written_path(id)});
        }
    }
    ++nodes[folder].children;
    return id;
}

NameMap::State::FreeName NameMap::State::free_name(NodeId folder, std::string_view name,
                                                   EntryKind kind) {
    if (folder == kTop && renames) {
        if (const auto chosen = renames->find(name); chosen != renames->end()) {
            return {.written = chosen->second, .place = place_key(kTop, chosen->second)};
        }
    }
    const std::string wanted = nearest_name(name, rules, folder == kTop);
    std::string written = wanted;
    std::uint64_t place = place_key(folder, written);
    for (unsigned number = kFirstNumber; is_taken(folder, written, place); ++number) {
        const bool is_shared = number >= kFirstSharedNumber;
        written = numbered_name(wanted, kind, is_shared ? next_number++ : number);
        place = place_key(folder, written);
    }
    return {.written = std::move(written), .place = place};
}

bool NameMap::State::is_taken(NodeId folder, std::string_view written, std::uint64_t place) const {
    return places.contains(place) || chosen_places.contains(place) ||
           (!names_can_be_one && find(folder, written) != kTop);
}

void NameMap::State::unlink(NodeId node) {
    const NodeId folder = nodes[node].folder;
    by_name.erase(name_key(node));
    if (names_can_be_one || nodes[node].written) {
        places.erase(place_key(folder, nodes[node].written_name()));
    }
    --nodes[folder].children;
    last_folder = {};
}

void NameMap::State::release(NodeId node) {
    while (node != kTop && nodes[node].entry == 0 && nodes[node].children == 0) {
        unlink(node);
        node = nodes[node].folder;
    }
}

void NameMap::State::unskip(std::size_t nodes_before, std::size_t first, std::size_t end) {
    for (std::size_t index = first; index < end; ++index) {
        if (const NodeId node = std::exchange(entry_nodes[index], kTop); node != kTop) {
            nodes[node].entry = 0;
        }
    }
    // Entries were added after their folders, so the last ones are removed first.
    while (node_count > nodes_before) {
        --node_count;
        unlink(static_cast<NodeId>(node_count));
        nodes[node_count] = {};
    }
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

std::string_view NameMap::State::top_name(NodeId node) const {
    while (nodes[node].folder != kTop) {
        node = nodes[node].folder;
    }
    return nodes[node].written_name();
}

std::string NameMap::State::written_target(NodeId link, std::string_view target) const {
    std::string written;
    // The folder reached so far; nullopt once the target leaves the offer.
    std::optional<NodeId> folder = nodes[link].folder;
    for (;;) {
        const std::size_t slash = target.find('/');
        const std::string_view component = target.substr(0, slash);
        if (component == "." || component == "..") {
            folder = component == ".." && folder ? nodes[*folder].folder : folder;
            written += component;
        } else {
            const NodeId named = folder ? find(*folder, component) : kTop;
            written += named == kTop ? nearest_name(component, rules) : nodes[named].written_name();
            folder = named == kTop ? std::nullopt : std::optional(named);
        }
        if (slash == std::string_view::npos) {
            return written;
        }
        written += '/';
        target.remove_prefix(slash + 1);
    }
}

NameMap::NameMap(TargetRules rules, bool folds_case, std::shared_ptr<const Renames> renames)
    : state_(std::make_unique<State>(rules, folds_case, std::move(renames))) {}

NameMap::NameMap(const ReceiveOptions &options)
    : NameMap(rules_of(options), folds_case(options), options.renames) {}

NameMap::~NameMap() = default;

Result<> NameMap::check(const ReceiveOptions &options) {
    return options.renames ? check_renames(*options.renames, rules_of(options), folds_case(options))
                           : Result<>{};
}

Result<> NameMap::extend(const ManifestTable &manifest, std::size_t first, std::size_t end) {
    State &state = *state_;
    state.entry_nodes.grow(end);
    const std::size_t nodes_before = state.node_count;
    const unsigned number_before = state.next_number;
    const std::uint64_t mapped_before = state.mapped;
    const std::size_t listed_before = state.listed.size();
    for (std::size_t index = first; index < end; ++index) {
        if (state.never_come[index] || manifest.kind(index) == EntryKind::Gone) {
            continue;
        }
        if (const auto added = state.add(manifest, index); !added) {
            state.unskip(nodes_before, first, index);
            state.next_number = number_before;
            state.mapped = mapped_before;
            state.listed.resize(listed_before);
            Error error = added.error();
            if (error.code == ErrorCode::BadManifest) {
                error.detail += ": " + shown(manifest.path(index));
            }
            return std::unexpected(std::move(error));
        }
    }
    state.entry_count = end;
    return {};
}

void NameMap::forget(const ManifestTable &, const IndexRanges &ranges) {
    State &state = *state_;
    for (const IndexRange &range : ranges) {
        for (std::uint64_t index = range.first;
             index < kMaxManifestEntries && index - range.first < range.count; ++index) {
            if (index >= state.entry_count) {
                state.never_come.set(index);
                continue;
            }
            const NodeId node = state.entry_nodes[index];
            if (node != kTop && state.nodes[node].entry == index + 1) {
                state.nodes[node].entry = 0;
                state.release(node);
            }
        }
    }
}

SafeRelPath NameMap::place(const ManifestTable &, std::uint64_t index) const {
    return SafeRelPath(state_->written_path(state_->entry_nodes[index]));
}

std::optional<SafeRelPath> NameMap::usual_place(std::string_view path) const {
    if (!check_offered_path(path)) {
        return std::nullopt;
    }
    std::string written;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        written += begin > 0 ? "/" : "";
        written += nearest_name(path.substr(begin, end - begin), state_->rules, begin == 0);
        begin = end + 1;
    }
    auto place = SafeRelPath::parse(written, state_->rules);
    return place ? std::optional(std::move(*place)) : std::nullopt;
}

JournalPath NameMap::journal_path(const ManifestTable &manifest, std::uint64_t index) const {
    const std::string_view path = manifest.path(index);
    if (!state_->renames) {
        return JournalPath(path);
    }
    return JournalPath(has(index) ? std::string(state_->top_name(state_->entry_nodes[index]))
                                        .append(path.substr(std::min(path.find('/'), path.size())))
                                  : std::string{});
}

std::optional<ManifestEntry> NameMap::journal_entry(const ManifestTable &manifest,
                                                    std::uint64_t index) const {
    const JournalPath path = journal_path(manifest, index);
    if (path.text().empty()) {
        return std::nullopt;
    }
    ManifestEntry entry = manifest.entry(index);
    entry.path = path.text();
    return entry;
}

bool NameMap::has(std::uint64_t index) const {
    return index < state_->entry_count && state_->entry_nodes[index] != kTop;
}

std::string NameMap::target(const ManifestTable &manifest, std::uint64_t index) const {
    return state_->written_target(state_->entry_nodes[index], manifest.target(index));
}

std::uint64_t NameMap::mapped() const { return state_->mapped; }

const std::vector<MappedName> &NameMap::listed() const { return state_->listed; }

} // namespace thru
