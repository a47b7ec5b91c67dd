// The files of a folder that a driver and its processes share, which may lie on a network file system:
//
//   campaign.lock            held by the driver
//   campaign.json            the terms of all leases (campaign/lease.h), and how many tests there are
//   tables/EPOCH.json        the tables of an epoch, once they stand
//   done/THOUSAND/BEGIN-END.json  the results of a range of tests, one object a line. All are listed again and again,
//                            and an epoch may have hundreds of thousands: therefore in folders of a thousand tests
//   cases/NUMBER.json        a case that is to be studied, and cases/NUMBER.answers.json what came of it
//                            (campaign/case_lease.h); both are removed when the driver has the answers
//   cases/NUMBER.PARTS.digest  what the first answers were to those parts of the question, for the comparison with
//                            second ones
//   unlike/WHAT.PROCESS.json  results (WHAT: BEGIN-END) and answers (case-NUMBER) that were unlike the first ones
//   claims/WHAT.SLOT         which process is at work on it; there are two slots, so that a slow one may be overtaken
//   begun/PROCESS.json       what a process is doing, and a number that grows while it lives
//   deaths/PROCESS.json      the last such note of a process that died, met an error, or was overdue;
//                            deaths/PROCESS.2.json and so on if it was taken for dead several times
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
/// `asked`: what was asked of the case (campaign/case_lease.h), of which a later driver may ask other parts.
std::string digest_file(const std::string& folder, std::uint64_t test, const codec::Json& asked);
std::string unlike_folder(const std::string& folder);
std::string begun_folder(const std::string& folder);
std::string begun_file(const std::string& folder, const std::string& process);
std::string skipped_folder(const std::string& folder);
std::string skipped_file(const std::string& folder, std::uint64_t test);

bool is_there(const std::string& path);
Result<codec::Json> read_json(const std::string& path);
/// A number and the rest of a name: "12-20.json" is 12 and "-20.json". Nothing if it begins with no number.
std::optional<std::pair<std::uint64_t, std::string>> numbered(const std::string& name);

/// The epochs from `first` on whose tables are there, ascending.
std::vector<std::uint64_t> epochs_in(const std::string& folder, std::uint64_t first);

std::string claim_name(const Range& range);
std::string claim_name(std::uint64_t of_case);
/// NAME.SLOT: what several processes may have at once of one range or case.
std::string claim_of(const std::string& name, int slot);
std::string claim_folder(const std::string& folder);
/// The file of a claim; `claim`: NAME.SLOT.
std::string claim_file(const std::string& folder, const std::string& claim);

/// The range of a file of results: of "10-20.json"; nothing for other names.
std::optional<Range> range_of(const std::string& name);

/// What a process is doing.
struct Note {
  std::string process;  // of the same name in no two processes
  std::uint64_t beat = 0;
  std::optional<std::uint64_t> test = std::nullopt;     // that it makes
  std::optional<std::uint64_t> of_case = std::nullopt;  // the test whose case it studies
  std::string claim = "";                               // NAME.SLOT that it has, or wanted
  bool operator==(const Note&) const = default;
};
codec::Json to_json(const Note& note);
std::optional<Note> read_note(const std::string& path);
/// Those of all processes that have one.
std::vector<Note> notes_in(const std::string& folder);
/// Puts a file unless there is one of that name; whether it did. `process` tells its temporary file from others'.
Result<bool> put_first(const std::string& name, const std::string& process, const std::string& text);
/// Takes a claim for a process unless another one has it; whether it did.
Result<bool> take_claim(const std::string& folder, const std::string& claim, const std::string& process);
/// Gives up a claim if that process has it.
void free_claim(const std::string& folder, const std::string& claim, const std::string& process);

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
/// compared, and kept in unlike/ if they differ.
Status give_back(const std::string& folder, const Range& range, const std::string& process, const std::string& lines);

/// The same for the answers to a case, as far as the driver still waits for some.
Status answer(const std::string& folder, std::uint64_t test, const std::string& process, const codec::Json& asked,
              const codec::Json& answers);

}  // namespace jp::fleet
