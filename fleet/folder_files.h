// The files of a folder that a driver and its processes share, which may lie on a network file system:
//
//   campaign.json            the terms of all leases (campaign/lease.h), and how many tests there are
//   tables/EPOCH.json        the tables of an epoch, once they stand
//   done/THOUSAND/BEGIN-END.json  the results of a range of tests, one object a line, in folders of a thousand tests:
//   all
//                            are listed again and again, and an epoch may have hundreds of thousands
//   cases/NUMBER.json        a case that is to be studied, and cases/NUMBER.answers.json what came of it
//                            (campaign/case_lease.h); both are removed when the driver has the answers
//   cases/NUMBER.digest      what the first answers were, for the comparison with second ones
//   unlike/BEGIN-END.INDEX.json, unlike/case-NUMBER.INDEX.json  results and answers that were unlike the first ones
//   claims/NAME.SLOT         a process is at work on a range (BEGIN-END) or a case (case-NUMBER); there are kSlots of
//                            each, so that one process that is slow may be overtaken by another
//   begun/PROCESS.json       what a process is doing, and a number that grows while it lives
//   deaths/PROCESS.json      the last such note of a process that died
//   skipped/NUMBER           a test in which so many died that no other is to make it
//   driver                   the driver's process, and a number that grows while it lives; else the others end, too
//   ended                    there is nothing more to do
//
// Every file is written beside its place, synced and put there whole. A range that nobody gives back is made by another
// process. The first result of a range counts; a process that comes second compares.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/json.h"
#include "core/result.h"
#include "fleet/ranges.h"

namespace jp::fleet {

std::string terms_file(const std::string& folder);
std::string driver_file(const std::string& folder);
std::string ended_file(const std::string& folder);
std::string tables_file(const std::string& folder, std::uint64_t epoch);
/// The folder of the results of ranges that begin with a test of that thousand (thousand_of).
std::string done_folder(const std::string& folder, std::uint64_t thousand);
std::uint64_t thousand_of(const Range& range);
std::string done_file(const std::string& folder, const Range& range);
std::string case_folder(const std::string& folder);
std::string case_file(const std::string& folder, std::uint64_t test);
std::string answers_file(const std::string& folder, std::uint64_t test);
std::string digest_file(const std::string& folder, std::uint64_t test);
std::string unlike_folder(const std::string& folder);
std::string begun_folder(const std::string& folder);
std::string begun_file(const std::string& folder, const std::string& process);
std::string skipped_folder(const std::string& folder);
std::string skipped_file(const std::string& folder, std::uint64_t test);

bool is_there(const std::string& path);
Result<codec::Json> read_json(const std::string& path);
/// A number and the rest of a name: "12-20.json" is 12 and "-20.json". Nothing if it begins with no number.
std::optional<std::pair<std::uint64_t, std::string>> numbered(const std::string& name);

/// Processes that may be at work on one range or case at the same time. More would not be sooner, and all of them would
/// be lost with what ends them.
inline constexpr int kSlots = 2;
std::string claim_name(const Range& range);
std::string claim_name(std::uint64_t of_case);
/// The file of a claim; `claim`: NAME.SLOT.
std::string claim_file(const std::string& folder, const std::string& claim);

/// What a process is doing.
struct Note {
  std::string process;  // of the same name in no two processes
  std::uint64_t beat = 0;
  std::optional<std::uint64_t> test = std::nullopt;     // that it makes
  std::optional<std::uint64_t> of_case = std::nullopt;  // the test whose case it studies
  std::string claim = "";                               // NAME.SLOT that it has, or is about to take
  bool operator==(const Note&) const = default;
};
codec::Json to_json(const Note& note);
std::optional<Note> read_note(const std::string& path);
/// Those of all processes that have one.
std::vector<Note> notes_in(const std::string& folder);
/// Says that a process has died: its note becomes a death, and its claim is free. Nothing happens if it has no note.
void note_death(const std::string& folder, const Note& note);

/// How many processes died in a test, and in the study of a test's case.
struct Deaths {
  std::map<std::uint64_t, int> in_test;
  std::map<std::uint64_t, int> in_case;
};
Deaths deaths_in(const std::string& folder);

/// Whether two results of a range say the same, but for times and memory. An Error if one is damaged.
Result<bool> same_results(const std::string& one, const std::string& other);

/// Puts the results of a range in the folder, one object a line, unless another process was first: then they are
/// compared, and kept in unlike/ if they differ. `index`: of the process.
Status give_back(const std::string& folder, const Range& range, std::uint64_t index, const std::string& lines);

/// The same for the answers to a case, as far as the driver still waits for some.
Status answer(const std::string& folder, std::uint64_t test, std::uint64_t index, const codec::Json& answers);

}  // namespace jp::fleet
