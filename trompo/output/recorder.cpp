#include "trompo/output/recorder.hpp"

#include <algorithm>
#include <filesystem>

#include "trompo/model/reader.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/run_data.hpp"
#include "trompo/output/version.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

constexpr std::size_t buffer_numbers = 1 << 18;  // 2 MB for all tables together, unless one row is larger

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Rows that are written at a time, all tables alike; also the chunks of the file, so that a chunk is written once and whole.
// Equal parts of what is planned: a run that ends as planned leaves no unused space.
std::size_t rows_at_a_time(std::size_t planned, std::size_t row_size) {
  const std::size_t at_most = std::max<std::size_t>(1, buffer_numbers / row_size);
  return ceil_div(planned, ceil_div(planned, at_most));
}

void write_heading(const RunPlan& plan, const std::vector<NameList>& names, const std::vector<Remark>& remarks,
                   h5::File& file) {
  const std::string model = model_json(plan.model), heading = run_heading(plan);
  std::size_t letters = model.size() + heading.size();
  for (const NameList& list : names) letters += list.texts.size() * h5::text_width(list.texts);
  file.reserve(letters);
  file.attribute("format", "trompo results");
  file.attribute("format_version", std::int64_t{2});
  file.attribute("trompo_version", version());
  file.attribute("scheme", plan.statics() ? std::string_view("statics") : plan.scheme.row->name);
  if (plan.statics()) file.attribute("axis", plan.axis);
  file.attribute("title", plan.model.title);
  file.attribute("model_json", model);
  file.attribute("page_json", heading);
  file.attribute("remarks_json", remarks_json(remarks));
  file.attribute("units", "SI");
  file.attribute("status", "running");
  file.attribute("energy_scale", 0.0);
  for (const NameList& list : names) {
    file.group(list.group);
    file.strings("/" + list.group + "/" + list.name, list.texts);
  }
}

}  // namespace

void Hdf5Recorder::begin(const RunPlan& plan) {
  Channels what = channels(plan);
  file_ = std::make_unique<h5::File>(path_);
  write_heading(plan, what.names, remarks_, *file_);

  const auto every = static_cast<std::size_t>(std::max(1L, plan.model.output.every));
  const std::size_t planned = 1 + ceil_div(static_cast<std::size_t>(plan.steps), every);  // the last step is always recorded
  row_size_ = 0;
  for (const Channel& channel : what.all) row_size_ += channel.size();
  capacity_ = rows_at_a_time(planned, row_size_);
  filled_ = 0;
  for (Channel& channel : what.all) {
    if (!channel.group.empty()) file_->group(channel.group);
    const h5::Number number = channel.integer ? h5::Number::integer : h5::Number::real;
    h5::Dataset dataset = file_->dataset(channel.path(), number, channel.shape, capacity_);
    dataset.attribute("unit", channel.unit);
    std::vector<double> rows(capacity_ * channel.size());
    tables_.push_back({std::move(channel), std::move(dataset), std::move(rows)});
  }
  file_->flush();
}

void Hdf5Recorder::sample(const Sample& now) {
  for (Table& table : tables_) table.channel.read(now, table.rows.data() + filled_ * table.channel.size());
  add_row();
  if (folder_ != nullptr && std::chrono::steady_clock::now() >= next_snapshot_) take_snapshot();
}

void Hdf5Recorder::add_row() {
  ++samples_;
  if (++filled_ == capacity_) write_rows();
}

// The same calls as if they had been recorded here: the same bytes.
void Hdf5Recorder::resume(const Checkpoint& at) {
  if (earlier_ == nullptr) return;
  std::vector<const Channel*> all;
  for (const Table& table : tables_) all.push_back(&table.channel);
  earlier_->each_row(all, 0, static_cast<std::size_t>(at.samples), [this](const double* row) {
    for (Table& table : tables_) {
      const std::size_t size = table.channel.size();
      std::copy_n(row, size, table.rows.data() + filled_ * size);
      row += size;
    }
    add_row();
  });
}

bool Hdf5Recorder::make_lasting_up_to(long samples) {
  if (folder_ == nullptr) return false;
  if (copied_ < samples) take_snapshot();
  if (copied_ < samples) return false;
  make_lasting(folder_->path() + "/" + std::string(partial_name));
  return true;
}

// A flush moves what HDF5 writes later to other places in the file. By the clock it would make the bytes differ from run to
// run; by the count of rows it does not.
void Hdf5Recorder::write_rows() {
  if (filled_ == 0) return;
  make_room(capacity_ * row_size_ * sizeof(double));
  const std::size_t rows = std::exchange(filled_, 0);
  for (Table& table : tables_) table.dataset.append({table.rows.data(), rows * table.channel.size()});
  file_->flush();
}

// The copy for readers must not take the room that the run itself needs.
void Hdf5Recorder::make_room(std::size_t bytes) {
  try {
    file_->reserve(bytes);
  } catch (const FileError&) {
    if (folder_ == nullptr || !folder_->remove_partial()) throw;
    file_->reserve(bytes);
  }
}

// Since its last flush nothing has changed in the file; rows that still wait go into the copy alone. So the clock, which says
// when this happens, has no part in the bytes of the results. A copy that cannot be made is no reason to end a run.
void Hdf5Recorder::take_snapshot() {
  using Clock_ = std::chrono::steady_clock;
  const auto begin = Clock_::now();
  const std::string copy = folder_->drafts() + "/" + std::string(partial_name);
  try {
    copy_so_far(copy);
    folder_->put_partial();
    copied_ = samples_;
  } catch (const FileError&) {
    std::error_code ignored;
    std::filesystem::remove(copy, ignored);
  }
  const auto now = Clock_::now();
  next_snapshot_ = now + std::max<Clock_::duration>(std::chrono::milliseconds(500), 50 * (now - begin));
}

void Hdf5Recorder::copy_so_far(const std::string& path) const {
  copy_file(path_, path);
  if (filled_ == 0) return;
  h5::File file = h5::File::opened(path);
  file.reserve(capacity_ * row_size_ * sizeof(double));
  for (const Table& table : tables_)
    file.dataset(table.channel.path()).append({table.rows.data(), filled_ * table.channel.size()});
  file.close();
}

void Hdf5Recorder::end(const RunResult& result) {
  write_rows();
  file_->attribute("energy_scale", result.ledger.scale());
  file_->attribute("status", word(result.status));
  file_->flush();   // a full disk shows here, while the datasets still stand
  tables_.clear();  // HDF5 closes a file only when nothing in it is open any more
  file_->close();
  file_.reset();
}

Hdf5Recorder::~Hdf5Recorder() {
  if (!file_) return;
  try {
    write_rows();
  } catch (const FileError&) {  // the rows before these can still be closed in good order
  }
  try {
    tables_.clear();
    file_->close();
  } catch (const FileError&) {  // the reason that led here has already been thrown
    std::error_code ignored;
    if (folder_ != nullptr) std::filesystem::remove(path_, ignored);  // the last copy for readers is sound
  }
}

}  // namespace trompo
