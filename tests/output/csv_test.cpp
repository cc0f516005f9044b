#include "trompo/output/csv.hpp"

#include <cstdlib>
#include <sstream>

#include "tests/output/recording.hpp"

namespace trompo::test {
namespace output_csv {

// A reader of RFC 4180 that shares nothing with the writer.
std::vector<std::vector<std::string>> parsed(const std::string& text) {
  std::vector<std::vector<std::string>> lines(1, {""});
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      lines.back().back() += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == ',')
      lines.back().emplace_back();
    else if (!quoted && c == '\n')
      lines.push_back({""});
    else
      lines.back().back() += c;
  }
  lines.pop_back();
  return lines;
}

double cell(const std::vector<std::vector<std::string>>& table, std::size_t line, const std::string& column) {
  for (std::size_t i = 0; i < table[0].size(); ++i)
    if (table[0][i] == column) return std::strtod(table[line][i].c_str(), nullptr);
  ADD_FAILURE() << "no column " << column;
  return 0;
}

TEST(CsvRecorder, ReadsBackExactly) {
  const Directory directory;
  CsvRecorder recorder(directory.path());
  const RunResult result = watch(observed_pendulum(3000), recorder);  // more than one buffer
  const auto table = parsed(read_text(recorder.path()));
  ASSERT_EQ(table.size(), 3002U);
  for (const auto& line : table) ASSERT_EQ(line.size(), 48U);
  EXPECT_EQ(cell(table, 1, "bob.y"), -3.0443);
  EXPECT_EQ(cell(table, 1, "bob.velocity.x"), 7.72);
  EXPECT_EQ(cell(table, 3001, "step"), 3000);
  EXPECT_EQ(cell(table, 3001, "time"), result.state.time);
  EXPECT_EQ(cell(table, 3001, "bob.x"), result.state.q[3]);
  EXPECT_EQ(cell(table, 3001, "bob.acceleration.y"), result.acceleration[4]);
  EXPECT_EQ(cell(table, 3001, "energy.total"), result.total.final);
  EXPECT_EQ(cell(table, 3001, "momentum.angular.z"), result.momentum.angular[2]);
  EXPECT_EQ(cell(table, 3001, "length"), result.sensors[0].final);
  EXPECT_EQ(cell(table, 3001, "pivot.reaction.y"), result.sensors[1].final);
  EXPECT_GT(cell(table, 3001, "rod.force"), 0);
}

TEST(CsvRecorder, QuotesNames) {
  EXPECT_EQ(csv_cell("plain name.x"), "plain name.x");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  const Directory directory;
  Model model = observed_pendulum(1);
  model.sensors[0].name = "the \"length\", m/🪀";
  CsvRecorder recorder(directory.path());
  const RunResult result = watch(model, recorder);
  const auto table = parsed(read_text(recorder.path()));
  EXPECT_EQ(cell(table, 2, model.sensors[0].name), result.sensors[0].final);
}

// What a spreadsheet would calculate, or run, is a text to it.
TEST(CsvRecorder, NamesAreNoFormulas) {
  for (const std::string name : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx", "=cmd|' /C calc'!A0"})
    EXPECT_EQ(csv_cell(name), "'" + name);
  EXPECT_EQ(csv_cell("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
  EXPECT_EQ(csv_cell("\rx"), "\"'\rx\"");
  EXPECT_EQ(csv_cell("a=b"), "a=b");
  EXPECT_EQ(csv_cell(""), "");
  const Directory directory;
  Model model = observed_pendulum(1);
  model.sensors[0].name = "=HYPERLINK(\"http://x\")";
  CsvRecorder recorder(directory.path());
  const RunResult result = watch(model, recorder);
  EXPECT_EQ(cell(parsed(read_text(recorder.path())), 2, "'" + model.sensors[0].name), result.sensors[0].final);
}

TEST(CsvRecorder, SaysWhyItCannotWrite) {
  CsvRecorder recorder("/dev/null/no");
  EXPECT_THROW((void)watch(observed_pendulum(1), recorder), FileError);
}

TEST(CsvRecorder, NoticesAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const Directory directory;
  std::filesystem::create_symlink("/dev/full", directory / "results.csv");
  CsvRecorder recorder(directory.path());
  EXPECT_THROW((void)watch(observed_pendulum(3000), recorder), FileError);
}

}  // namespace output_csv
}  // namespace trompo::test
