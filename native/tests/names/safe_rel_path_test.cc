#include "names/safe_rel_path.h"

#include <gtest/gtest.h>

#include "names/offered_names.h"
#include "wire/manifest.h"

namespace thru::test {
namespace {

using namespace std::string_view_literals;

bool allowed(std::string_view path, TargetRules rules) {
    const auto parsed = SafeRelPath::parse(path, rules);
    if (!parsed) {
        EXPECT_EQ(parsed.error().code, ErrorCode::NameNotAllowed);
        EXPECT_FALSE(parsed.error().detail.empty());
    }
    return parsed.has_value();
}

void expect_everywhere(bool expected, std::initializer_list<std::string_view> paths) {
    for (const std::string_view path : paths) {
        for (const TargetRules rules : kAllRules) {
            EXPECT_EQ(allowed(path, rules), expected)
                << '"' << path << "\" by rules " << static_cast<int>(rules);
        }
    }
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t time = 0; time < times; ++time) {
        all += text;
    }
    return all;
}

TEST(NearestName, IsTheNameItselfWhereItIsAllowed) {
    for (const TargetRules rules : kAllRules) {
        for (const std::string_view name : {"a.txt", "..a", "CONSOLE", "caf\u00e9 ", "e\u0301"}) {
            if (allowed(name, rules)) {
                EXPECT_EQ(nearest_name(name, rules), name);
            }
        }
    }
    for (const std::string_view name : {"CON", "a?b", "a.", "..namedfork"}) {
        EXPECT_EQ(nearest_name(name, TargetRules::Posix), name);
    }
    EXPECT_EQ(nearest_name("CON", TargetRules::Macos), "CON");
}

TEST(NearestName, ReplacesWhatWindowsDoesNotAllow) {
    const auto nearest = [](std::string_view name) {
        return nearest_name(name, TargetRules::Windows);
    };
    // PATH-09
    EXPECT_EQ(nearest("CON"), "_CON");
    EXPECT_EQ(nearest("nul.txt"), "_nul.txt");
    EXPECT_EQ(nearest("COM1.log"), "_COM1.log");
    EXPECT_EQ(nearest("COM\u00B9"), "_COM\u00B9");
    EXPECT_EQ(nearest("AUX "), "_AUX_");
    EXPECT_EQ(nearest("CON .txt"), "_CON .txt");
    EXPECT_EQ(nearest("CONIN$"), "_CONIN$");
    EXPECT_EQ(nearest("\uFF23\uFF2F\uFF2E"), "_\uFF23\uFF2F\uFF2E");
    // PATH-10
    EXPECT_EQ(nearest("file:stream"), "file_stream");
    EXPECT_EQ(nearest("dir:$I30:$INDEX_ALLOCATION"), "dir_$I30_$INDEX_ALLOCATION");
    // PATH-11
    EXPECT_EQ(nearest("name."), "name_");
    EXPECT_EQ(nearest("name. ."), "name___");
    EXPECT_EQ(nearest("..."), "___");
    // PATH-12
    EXPECT_EQ(nearest("<>:\"|?*"), "_______");
}

TEST(NearestName, IsNeverTooLong) {
    const std::string longest = "CON." + std::string(250, 'x') + ".";
    ASSERT_EQ(longest.size(), 255U);
    EXPECT_EQ(nearest_name(longest, TargetRules::Windows), "_CON." + std::string(250, 'x'));
    const std::string with_extension = "CON." + std::string(249, 'x') + ".x";
    EXPECT_EQ(nearest_name(with_extension, TargetRules::Windows),
              "_CON." + std::string(248, 'x') + ".x");
    const std::string dotted = "CON." + std::string(250, '.') + "x";
    EXPECT_EQ(nearest_name(dotted, TargetRules::Windows), "_CON." + std::string(249, '.') + "x");
}

TEST(NearestName, SpellsOutWhatPeopleWouldNotSee) {
    for (const TargetRules rules : kAllRules) {
        EXPECT_EQ(nearest_name("line\nbreak", rules), "line%0Abreak");
        EXPECT_EQ(nearest_name("caf\xe9.txt", rules), "caf%E9.txt");
        EXPECT_EQ(nearest_name("a\u202Egpj.exe", rules), "a%E2%80%AEgpj.exe");
        EXPECT_EQ(nearest_name("100%", rules), "100%");
    }
    EXPECT_EQ(nearest_name("a\\b", TargetRules::Posix), "a\\b");
    EXPECT_EQ(nearest_name("a\\b", TargetRules::Macos), "a\\b");
    EXPECT_EQ(nearest_name("a\\b\\", TargetRules::Windows), "a%5Cb%5C");
    const std::string longest(251, '\n');
    EXPECT_EQ(nearest_name(longest + ".exe", TargetRules::Posix).size(), 255u);
    EXPECT_TRUE(nearest_name(longest + ".exe", TargetRules::Posix).ends_with(".exe"));
}

TEST(NearestName, LooksLikeNoDriveAtTheTop) {
    EXPECT_EQ(nearest_name("C:x", TargetRules::Posix, true), "C%3Ax");
    EXPECT_EQ(nearest_name("C:x", TargetRules::Posix), "C:x");
    EXPECT_EQ(nearest_name("C:x", TargetRules::Windows, true), "C_x");
}

TEST(NearestName, HidesForksOnMacosAndWindows) {
    for (const TargetRules rules : {TargetRules::Macos, TargetRules::Windows}) {
        EXPECT_EQ(nearest_name("..namedfork", rules), "_..namedfork");
        EXPECT_EQ(nearest_name("..NamedFork", rules), "_..NamedFork");
    }
}

TEST(SafeRelPath, SplitsIntoFolderAndName) {
    const auto path = SafeRelPath::parse("photos/2024/a.jpg");
    ASSERT_TRUE(path);
    EXPECT_EQ(path->text(), "photos/2024/a.jpg");
    EXPECT_EQ(path->folder(), "photos/2024");
    EXPECT_EQ(path->name(), "a.jpg");
    const auto top = SafeRelPath::parse("a.jpg");
    ASSERT_TRUE(top);
    EXPECT_EQ(top->folder(), "");
    EXPECT_EQ(top->name(), "a.jpg");
}

TEST(SafeRelPath, NeverLeadsUpwards) {
    expect_everywhere(false, {"../x", "a/../../x", "..", "a/..", "a/../b", "a/../b/.."});
}

TEST(SafeRelPath, IsNeverAbsolute) {
    expect_everywhere(false, {"/etc/x", "//srv/share/x", R"(C:\x)"});
    for (const char *path :
         {R"(\\srv\share\x)", R"(\x)", R"(\\?\C:\x)", R"(\\.\PhysicalDrive0)", R"(\??\C:\x)"}) {
        EXPECT_FALSE(allowed(path, TargetRules::Windows)) << path;
    }
    expect_everywhere(false, {"C:x", "c:/x", "Z:"}); // PATH-03
    EXPECT_TRUE(allowed("a/C:x", TargetRules::Posix));
    EXPECT_TRUE(allowed("ab:x", TargetRules::Posix));
    EXPECT_TRUE(allowed("1:x", TargetRules::Posix));
}

TEST(SafeRelPath, KnowsWhatAnOfferedComponentMayBe) {
    for (const std::string_view name :
         {""sv, "."sv, ".."sv, "a/b"sv, "a\0b"sv, ".~thru-x"sv, ".~thru-\xff"sv, ".~thru-\n"sv}) {
        EXPECT_FALSE(check_offered_component(name)) << name;
    }
    for (const std::string_view name :
         {"a?", "a\n", "a\xff", "..\\x", "C:x", "a\u202Eb", "x~thru-"}) {
        EXPECT_TRUE(check_offered_component(name)) << name;
    }
}

TEST(SafeRelPath, RefusesBackslashesWhereTheySeparate) {
    for (const char *path : {R"(a\..\..\x)", R"(a\b)", R"(\)"}) {
        EXPECT_FALSE(allowed(path, TargetRules::Windows)) << path;
        EXPECT_TRUE(allowed(path, TargetRules::Posix)) << path;
        EXPECT_TRUE(allowed(path, TargetRules::Macos)) << path;
    }
}

TEST(SafeRelPath, DecodesNothing) {
    expect_everywhere(true, {"%2e%2e/x", "..%2fx", "-rf", "--help", "$(reboot)", "`x`", ";x"});
}

TEST(SafeRelPath, RefusesControlCharacters) {
    expect_everywhere(false, {"x\0y"sv, "x\n", "x\x1b[2J", "x\x7f", "x\u0085y", "\u2028"});
}

TEST(SafeRelPath, RefusesWhatIsNotUtf8) {
    expect_everywhere(false, {"\xff", "\xc0\xae", "\xc0\xae\xc0\xae/x", "\xed\xa0\x80", "a\xe2\x82",
                              "\xf4\x90\x80\x80", "\x80"});
}

TEST(SafeRelPath, RefusesDeviceNamesOnWindowsOnly) {
    for (const std::string_view name :
         {"CON", "con", "nul.txt", "COM1.log", "LPT9", "COM\u00B9", "lpt\u00B3.x", "CONIN$",
          "CLOCK$", "AUX .txt", "Nul.tar.gz", "a/PRN/b", "com0"}) {
        EXPECT_FALSE(allowed(name, TargetRules::Windows)) << name;
        EXPECT_TRUE(allowed(name, TargetRules::Posix)) << name;
    }
    expect_everywhere(true, {"CONSOLE", "COM", "COM10", "COMX", "null", "auxiliary.txt"});
}

TEST(SafeRelPath, RefusesWhatWindowsTakesForSomethingElse) {
    for (const std::string_view name :
         {"file:stream", "file::$DATA", "dir:$I30:$INDEX_ALLOCATION", "name.", "name ", "name. .",
          "...", "a./b", "a<b", "a>b", "a\"b", "a|b", "a?b", "a*b"}) {
        EXPECT_FALSE(allowed(name, TargetRules::Windows)) << name;
        EXPECT_TRUE(allowed(name, TargetRules::Posix)) << name;
        EXPECT_TRUE(allowed(name, TargetRules::Macos)) << name;
    }
}

TEST(SafeRelPath, RefusesForksOnMacosAndWindows) {
    for (const TargetRules rules : {TargetRules::Macos, TargetRules::Windows}) {
        EXPECT_FALSE(allowed("file/..namedfork/rsrc", rules));
        EXPECT_FALSE(allowed("file/..NamedFork/rsrc", rules));
    }
    EXPECT_TRUE(allowed("file/..namedfork/rsrc", TargetRules::Posix));
}

TEST(SafeRelPath, BoundsLengthAndDepth) {
    const std::string name255(255, 'n');
    const std::string name256(256, 'n');
    const std::string cjk85 = repeated("\u6f22", 85);
    const std::string cjk86 = repeated("\u6f22", 86);
    expect_everywhere(true, {name255, cjk85});
    expect_everywhere(false, {name256, cjk86, "a/" + name256 + "/b"});
    const std::string deep = repeated("d/", kMaxPathDepth - 1);
    expect_everywhere(true, {deep + "f"});
    expect_everywhere(false, {deep + "d/f", repeated("d/", 10'000) + "f"});
    const std::string longest = repeated(std::string(127, 'p') + "/", 31) + std::string(128, 'p');
    ASSERT_EQ(longest.size(), kMaxPathBytes);
    expect_everywhere(true, {longest});
    expect_everywhere(false, {longest + "p"});
}

TEST(SafeRelPath, KeepsEveryScript) {
    expect_everywhere(true, {"\u00e9.txt", "e\u0301.txt", "\u1112\u1161\u11ab", "\u0440\u0430ypal",
                             "\U0001F468\u200D\U0001F469\u200D\U0001F467", "\U0001F600.png",
                             "\u0646\u0627\u0645\u0647\u200c\u0647\u0627", "naïve café"});
}

TEST(SafeRelPath, RefusesCharactersThatHideWhatANameIs) {
    expect_everywhere(false, {"a\u200bb", "exe\u202Etxt.", "\uFEFFname",  "a\u2066b", "a\u202Ab",
                              "a\u200E",  "a\u200F",       "a\u061C",     "a\u2060",  "a\u2064",
                              "a\u00AD",  "a\u115F",       "a\u1160",     "a\u3164",  "a\uFFA0",
                              "a\u034F",  "a\U000E0001",   "a\U000E007F", "a\u2800",  "a\u200Db",
                              "\u200Cb",  "a\uFE0F"});
}

TEST(SafeRelPath, RequiresTheCanonicalForm) {
    expect_everywhere(false, {"", ".", "./a", "a/.", "a//b", "a/", "/"});
}

TEST(SafeRelPath, KeepsOurOwnPartFilesOutOfReach) {
    expect_everywhere(false, {".~thru-7f3c21-1.part", ".~THRU-x", ".~Thru-", "a/.~thru-x/b",
                              "\uFF0E~\uFF54\uFF48\uFF52\uFF55-x", "\u2024~thru-x",
                              ".~th\u200cru-x", ".~\U0001D42Dhru-x"});
    expect_everywhere(true, {".~thru", ".~thrux-", "~thru-x", "x.~thru-"});
}

TEST(SafeRelPath, AllowsHiddenAndSystemFilesInsideTheTarget) {
    expect_everywhere(true, {"desktop.ini", ".DS_Store", "autorun.inf", ".git/hooks/post-checkout",
                             ".ssh/authorized_keys", ".bashrc", "..a", "a..b", "...a"});
}

} // namespace
} // namespace thru::test
