#include "trompo/output/recorder.hpp"

#include <algorithm>

#include "trompo/model/reader.hpp"
#include "trompo/output/version.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

constexpr std::size_t buffer_numbers = 1 << 18;  // 2 MB for all tables together, unless one row is larger
constexpr std::size_t chunk_numbers = 1 << 14;   // 128 kB: a run that stops early leaves little unused space in its last chunks

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Chunks of equal size, so that a run that ends as planned leaves no unused space at all.
std::size_t chunk_rows(std::size_t planned_rows, std::size_t row_size) {
  const std::size_t at_most = std::max<std::size_t>(1, chunk_numbers / row_size);
  return ceil_div(planned_rows, ceil_div(planned_rows, at_most));
}

void write_heading(const RunPlan& plan, h5::File& file) {
  file.attribute("format", "trompo results");
  file.attribute("format_version", std::int64_t{1});
  file.attribute("trompo_version", version());
  file.attribute("scheme", plan.scheme.row->name);
  file.attribute("title", plan.model.title);
  file.attribute("model_json", model_json(plan.model));
  file.attribute("units", "SI");
  file.attribute("status", "running");
  file.attribute("energy_scale", 0.0);
}

}  // namespace

void Hdf5Recorder::begin(const RunPlan& plan) {
  Channels what = channels(plan);
  file_.emplace(path_);
  write_heading(plan, *file_);

  std::vector<std::string> groups;
  const auto need_group = [&](const std::string& name) {
    if (name.empty() || std::find(groups.begin(), groups.end(), name) != groups.end()) return;
    file_->group(name);
    groups.push_back(name);
  };
  for (const NameList& list : what.names) {
    need_group(list.group);
    file_->strings("/" + list.group + "/" + list.name, list.texts);
  }

  const auto every = static_cast<std::size_t>(std::max(1L, plan.model.output.every));
  const std::size_t planned = 1 + ceil_div(static_cast<std::size_t>(plan.steps), every);  // the last step is always recorded
  std::size_t row_size = 0;
  for (const Channel& channel : what.all) row_size += channel.size();
  capacity_ = std::clamp<std::size_t>(buffer_numbers / row_size, 1, planned);
  filled_ = 0;
  for (Channel& channel : what.all) {
    need_group(channel.group);
    h5::Dataset dataset = file_->dataset(channel.path(), channel.integer ? h5::Number::integer : h5::Number::real, channel.shape,
                                         chunk_rows(planned, channel.size()));
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
  try {
    if (file_) write_rows();
  } catch (...) {  // the reason that led here has already been thrown
  }
}

}  // namespace trompo
