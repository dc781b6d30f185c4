#include "names/attribute_name.h"

#include <string>

#include <gtest/gtest.h>

namespace thru {
namespace {

TEST(AttributeName, IsKeptIfItOnlyDescribesTheFile) {
    for (const char *name :
         {"a", "comment", "xdg.comment", "xdg.tags", "mime_type", "org.example.note", "일기",
          "com.apple.FinderInfo", "com.apple.ResourceFork", "com.apple.metadata:_kMDItemUserTags",
          "com.apple.metadata:kMDItemFinderComment"}) {
        EXPECT_TRUE(is_kept_attribute(name)) << name;
    }
    EXPECT_TRUE(is_kept_attribute(std::string(255, 'x')));
}

TEST(AttributeName, IsLeftOutIfItGrantsRightsOrTellsAnOrigin) {
    for (const char *name : {"security.capability",
                             "security.selinux",
                             "system.posix_acl_access",
                             "trusted.x",
                             "user.",
                             "user.x",
                             "Security.capability",
                             "xdg.origin.url",
                             "thruflux.sender",
                             "Thruflux.sender",
                             "xdg.referrer.url",
                             "com.apple.quarantine",
                             "com.apple.provenance",
                             "com.apple.macl",
                             "com.apple.rootless",
                             "com.apple.system.Security",
                             "COM.APPLE.quarantine",
                             "com.apple.finderinfo",
                             "com.apple.metadata:kMDItemWhereFroms",
                             "com.apple.metadata:com_apple_backup_excludeItem",
                             "Com.Apple.metadata:_kMDItemUserTags",
                             "containers.override_stat",
                             "overlay.redirect",
                             "virtfs.uid",
                             "rsync.%stat",
                             "NTACL",
                             "SAMBA_PAI",
                             "DOSATTRIB",
                             "cifs.dosattrib",
                             "smb3.dosattrib",
                             "Zone.Identifier",
                             "org.netatalk.Metadata",
                             "$LXMOD",
                             "com.apple.metadata:kMDItemOriginSenderDisplayName",
                             "com.apple.metadata:kMDItemLastUsedDate",
                             "pax.flags"}) {
        EXPECT_FALSE(is_kept_attribute(name)) << name;
    }
}

TEST(AttributeName, OfFinderTellsAnAliasAndABundleByTheirFlags) {
    std::string info(32, '\0');
    EXPECT_FALSE(is_alias_or_bundle({"com.apple.FinderInfo", info}));
    for (const char flag : {'\x80', '\x20'}) {
        info[8] = flag;
        EXPECT_TRUE(is_alias_or_bundle({"com.apple.FinderInfo", info}));
    }
    EXPECT_FALSE(is_alias_or_bundle({"note", info}));
    EXPECT_FALSE(is_alias_or_bundle({"com.apple.FinderInfo", ""}));
}

TEST(AttributeName, IsLeftOutIfNoSystemCouldStoreIt) {
    EXPECT_FALSE(is_kept_attribute(""));
    EXPECT_FALSE(is_kept_attribute(std::string(300, 'x')));
    EXPECT_FALSE(is_kept_attribute(std::string("a\0b", 3)));
    EXPECT_FALSE(is_kept_attribute("\xff"));
}

} // namespace
} // namespace thru
