// The source of program files: one of the user's, a folder of them, or the models that come with jitprobe. All files
// are read when the source is opened, so that a campaign continues with what it began with, whatever happens to the
// files. A folder's files come by path, but a harvest's in its order, the most informative first.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "campaign/common/tools.h"
#include "campaign/sources/harvest.h"
#include "campaign/sources/seed_source.h"
#include "codec/codec.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

class FileSource : public SeedSource {
 public:
  FileSource(std::string name, std::vector<Program> programs)
      : name_(std::move(name)), programs_(std::move(programs)) {}

  std::string name() const override { return name_; }
  std::optional<std::uint64_t> size() const override { return programs_.size(); }
  Program seed(std::uint64_t number) const override { return programs_.at(number); }
  codec::Json settings() const override {
    codec::Json files = codec::Json::array();
    for (const Program& program : programs_)
      files.push_back({{"path", program.path()}, {"sha256", program.lineage().seed.sha256}});
    return {{"source", "files"}, {"name", name_}, {"files", std::move(files)}};
  }

 private:
  std::string name_;
  std::vector<Program> programs_;  // at least one
};

Result<Program> load(const std::string& path) { return load_program(path, "program", "make_inputs"); }

// Absolute paths: a campaign may be resumed from elsewhere.
Result<std::vector<std::string>> files_below(const std::string& path) {
  std::error_code error;
  const fs::path top = fs::absolute(path).lexically_normal();
  if (!fs::is_directory(top, error)) return std::vector<std::string>{top.string()};
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry(top, fs::directory_options::skip_permission_denied, error);
  if (error) return Error{fmt::format("can't read the folder {}: {}", path, error.message())};
  // increment() sets the iterator to its end where it fails.
  std::error_code looked;
  for (; entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const bool hidden = entry->path().filename().string().starts_with('.');
    if (entry->is_directory(looked) && hidden) entry.disable_recursion_pending();
    if (!hidden && entry->path().extension() == ".py" && entry->is_regular_file(looked))
      files.push_back(entry->path().string());
  }
  if (error) return Error{fmt::format("can't read the folder {}: {}", path, error.message())};
  std::sort(files.begin(), files.end());
  if (files.empty()) return Error{fmt::format("the folder {} holds no program file (*.py)", path)};
  return files;
}

// Those first that the harvest's order names, the others behind them as they were.
Status put_in_order(std::vector<std::string>& files, const std::string& folder, const std::string& corpus) {
  auto ordered = ordered_harvest(folder, corpus, seedgen::kDefaultOrder, 0);
  if (!ordered.ok()) return ordered.error();
  std::map<std::string, std::size_t> places;
  for (const seedgen::Instance& instance : ordered.value())
    places.emplace((fs::absolute(folder) / instance.file).lexically_normal().string(), places.size());
  const auto place = [&](const std::string& file) {
    const auto found = places.find(file);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(files.begin(), files.end(),
                   [&](const std::string& left, const std::string& right) { return place(left) < place(right); });
  return Done{};
}

}  // namespace

SeedSourceResult file_source(const std::string& name, const std::string& path, const SeedSourceMaker& maker) {
  Result<std::vector<std::string>> files = files_below(path);
  if (!files.ok()) return files.error();
  if (is_harvest(path))
    if (Status status = put_in_order(files.value(), path, maker.corpus); !status.ok()) return status.error();
  std::vector<Program> programs;
  std::string first_fault;
  for (const std::string& file : files.value()) {
    Result<Program> program = load(file);
    Result<std::string> found = std::string();
    if (program.ok() && maker.fault_of) found = maker.fault_of(program.value());
    if (!found.ok()) return found.error();
    const std::string& fault = program.ok() ? found.value() : program.error().message;
    if (fault.empty()) {
      programs.push_back(std::move(program).value());
      continue;
    }
    if (first_fault.empty()) first_fault = fault;
    if (maker.note && files.value().size() > 1) maker.note(fmt::format("left out: {}", fault));
  }
  if (programs.empty() && files.value().size() == 1)
    return Error{fmt::format("no program to start from: {}", first_fault)};
  if (programs.empty())
    return Error{fmt::format("none of the {} files in {} is a program to start from: see docs/formats.md",
                             files.value().size(), path)};
  return std::shared_ptr<const SeedSource>(new FileSource(name, std::move(programs)));
}

SeedSourceResult reopen_files(const codec::Json& settings) {
  std::vector<Program> programs;
  for (const codec::Json& file : settings.at("files")) {
    const auto path = file.at("path").get<std::string>();
    Result<Program> program = load(path);
    if (!program.ok()) return program.error();
    if (program.value().sha256() != file.at("sha256").get<std::string>())
      return Error{fmt::format("{} has changed since the campaign began: start a new campaign", path)};
    programs.push_back(std::move(program).value());
  }
  if (programs.empty()) return Error{"the campaign's settings are damaged: start a new campaign"};
  return std::shared_ptr<const SeedSource>(new FileSource(settings.at("name").get<std::string>(), std::move(programs)));
}

}  // namespace jp::campaign
