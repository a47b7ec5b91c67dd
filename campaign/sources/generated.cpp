// The generator as a seed source: it has no end, and every selection draws a seed.
#include <fmt/format.h>

#include "campaign/sources/harvest.h"
#include "campaign/sources/seed_source.h"
#include "codec/codec.h"
#include "core/check.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"

namespace jp::campaign {
namespace {

class GeneratedSource : public SeedSource {
 public:
  explicit GeneratedSource(seedgen::GenerateOptions options) : options_(std::move(options)) {}

  std::string name() const override { return "generated"; }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  bool breaks_rules() const override { return true; }
  Program seed(std::uint64_t number) const override { return made(seedgen::generate(number, options_)); }
  std::optional<Program> broken_seed(std::uint64_t number, bool single) const override {
    seedgen::GenerateOptions options = options_;
    if (single) options.operators = options.most_operators = 1;
    if (single) options.with = nullptr;
    return made(seedgen::generate_broken(number, options));
  }
  std::shared_ptr<const SeedSource> made_without(const std::vector<std::string>& without) const override {
    seedgen::GenerateOptions options = options_;
    options.without = without;
    if (options.with) options.with = options.with->without(MissingFunctions(without));
    return std::make_shared<const GeneratedSource>(std::move(options));
  }
  codec::Json settings() const override {
    codec::Json settings = {{"source", "generated"}, {"operators", options_.operators}};
    if (options_.most_operators != options_.operators) settings["most_operators"] = options_.most_operators;
    if (options_.with) settings["with"] = {{"path", options_.with->folder()}, {"sha256", options_.with->sha256()}};
    return settings;
  }

 private:
  static Program made(Result<Program> program) {
    JP_CHECK(program.ok(), "the generator made no program: {}", program.error().message);
    return std::move(program).value();
  }

  seedgen::GenerateOptions options_;
};

}  // namespace

std::shared_ptr<const SeedSource> generated_source(CallsOfProgram calls,
                                                   std::shared_ptr<const seedgen::HarvestedOperators> with) {
  seedgen::GenerateOptions options{.operators = calls.least, .most_operators = calls.most};
  options.with = std::move(with);
  return std::make_shared<const GeneratedSource>(std::move(options));
}

SeedSourceResult reopen_generated(const codec::Json& settings) {
  const int least = settings.at("operators").get<int>();
  const CallsOfProgram calls{least, settings.value("most_operators", least)};
  if (!settings.contains("with")) return generated_source(calls);
  const auto path = settings.at("with").at("path").get<std::string>();
  auto with = load_harvested(path);
  if (!with.ok()) return with.error();
  if (with.value()->sha256() != settings.at("with").at("sha256").get<std::string>())
    return Error{fmt::format("the harvest in {} has changed since the campaign began: start a new campaign", path)};
  return generated_source(calls, with.value());
}

}  // namespace jp::campaign
