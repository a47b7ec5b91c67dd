// jitprobe merge: the findings of several campaigns in one folder.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/merge.h"
#include "codec/codec.h"

namespace jp::app::cmd_merge_command {
namespace {

struct Options {
  std::vector<std::string> folders;
  std::string into;
  bool json = false;
};

codec::Json json_of(const std::vector<MergedFrom>& merged, const std::string& into, std::size_t distinct) {
  codec::Json from = codec::Json::array();
  for (const MergedFrom& one : merged)
    from.push_back({{"campaign", one.folder},
                    {"findings", one.findings},
                    {"new", one.added},
                    {"numbers", one.numbers},
                    {"unlike", one.unlike}});
  return {{"campaign", into}, {"findings", distinct}, {"from", std::move(from)}};
}

int run(const Options& options) {
  const Result<std::vector<MergedFrom>> merged = merge(options.folders, options.into);
  if (!merged.ok()) return cannot(merged.error());
  std::size_t distinct = 0;
  for (const MergedFrom& one : merged.value()) distinct += one.added;
  if (options.json) {
    put("{}\n", codec::text(json_of(merged.value(), options.into, distinct)));
    return kDidItsWork;
  }
  for (const MergedFrom& one : merged.value())
    put("{:>5} new of {:<16} in {}\n", one.added, plural(one.findings, "finding"), one.folder);
  for (const MergedFrom& one : merged.value())
    if (!one.unlike.empty())
      put("in {} test{} {} came to another verdict than in an earlier campaign of the same settings: a matter of the "
          "machine or of chance\n",
          one.folder, one.unlike.size() == 1 ? "" : "s", fmt::join(one.unlike, ", "));
  put("{}, kept in {}: jitprobe findings list --campaign {}\n", plural(distinct, "distinct finding"), options.into,
      shell_word(options.into));
  return kDidItsWork;
}

class MergeCommand : public Command {
 public:
  std::string_view name() const override { return "merge"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("merge", "join the findings of several campaigns in a new folder");
    command->footer("example: jitprobe merge campaigns/monday campaigns/tuesday --campaign campaigns/both");
    command->add_option("campaigns", options->folders, "the folders of two or more campaigns; they stay as they are")
        ->required()
        ->option_text("FOLDER FOLDER... REQUIRED")
        ->expected(2, 10000);
    command->add_option("--campaign", options->into, "the folder to make")->required();
    command->add_flag("--json", options->json, "print one JSON object");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, MergeCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_merge_command
