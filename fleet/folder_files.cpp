#include "fleet/folder_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>
#include <utility>

#include "codec/codec.h"
#include "core/files.h"
#include "fleet/without_times.h"

namespace jp::fleet {

namespace fs = std::filesystem;

std::string terms_file(const std::string& folder) { return folder + "/campaign.json"; }
std::string driver_file(const std::string& folder) { return folder + "/driver"; }
std::string ended_file(const std::string& folder) { return folder + "/ended"; }
std::string tables_file(const std::string& folder, std::uint64_t epoch) {
  return fmt::format("{}/tables/{}.json", folder, epoch);
}
std::string done_folder(const std::string& folder, std::uint64_t thousand) {
  return fmt::format("{}/done/{}", folder, thousand);
}
std::uint64_t thousand_of(const Range& range) {
  constexpr std::uint64_t kTests = 1000;
  return range.first / kTests;
}
std::string done_file(const std::string& folder, const Range& range) {
  return fmt::format("{}/{}-{}.json", done_folder(folder, thousand_of(range)), range.first, range.second);
}
std::string case_folder(const std::string& folder) { return folder + "/cases"; }
std::string case_file(const std::string& folder, std::uint64_t test) {
  return fmt::format("{}/{}.json", case_folder(folder), test);
}
std::string answers_file(const std::string& folder, std::uint64_t test) {
  return fmt::format("{}/{}.answers.json", case_folder(folder), test);
}
std::string digest_file(const std::string& folder, std::uint64_t test, const codec::Json& asked) {
  return fmt::format("{}/{}.{}{}.digest", case_folder(folder), test, asked.value("place", false) ? "place" : "",
                     asked.value("rest", false) ? "rest" : "");
}
std::string unlike_folder(const std::string& folder) { return folder + "/unlike"; }
std::string begun_folder(const std::string& folder) { return folder + "/begun"; }
std::string begun_file(const std::string& folder, const std::string& process) {
  return fmt::format("{}/{}.json", begun_folder(folder), process);
}
std::string skipped_folder(const std::string& folder) { return folder + "/skipped"; }
std::string skipped_file(const std::string& folder, std::uint64_t test) {
  return fmt::format("{}/{}", skipped_folder(folder), test);
}

std::vector<std::uint64_t> epochs_in(const std::string& folder, std::uint64_t first) {
  std::set<std::uint64_t> epochs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder + "/tables", error)) {
    const auto name = numbered(entry.path().filename().string());
    if (name && name->second == ".json" && name->first >= first) epochs.insert(name->first);
  }
  return {epochs.begin(), epochs.end()};
}

std::string claim_name(const Range& range) { return fmt::format("{}-{}", range.first, range.second); }
std::string claim_name(std::uint64_t of_case) { return fmt::format("case-{}", of_case); }
std::string claim_of(const std::string& name, int slot) { return fmt::format("{}.{}", name, slot); }
std::string claim_folder(const std::string& folder) { return folder + "/claims"; }
std::string claim_file(const std::string& folder, const std::string& claim) {
  return claim_folder(folder) + "/" + claim;
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Result<codec::Json> read_json(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok()) return Error{fmt::format("{} is damaged: {}", path, json.error().message)};
  if (!json.value().is_object()) return Error{fmt::format("{} is damaged: it holds no object", path)};
  return json;
}

std::optional<std::pair<std::uint64_t, std::string>> numbered(const std::string& name) {
  std::uint64_t number = 0;
  const char* end = name.data() + name.size();
  const auto [rest, problem] = std::from_chars(name.data(), end, number);
  if (problem != std::errc()) return std::nullopt;
  return std::pair(number, std::string(rest, end));
}

std::optional<Range> range_of(const std::string& name) {
  const auto first = numbered(name);
  if (!first || !first->second.starts_with("-")) return std::nullopt;
  const auto second = numbered(first->second.substr(1));
  if (!second || second->second != ".json" || second->first <= first->first) return std::nullopt;
  return Range{first->first, second->first};
}

codec::Json to_json(const Note& note) {
  codec::Json json = {{"process", note.process}, {"beat", note.beat}};
  if (note.test) json["test"] = *note.test;
  if (note.of_case) json["case"] = *note.of_case;
  if (!note.claim.empty()) json["claim"] = note.claim;
  return json;
}

std::optional<Note> read_note(const std::string& path) {
  const Result<codec::Json> json = is_there(path) ? read_json(path) : Result<codec::Json>(Error{"none"});
  if (!json.ok()) return std::nullopt;
  try {
    Note note{.process = json.value().at("process").get<std::string>(),
              .beat = json.value().at("beat").get<std::uint64_t>(),
              .claim = json.value().value("claim", "")};
    if (json.value().contains("test")) note.test = json.value()["test"].get<std::uint64_t>();
    if (json.value().contains("case")) note.of_case = json.value()["case"].get<std::uint64_t>();
    return note;
  } catch (const codec::Json::exception&) {
    return std::nullopt;
  }
}

std::vector<Note> notes_in(const std::string& folder) {
  std::vector<Note> notes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(begun_folder(folder), error))
    if (entry.path().extension() == ".json")
      if (std::optional<Note> note = read_note(entry.path().string())) notes.push_back(*std::move(note));
  return notes;
}

namespace {

bool are_one_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return fs::equivalent(one, other, error) && !error;
}

// Gives a file its name unless there is one of that name; false if there is. A network file system may repeat a call
// that succeeded, and say that the name is taken: by this very file. Where there are no hard links the name may be
// taken between the look and the renaming.
Result<bool> name_first(const std::string& file, const std::string& name) {
  const auto cannot = [&](int error) { return Error{fmt::format("{} can't be put: {}", name, std::strerror(error))}; };
  const int failed = link(file.c_str(), name.c_str()) == 0 ? 0 : errno;
  const bool no_links = failed == EPERM || failed == EOPNOTSUPP || failed == ENOSYS;
  if (failed != 0 && failed != EEXIST && !no_links) return cannot(failed);
  if (no_links && !is_there(name)) return rename(file.c_str(), name.c_str()) == 0 ? Result<bool>(true) : cannot(errno);
  const bool first = failed == 0 || are_one_file(file, name);
  unlink(file.c_str());  // what stays is looked at by nobody
  return first;
}

}  // namespace

Result<bool> put_first(const std::string& name, const std::string& process, const std::string& text) {
  const std::string file = fmt::format("{}.{}", name, process);
  if (Status written = write_file(file, text); !written.ok()) return written.error();
  return name_first(file, name);
}

Result<bool> take_claim(const std::string& folder, const std::string& claim, const std::string& process) {
  return put_first(claim_file(folder, claim), process, process + "\n");
}

void free_claim(const std::string& folder, const std::string& claim, const std::string& process) {
  const std::string file = claim_file(folder, claim);
  std::error_code none_there;
  if (const Result<std::string> owner = read_file(file); owner.ok() && owner.value() == process + "\n")
    fs::remove(file, none_there);
}

namespace {

// A process that others gave up may have gone on, and may be given up once more.
std::string new_death(const std::string& folder, const std::string& process) {
  std::string file = fmt::format("{}/deaths/{}.json", folder, process);
  for (int number = 2; is_there(file); ++number) file = fmt::format("{}/deaths/{}.{}.json", folder, process, number);
  return file;
}

}  // namespace

void note_death(const std::string& folder, const Note& note) {
  const std::string death = new_death(folder, note.process);
  std::error_code none_there;
  fs::rename(begun_file(folder, note.process), death, none_there);
  if (!none_there && !note.claim.empty()) free_claim(folder, note.claim, note.process);
}

Deaths deaths_in(const std::string& folder) {
  Deaths deaths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder + "/deaths", error))
    if (const std::optional<Note> note = read_note(entry.path().string())) {
      if (note->test) ++deaths.in_test[*note->test];
      if (note->of_case) ++deaths.in_case[*note->of_case];
    }
  return deaths;
}

Result<bool> same_results(const std::string& one, const std::string& other) {
  std::istringstream ones(one);
  std::istringstream others(other);
  std::string line;
  for (std::string second; std::getline(ones, line);) {
    if (!std::getline(others, second)) return false;
    const Result<codec::Json> ours = codec::parse_text(line);
    const Result<codec::Json> theirs = codec::parse_text(second);
    if (!ours.ok()) return ours.error();
    if (!theirs.ok()) return theirs.error();
    if (without_times(ours.value()) != without_times(theirs.value())) return false;
  }
  return !std::getline(others, line);
}

namespace {

std::string unlike_file(const std::string& folder, const std::string& what, const std::string& process) {
  return fmt::format("{}/{}.{}.json", unlike_folder(folder), what, process);
}

}  // namespace

Status give_back(const std::string& folder, const Range& range, const std::string& process, const std::string& lines) {
  const std::string done = done_file(folder, range);
  const Result<bool> first = put_first(done, process, lines);
  if (!first.ok()) return first.error();
  if (first.value()) return Done{};
  const Result<std::string> theirs = read_file(done);
  if (!theirs.ok()) return theirs.error();
  const Result<bool> same = same_results(theirs.value(), lines);
  if (!same.ok()) return same.error();
  return same.value() ? Status(Done{}) : write_file(unlike_file(folder, claim_name(range), process), lines);
}

// The driver removes answers once it has them; what they were stays.
Status answer(const std::string& folder, std::uint64_t test, const std::string& process, const codec::Json& asked,
              const codec::Json& answers) {
  const std::string digest = digest_of_study(answers) + "\n";
  const Result<bool> first = put_first(digest_file(folder, test, asked), process, digest);
  if (!first.ok()) return first.error();
  const std::string text = codec::text(answers) + "\n";
  if (!first.value()) {
    const Result<std::string> theirs = read_file(digest_file(folder, test, asked));
    if (!theirs.ok()) return theirs.error();
    if (theirs.value() != digest)
      if (Status kept = write_file(unlike_file(folder, claim_name(test), process), text); !kept.ok()) return kept;
  }
  if (!is_there(case_file(folder, test))) return Done{};
  const Result<bool> answered = put_first(answers_file(folder, test), process, text);
  return answered.ok() ? Status(Done{}) : answered.error();
}

}  // namespace jp::fleet
