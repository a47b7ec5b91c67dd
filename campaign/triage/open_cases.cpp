#include "campaign/triage/open_cases.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

#include "codec/codec.h"
#include "core/files.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

std::string waiting_file(const std::string& folder, std::uint64_t test) {
  return fmt::format("{}/waiting/{}.json", folder, test);
}

Result<Case> load(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok()) return Error{fmt::format("{} is damaged: {}", path, json.error().message)};
  return read_case(json.value());
}

}  // namespace

Result<std::set<std::uint64_t>> waiting_cases(const std::string& folder,
                                              const std::function<bool(std::uint64_t)>& ended) {
  std::set<std::uint64_t> tests;
  std::error_code error;
  const fs::path waiting = fs::path(folder) / "waiting";
  if (!fs::exists(waiting, error)) return tests;
  for (fs::directory_iterator at(waiting, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().stem().string();
    std::uint64_t test = 0;
    const auto [last, problem] = std::from_chars(name.data(), name.data() + name.size(), test);
    if (problem == std::errc() && last == name.data() + name.size() && at->path().extension() == ".json" && ended(test))
      tests.insert(test);
  }
  if (error) return Error{fmt::format("{} can't be read: {}", waiting.string(), error.message())};
  return tests;
}

Result<std::unique_ptr<OpenCases>> OpenCases::open(const std::string& folder,
                                                   const std::function<bool(std::uint64_t)>& ended) {
  Result<std::set<std::uint64_t>> tests = waiting_cases(folder, ended);
  if (!tests.ok()) return tests.error();
  if (Status made = make_folder(folder + "/waiting"); !made.ok()) return made.error();
  std::unique_ptr<OpenCases> cases(new OpenCases(folder));
  for (const std::uint64_t test : tests.value()) {
    const Result<Case> one = load(waiting_file(folder, test));
    if (!one.ok()) return one.error();
    cases->enter(one.value());
  }
  return cases;
}

Result<std::vector<OpenCases::Text>> OpenCases::keep(const std::vector<const Case*>& cases) const {
  std::vector<FileText> files;
  for (const Case* one : cases) files.push_back({waiting_file(folder_, one->test), codec::text(to_json(*one)) + "\n"});
  if (Status put = write_files(files); !put.ok()) return put.error();
  std::vector<Text> texts;
  for (FileText& file : files) texts.push_back(std::make_shared<const std::string>(std::move(file.text)));
  return texts;
}

void OpenCases::enter(const Case& one, Text text) {
  std::lock_guard lock(mutex_);
  items_.try_emplace(one.test, Item{.signature = oracle::unrefined(one.found.signature),
                                    .fresh = std::make_shared<const Case>(one),
                                    .text = std::move(text)});
}

std::optional<std::uint64_t> OpenCases::first() const {
  std::lock_guard lock(mutex_);
  return items_.empty() ? std::nullopt : std::optional(items_.begin()->first);
}

std::uint64_t OpenCases::waiting() const {
  std::lock_guard lock(mutex_);
  std::uint64_t waiting = 0;
  for (const auto& [test, item] : items_) waiting += item.begun ? 0 : 1;
  return waiting;
}

// Called under mutex_. Cases can be large, so they are read when their turn comes.
Result<std::optional<OpenCases::Taken>> OpenCases::take(std::uint64_t test) {
  Item& item = items_.at(test);
  const std::shared_ptr<const Case> fresh = std::exchange(item.fresh, nullptr);
  Text text = std::exchange(item.text, nullptr);
  Result<Case> one = fresh ? Result<Case>(*fresh) : load(waiting_file(folder_, test));
  if (!one.ok()) return one.error();
  item.taken = true;
  return std::optional(Taken{.one = std::move(one).value(), .memory = item.memory, .text = std::move(text)});
}

bool OpenCases::has_turn(std::uint64_t border) const {
  std::lock_guard lock(mutex_);
  return !deciding_ && !items_.empty() && items_.begin()->first < border && !items_.begin()->second.taken;
}

Result<std::optional<OpenCases::Taken>> OpenCases::take_first(std::uint64_t border) {
  std::lock_guard lock(mutex_);
  if (deciding_ || items_.empty()) return std::optional<Taken>();
  auto& [test, item] = *items_.begin();
  if (test >= border || item.taken) return std::optional<Taken>();
  deciding_ = test;
  item.begun = true;
  return take(test);
}

Result<std::optional<OpenCases::Taken>> OpenCases::take_ahead(const WorthAhead& worth) {
  std::lock_guard lock(mutex_);
  std::set<std::string> before;
  for (auto& [test, item] : items_) {
    const bool first = before.insert(item.signature.id()).second;
    if (item.taken || item.ahead) continue;
    const bool rest = first && !worth.known(item.signature);
    const bool place = (rest || worth.alike) && worth.place(item.signature);
    if (!rest && !place) {
      item.fresh.reset();
      item.text.reset();
      continue;
    }
    item.ahead = true;
    Result<std::optional<Taken>> taken = take(test);
    if (taken.ok()) taken.value()->parts = {.place = place, .rest = rest};
    return taken;
  }
  return std::optional<Taken>();
}

void OpenCases::give_back(const Taken& taken) {
  std::lock_guard lock(mutex_);
  items_.at(taken.one.test).taken = false;
  if (deciding_ == taken.one.test) deciding_.reset();
}

Status OpenCases::decided(const Taken& taken) {
  std::lock_guard lock(mutex_);
  deciding_.reset();
  items_.erase(taken.one.test);
  std::error_code error;
  fs::remove(waiting_file(folder_, taken.one.test), error);
  if (error)
    return Error{fmt::format("{} can't be removed: {}", waiting_file(folder_, taken.one.test), error.message())};
  return Done{};
}

}  // namespace jp::campaign
