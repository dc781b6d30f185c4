#include "names/attribute_name.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"

namespace thru {

namespace {

constexpr std::string_view kFinderInfo = "com.apple.FinderInfo";
constexpr std::string_view kResourceFork = "com.apple.ResourceFork";

/// All else of Apple's is left out: quarantine, access lists, protection by the system, and people
/// and places that a file came from.
constexpr std::string_view kApple = "com.apple.";
constexpr auto kAppleNames = std::to_array<std::string_view>({
    kFinderInfo,
    kResourceFork,
    "com.apple.metadata:_kMDItemUserTags",
    "com.apple.metadata:kMDItemComment",
    "com.apple.metadata:kMDItemDescription",
    "com.apple.metadata:kMDItemFinderComment",
    "com.apple.metadata:kMDItemKeywords",
    "com.apple.metadata:kMDItemStarRating",
});

/// Beginnings of names, in lower case.
constexpr auto kLeftOut = std::to_array<std::string_view>({
    // Namespaces of Linux. `user.` itself is never part of a name.
    "security.",
    "system.",
    "trusted.",
    "user.",
    "os2.",
    "osx.",
    // This program's record of who sent a file, by which it trusts the file.
    "thruflux.",
    // The places that a file came from, and this program's own mark.
    "xdg.origin.",
    "xdg.referrer.",
    "zone.identifier",
    // Owners, modes and access lists as containers, overlay file systems, virtual machines, rsync,
    // Samba and mounted network drives store them.
    "containers.",
    "rootlesscontainers",
    "fuseoverlayfs.",
    "overlay.",
    "virtfs.",
    "rsync.",
    "ntacl",
    "samba_pai",
    "dosattrib",
    "dosstream.",
    "cifs.",
    "smb3.",
    "ecryptfs",
    "$",
    // Parsed by file servers for Macs, as Finder's information and resource forks.
    "org.netatalk.",
    // Exceptions from protections of memory.
    "pax.",
});

} // namespace

bool is_kept_attribute(std::string_view name) {
    if (name.empty() || name.size() > kMaxAttributeNameBytes || name.contains('\0') ||
        !is_utf8(name)) {
        return false;
    }
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    if (std::ranges::any_of(kLeftOut, [&](auto begin) { return lower.starts_with(begin); })) {
        return false;
    }
    return !lower.starts_with(kApple) || std::ranges::find(kAppleNames, name) != kAppleNames.end();
}

bool is_of_finder(std::string_view name) { return name == kFinderInfo || name == kResourceFork; }

bool is_alias_or_bundle(const ExtendedAttribute &attribute) {
    constexpr std::size_t kFlags = 8;
    constexpr unsigned kIsAlias = 0x80;
    constexpr unsigned kHasBundle = 0x20;
    return attribute.name == kFinderInfo && attribute.value.size() > kFlags &&
           (static_cast<unsigned char>(attribute.value[kFlags]) & (kIsAlias | kHasBundle)) != 0;
}

} // namespace thru
