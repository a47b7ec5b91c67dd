// The generator's door: no end, a drawn seed for every visitor.
#include "app/door.h"
#include "core/check.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"

namespace jp::app {
namespace {

class GeneratedDoor : public Door {
 public:
  explicit GeneratedDoor(int operators) : options_{.operators = operators} {}

  std::string name() const override { return "generated"; }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  bool breaks_rules() const override { return true; }
  Program seed(std::uint64_t number) const override { return made(seedgen::generate(number, options_)); }
  std::optional<Program> broken_seed(std::uint64_t number) const override {
    return made(seedgen::generate_broken(number, options_));
  }
  std::optional<Program> guided_seed(std::uint64_t number, const seedgen::Guide& guide) const override {
    return made(seedgen::generate_guided(number, options_, guide));
  }
  codec::Json settings() const override { return {{"door", "generated"}, {"operators", options_.operators}}; }

 private:
  static Program made(Result<Program> program) {
    JP_CHECK(program.ok(), "the generator made no program: {}", program.error().message);
    return std::move(program).value();
  }

  seedgen::GenerateOptions options_;
};

}  // namespace

std::shared_ptr<const Door> generated_door(int operators) { return std::make_shared<const GeneratedDoor>(operators); }

}  // namespace jp::app
