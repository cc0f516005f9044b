#include "trompo/output/recorder.hpp"

#include <algorithm>

#include "trompo/model/reader.hpp"
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
  file.reserve(2 * model.size() + heading.size());  // names are in the model too
  file.attribute("format", "trompo results");
  file.attribute("format_version", std::int64_t{1});
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
  file_.emplace(path_);
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
  if (++filled_ == capacity_) write_rows();
}

// A flush moves what HDF5 writes later to other places in the file. By the clock it would make the bytes differ from run to
// run; by the count of rows it does not.
void Hdf5Recorder::write_rows() {
  if (filled_ == 0) return;
  file_->reserve(capacity_ * row_size_ * sizeof(double));
  const std::size_t rows = std::exchange(filled_, 0);
  for (Table& table : tables_) table.dataset.append({table.rows.data(), rows * table.channel.size()});
  file_->flush();
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
  }
}

}  // namespace trompo
