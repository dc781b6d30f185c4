// Behavior specific to Windows: sharing with other programs, names of open files, junctions,
// streams, and paths without a length limit.
#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "fs/disk.h"
#include "fs/file_system_win.h"

#include <winioctl.h>

namespace thru::test {
namespace {

class WindowsFiles : public testing::Test {
protected:
    std::wstring wide(std::string_view name) const { return (folder_ / name).wstring(); }
    /// Opens a file as another program would.
    fs::FileHandle open_elsewhere(std::string_view name, DWORD share) const {
        return fs::own(CreateFileW(wide(name).c_str(), GENERIC_READ | GENERIC_WRITE, share, nullptr,
                                   OPEN_EXISTING, 0, nullptr));
    }
    fs::FileHandle create(const std::string &name, std::string_view content = {}) const {
        auto file = fs::create_file(root_, name, fs::kPlainMode).value();
        EXPECT_TRUE(fs::write_at(file, 0, as_bytes(content)));
        return file;
    }

    TemporaryFolder folder_;
    fs::FileHandle root_ = fs::open_folder(folder_.path().string()).value();
};

TEST_F(WindowsFiles, WhatAnotherProgramHasForItselfIsUnreadable) {
    write_file(folder_ / "letter.docx", "words");
    const auto other = open_elsewhere("letter.docx", 0);
    ASSERT_TRUE(other.is_open());
    const auto opened = fs::open_for_reading((folder_ / "letter.docx").string());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().number, ERROR_SHARING_VIOLATION);
    EXPECT_EQ(fs::reading_error(opened.error(), "read").code, ErrorCode::PathUnreadable);
    EXPECT_FALSE(fs::open_beneath_for_reading(root_, "letter.docx"));
}

TEST_F(WindowsFiles, WhatAnotherProgramHasForItselfIsNeitherReplacedNorRemoved) {
    write_file(folder_ / "fresh", "new");
    write_file(folder_ / "taken", "old");
    {
        const auto other = open_elsewhere("taken", FILE_SHARE_READ);
        ASSERT_TRUE(other.is_open());
        const auto replaced = fs::rename_over(root_, "fresh", "taken");
        ASSERT_FALSE(replaced);
        EXPECT_EQ(replaced.error().kind, fs::ErrorKind::Refused);
        EXPECT_FALSE(fs::remove_file(root_, "taken"));
        EXPECT_FALSE(fs::rename_new(root_, "taken", "elsewhere"));
        EXPECT_FALSE(fs::open_for_writing(root_, "taken"));
    }
    EXPECT_EQ(read_file(folder_ / "fresh"), "new");
    EXPECT_EQ(read_file(folder_ / "taken"), "old");
    EXPECT_TRUE(fs::rename_over(root_, "fresh", "taken"));
    EXPECT_EQ(read_file(folder_ / "taken"), "new");
}

TEST_F(WindowsFiles, WhatAScannerHasForAMomentIsRenamedAndRemovedAfterIt) {
    for (const bool removes : {false, true}) {
        write_file(folder_ / "fresh", "new");
        auto scanned = open_elsewhere("fresh", 0);
        ASSERT_TRUE(scanned.is_open());
        // Longer than the first attempt, and a fraction of the patience.
        std::thread scanner([&scanned] {
            Sleep(30);
            EXPECT_TRUE(scanned.close());
        });
        EXPECT_TRUE(removes ? fs::remove_file(root_, "fresh")
                            : fs::rename_new(root_, "fresh", "named"));
        scanner.join();
    }
    EXPECT_EQ(test::snapshot(folder_.path()),
              (std::map<std::string, std::string>{{"named", "new"}}));
}

TEST_F(WindowsFiles, TheNameOfARemovedFileIsFreeWhileAnotherProgramHasItOpen) {
    write_file(folder_ / "file", "old");
    const auto other = open_elsewhere("file", fs::kShareAll);
    ASSERT_TRUE(other.is_open());
    ASSERT_TRUE(fs::remove_file(root_, "file"));
    static_cast<void>(create("file", "new"));
    EXPECT_EQ(read_file(folder_ / "file"), "new");
}

TEST_F(WindowsFiles, AFileIsReplacedWhileAnotherProgramHasItOpen) {
    write_file(folder_ / "fresh", "new");
    write_file(folder_ / "file", "old");
    const auto other = open_elsewhere("file", fs::kShareAll);
    ASSERT_TRUE(other.is_open());
    ASSERT_TRUE(fs::rename_over(root_, "fresh", "file"));
    EXPECT_EQ(read_file(folder_ / "file"), "new");
}

TEST_F(WindowsFiles, AFileThatIsReadOnlyIsReplaced) {
    write_file(folder_ / "fresh", "new");
    write_file(folder_ / "file", "old");
    ASSERT_TRUE(SetFileAttributesW(wide("file").c_str(), FILE_ATTRIBUTE_READONLY));
    ASSERT_TRUE(fs::rename_over(root_, "fresh", "file"));
    EXPECT_EQ(read_file(folder_ / "file"), "new");
}

TEST_F(WindowsFiles, AFileThatIsReadOnlyIsRemoved) {
    write_file(folder_ / "file", "old");
    ASSERT_TRUE(SetFileAttributesW(wide("file").c_str(), FILE_ATTRIBUTE_READONLY));
    EXPECT_TRUE(fs::remove_file(root_, "file"));
}

TEST_F(WindowsFiles, NoNameLeadsIntoAStream) {
    write_file(folder_ / "file", "content");
    for (const char *name : {"file:stream", "file::$DATA", "other:stream", ":stream", "c:"}) {
        EXPECT_EQ(fs::create_file(root_, name, fs::kPlainMode).error().kind, fs::ErrorKind::BadName)
            << name;
        EXPECT_FALSE(fs::open_for_writing(root_, name)) << name;
        EXPECT_FALSE(fs::open_beneath_for_reading(root_, name)) << name;
        EXPECT_FALSE(fs::make_folder(root_, name)) << name;
        EXPECT_FALSE(fs::remove_file(root_, name)) << name;
    }
    EXPECT_FALSE(fs::rename_new(root_, "file", "other:stream"));
    EXPECT_FALSE(fs::rename_over(root_, "file", "other:stream"));
    EXPECT_EQ(test::snapshot(folder_.path()), (std::map<std::string, std::string>{
                                                  {"file", "content"},
                                              }));
}

TEST_F(WindowsFiles, WhatIsReceivedHasTheMarkOfTheWeb) {
    const auto file = create("program.exe", "MZ");
    fs::mark_received(file, "Mina");
    EXPECT_EQ(read_file(folder_ / "program.exe:Zone.Identifier"), "[ZoneTransfer]\r\nZoneId=3\r\n");
    EXPECT_EQ(read_file(folder_ / "program.exe"), "MZ");
}

TEST_F(WindowsFiles, AFileInThePlaceOfAFolderIsNoMissingFolder) {
    write_file(folder_ / "file", "content");
    for (const char *path : {"file", "file/below", "file/below/deeper"}) {
        EXPECT_EQ(fs::open_folder_beneath(root_, path).error().kind, fs::ErrorKind::NotFolder)
            << path;
    }
    for (const char *path : {"missing", "missing/below", "missing/below/deeper"}) {
        EXPECT_EQ(fs::open_folder_beneath(root_, path).error().kind, fs::ErrorKind::NotFound)
            << path;
    }
}

TEST_F(WindowsFiles, AHardLinkIsAnotherNameOfTheFile) {
    write_file(folder_ / "file", "content");
    ASSERT_TRUE(fs::make_folder(root_, "below"));
    const auto below = fs::open_folder_beneath(root_, "below");
    ASSERT_TRUE(below);
    ASSERT_TRUE(fs::make_hard_link(root_, "file", *below, "name"));
    EXPECT_EQ(fs::make_hard_link(root_, "file", *below, "name").error().kind,
              fs::ErrorKind::Exists);
    const auto first = fs::status_beneath(root_, "file");
    const auto second = fs::status_beneath(*below, "name");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->id, second->id);
    EXPECT_EQ(second->links, 2U);
}

TEST_F(WindowsFiles, WhenAFileWasMadeIsSetAndRead) {
    const auto file = create("file", "content");
    fs::set_creation_time(file, 1'000'000'000'000'000'100);
    EXPECT_EQ(fs::creation_time(file), 1'000'000'000'000'000'100);
}

TEST_F(WindowsFiles, SettingWhenAFileWasMadeKeepsWhenItWasChanged) {
    const auto file = create("file", "content");
    fs::set_attributes(file, 1'500'000'000'000'000'100, fs::kPlainMode);
    fs::set_creation_time(file, 1'000'000'000'000'000'100);
    EXPECT_EQ(fs::status_of(file)->mtime_ns, 1'500'000'000'000'000'100);
}

TEST_F(WindowsFiles, SettingWhenAFolderWasMadeKeepsWhenItWasChanged) {
    std::filesystem::create_directories(folder_ / "sub");
    const auto sub = fs::open_folder_beneath(root_, "sub");
    ASSERT_TRUE(sub);
    fs::set_folder_time(*sub, 1'500'000'000'000'000'100);
    const auto writable = fs::open_folder_attributes(*sub);
    ASSERT_TRUE(writable);
    fs::set_creation_time(*writable, 1'000'000'000'000'000'100);
    EXPECT_EQ(fs::status_of(*sub)->mtime_ns, 1'500'000'000'000'000'100);
}

TEST_F(WindowsFiles, HaveNoExtendedAttributesToAskASenderFor) {
    const auto file = create("file", "content");
    const auto written = fs::write_extended_attribute(file, "note", "hello");
    EXPECT_EQ(written.has_value(), fs::kHasExtendedAttributes);
    ASSERT_FALSE(written);
    EXPECT_TRUE(fs::lacks_extended_attributes(written.error().number));
}

TEST_F(WindowsFiles, RoomIsLookedForWithoutCuttingAFile) {
    const auto file = create("file", "content");
    ASSERT_TRUE(fs::reserve(file, 0, 3));
    ASSERT_TRUE(fs::reserve(file, 0, 1 << 20));
    EXPECT_EQ(fs::status_of(file)->size, 7u);
    EXPECT_EQ(read_file(folder_ / "file"), "content");
    const auto reserved = fs::reserve(file, 0, std::uint64_t{1} << 60);
    ASSERT_FALSE(reserved);
    EXPECT_EQ(reserved.error().kind, fs::ErrorKind::Full);
}

TEST_F(WindowsFiles, TheStartOfTheComputerHasANumber) {
    EXPECT_FALSE(fs::boot_id().empty());
    EXPECT_EQ(fs::boot_id(), fs::boot_id());
}

TEST_F(WindowsFiles, FoldersAreMadeBelowAnyPath) {
    std::string path = folder_.path().string();
    for (int depth = 0; depth < 8; ++depth) {
        path += "/" + std::string(60, static_cast<char>('a' + depth));
    }
    ASSERT_TRUE(fs::make_folders(path));
    ASSERT_TRUE(fs::make_folders(path + "/")) << "again";
    const auto deepest = fs::open_folder(path);
    ASSERT_TRUE(deepest);
    ASSERT_TRUE(fs::create_file(*deepest, "file", fs::kPlainMode));
    EXPECT_TRUE(fs::open_for_reading(path + "/file"));
}

TEST_F(WindowsFiles, LongPathsAreResolved) {
    const std::string path =
        (folder_ / (std::string(150, 'a') + "/" + std::string(150, 'b'))).generic_string();
    ASSERT_TRUE(fs::make_folders(path));
    const auto resolved = fs::resolve(path);
    ASSERT_TRUE(resolved);
    EXPECT_TRUE(resolved->ends_with("/" + std::string(150, 'b')));
}

TEST_F(WindowsFiles, TheRootOfADriveIsAFolderThatIsThere) {
    const std::string root = folder_.path().root_path().string();
    EXPECT_TRUE(fs::make_folders(root));
    EXPECT_TRUE(fs::make_folders(root + "/"));
    EXPECT_TRUE(fs::open_folder(root));
}

TEST_F(WindowsFiles, ANameBeyondWhatTheSystemCountsIsNotCutShort) {
    const std::string name(0x8001, 'a'); // its bytes, counted in 16 bits, are those of "a"
    EXPECT_EQ(fs::create_file(root_, name, fs::kPlainMode).error().kind, fs::ErrorKind::BadName);
    write_file(folder_ / "a", "");
    EXPECT_EQ(fs::open_beneath_for_reading(root_, name).error().kind, fs::ErrorKind::BadName);
}

TEST_F(WindowsFiles, FoldersAreNotMadeWhereAFileOrNothingIs) {
    write_file(folder_ / "file", "");
    EXPECT_FALSE(fs::make_folders((folder_ / "file").string()));
    EXPECT_FALSE(fs::make_folders((folder_ / "file/below/more").string()));
    EXPECT_FALSE(fs::make_folders("Q:/nowhere/below"));
}

TEST_F(WindowsFiles, ALockHoldsUntilItsHandleIsClosed) {
    auto first = create("journal", "content");
    const auto second = fs::open_for_writing(root_, "journal");
    ASSERT_TRUE(second);
    EXPECT_EQ(fs::try_lock(first), true);
    EXPECT_EQ(fs::try_lock(*second), false);
    Bytes read(7);
    EXPECT_EQ(fs::read_at(*second, 0, read), 7u) << "what is locked stays readable";
    ASSERT_TRUE(first.close());
    EXPECT_EQ(fs::try_lock(*second), true);
}

/// A folder with a junction `in` to a folder outside, which holds `secret` and the folder `below`.
class Junctions : public WindowsFiles {
protected:
    void SetUp() override {
        write_file(folder_ / "outside/secret", "secret");
        std::filesystem::create_directories(folder_ / "outside/below");
        std::filesystem::create_directories(folder_ / "root/in");
        make_junction(wide("root/in"), (folder_ / "outside").make_preferred().wstring());
        inside_ = fs::open_folder((folder_ / "root").string()).value();
    }

    /// Equivalent to `mklink /J`.
    static void make_junction(const std::wstring &empty_folder, const std::wstring &target) {
        struct Header {
            ULONG tag = IO_REPARSE_TAG_MOUNT_POINT;
            USHORT length = 0;
            USHORT reserved = 0;
            USHORT substitute_offset = 0;
            USHORT substitute_length = 0;
            USHORT print_offset = 0;
            USHORT print_length = 0;
        } header;
        const std::wstring substitute = LR"(\??\)" + target;
        // Each name ends with a zero.
        const std::wstring names = substitute + L'\0' + target + L'\0';
        header.substitute_length = static_cast<USHORT>(substitute.size() * sizeof(wchar_t));
        header.print_offset = static_cast<USHORT>(header.substitute_length + sizeof(wchar_t));
        header.print_length = static_cast<USHORT>(target.size() * sizeof(wchar_t));
        header.length = static_cast<USHORT>(8 + names.size() * sizeof(wchar_t));
        std::vector<std::uint8_t> buffer(sizeof(header) + names.size() * sizeof(wchar_t));
        std::memcpy(buffer.data(), &header, sizeof(header));
        std::memcpy(buffer.data() + sizeof(header), names.data(), names.size() * sizeof(wchar_t));
        const auto folder = fs::own(
            CreateFileW(empty_folder.c_str(), GENERIC_WRITE, fs::kShareAll, nullptr, OPEN_EXISTING,
                        FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
        DWORD returned = 0;
        ASSERT_TRUE(DeviceIoControl(fs::handle_of(folder), FSCTL_SET_REPARSE_POINT, buffer.data(),
                                    static_cast<DWORD>(buffer.size()), nullptr, 0, &returned,
                                    nullptr))
            << "no junction can be made here: " << GetLastError();
    }

    fs::FileHandle inside_;
};

TEST_F(Junctions, AreLinksToWhoeverLooks) {
    EXPECT_EQ(fs::status_beneath(inside_, "in")->type, fs::FileType::Link);
    auto reader = fs::FolderReader::open((folder_ / "root").string());
    ASSERT_TRUE(reader);
    const auto entry = reader->next();
    ASSERT_TRUE(entry && *entry);
    EXPECT_EQ((*entry)->name, "in");
    EXPECT_EQ((*entry)->status->type, fs::FileType::Link);
    EXPECT_TRUE(fs::read_link(inside_, "in")->ends_with("/outside"));
}

TEST_F(Junctions, LeadNowhereBelowAFolder) {
    for (const char *path : {"in", "in/below"}) {
        EXPECT_FALSE(fs::open_folder_beneath(inside_, path)) << path;
    }
    EXPECT_FALSE(fs::open_beneath_for_reading(inside_, "in/secret"));
    EXPECT_FALSE(fs::create_file(inside_, "in/new", fs::kPlainMode));
    EXPECT_FALSE(fs::make_folder(inside_, "in/new"));
    EXPECT_FALSE(fs::remove_file(inside_, "in/secret"));
    const auto reader = fs::FolderReader::open((folder_ / "root").string());
    ASSERT_TRUE(reader);
    EXPECT_FALSE(reader->open_child("in"));
    EXPECT_EQ(read_file(folder_ / "outside/secret"), "secret");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "outside/new"));
}

TEST_F(Junctions, AreFollowedWhereAPersonNamesThem) {
    const auto folder = fs::open_folder((folder_ / "root/in").string());
    ASSERT_TRUE(folder);
    EXPECT_TRUE(fs::open_beneath_for_reading(*folder, "secret"));
    EXPECT_TRUE(fs::resolve((folder_ / "root/in").string())->ends_with("/outside"));
}

struct Meaning {
    DWORD number;
    ErrorCode writing;
    ErrorCode reading;
};

TEST(WindowsErrors, MeanTheSameWhereverTheyComeFrom) {
    const Meaning meanings[] = {
        {ERROR_DISK_FULL, ErrorCode::DiskFull, ErrorCode::PathUnreadable},
        {ERROR_HANDLE_DISK_FULL, ErrorCode::DiskFull, ErrorCode::PathUnreadable},
        {fs::kDiskQuotaExceeded, ErrorCode::DiskFull, ErrorCode::PathUnreadable},
        {ERROR_FILE_TOO_LARGE, ErrorCode::FileTooLarge, ErrorCode::PathUnreadable},
        {ERROR_IO_DEVICE, ErrorCode::DiskIo, ErrorCode::DiskIo},
        {ERROR_CRC, ErrorCode::DiskIo, ErrorCode::DiskIo},
        {ERROR_NOT_READY, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {ERROR_NETNAME_DELETED, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {fs::kNoSuchDevice, ErrorCode::TargetGone, ErrorCode::DiskIo},
        {ERROR_WRITE_PROTECT, ErrorCode::TargetNotWritable, ErrorCode::PathUnreadable},
        {ERROR_ACCESS_DENIED, ErrorCode::TargetNotWritable, ErrorCode::PathUnreadable},
        {ERROR_SHARING_VIOLATION, ErrorCode::TargetNotWritable, ErrorCode::PathUnreadable},
        {ERROR_PATH_NOT_FOUND, ErrorCode::TargetNotWritable, ErrorCode::PathNotFound},
        {ERROR_INVALID_NAME, ErrorCode::NameNotAllowed, ErrorCode::NameNotAllowed},
    };
    for (const auto &[number, writing, reading] : meanings) {
        const Error error = fs::writing_error(fs::error_of(number), "write");
        EXPECT_EQ(error.code, writing) << number;
        EXPECT_EQ(error.cause, number);
        EXPECT_EQ(fs::reading_error(fs::error_of(number), "").code, reading) << number;
    }
    EXPECT_TRUE(fs::is_quota(fs::kDiskQuotaExceeded));
    EXPECT_FALSE(fs::is_quota(ERROR_DISK_FULL));
}

} // namespace
} // namespace thru::test
