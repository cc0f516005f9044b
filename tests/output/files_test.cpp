#include "trompo/output/files.hpp"

#include "tests/output/recording.hpp"

namespace trompo::test {
namespace output_files {

namespace fs = std::filesystem;

std::string refusal(const std::string& path) {
  try {
    ensure_directory(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(EnsureDirectory, MakesItOrTakesIt) {
  const Directory directory;
  ensure_directory(directory / "new");
  ensure_directory(directory / "new");
  ensure_directory(directory / "other/");
  EXPECT_TRUE(fs::is_directory(directory / "new"));
  EXPECT_TRUE(fs::is_directory(directory / "other"));
}

TEST(EnsureDirectory, SaysWhyNot) {
  const Directory directory;
  std::ofstream(directory / "file") << "x";
  EXPECT_NE(refusal(directory / "file").find("it is a file"), std::string::npos);
  EXPECT_NE(refusal(directory / "file/below"), "");
  EXPECT_NE(refusal(directory / "missing/below").find(directory / "missing does not exist"), std::string::npos);
  EXPECT_NE(refusal(""), "");
  EXPECT_NE(refusal("/proc/trompo"), "");  // not even root makes a directory there
  EXPECT_FALSE(fs::exists(directory / "missing"));
}

TEST(EnsureDirectory, RespectsPermissions) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Directory directory;
  fs::permissions(directory.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(refusal(directory.path()).find("Permission denied"), std::string::npos);
  EXPECT_NE(refusal(directory / "below").find("Permission denied"), std::string::npos);
  fs::permissions(directory.path(), fs::perms::owner_all);
}

TEST(WriteTextFile, AllOrNothing) {
  const Directory directory;
  write_text_file(directory / "text", "first");
  write_text_file(directory / "text", "second\n");
  EXPECT_EQ(read_text(directory / "text"), "second\n");
  fs::create_directories(directory / "taken/by a directory");
  EXPECT_THROW(write_text_file(directory / "taken", "x"), FileError);
  EXPECT_THROW(write_text_file(directory / "missing/text", "x"), FileError);
  int entries = 0;  // no draft is left behind
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(directory.path())) ++entries;
  EXPECT_EQ(entries, 2);
}

}  // namespace output_files
}  // namespace trompo::test
