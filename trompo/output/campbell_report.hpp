// A Campbell diagram as summary.json, results.csv, a picture and a page.
#pragma once

#include <string>

#include "trompo/output/page_data.hpp"
#include "trompo/run/campbell.hpp"

namespace trompo {

[[nodiscard]] Plot campbell_plot(const Model& model, const Campbell& diagram);
[[nodiscard]] std::string campbell_csv(const Campbell& diagram);  // a line for every mode of every speed
[[nodiscard]] std::string campbell_json(const Model& model, const Campbell& diagram);
[[nodiscard]] PageData campbell_page(const Model& model, const Campbell& diagram);

}  // namespace trompo
