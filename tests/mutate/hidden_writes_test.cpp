// Writes that no name in place shows: running statistics, a largest norm, `inplace`, and a tensor's contents.
#include <algorithm>

#include "helpers.h"
#include "mutate/facts/value_reads.h"
#include "mutate/outline/values.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

using testing::made_up_facts;
using testing::parsed_from;

bool says(bool (*asked)(const Call&), const std::string& text) {
  const Parsed parsed = parsed_from(text + "\n");
  const Call made = call(sole_expression(parsed.statement(0)));
  EXPECT_TRUE(made) << text;
  return asked(made);
}

/// The function's last line, in a file that says "no_grad" so that its tensors require gradients.
std::string with_last_line(const std::string& line, const std::string& first = "import torch.nn.functional as F") {
  return "import torch\n" + first + "\ndef program(x, m, v, w):\n    # no_grad\n    " + line + "\n";
}

/// The mutation has that site at the last statement.
bool has_site(const std::string& source, const char* mutation, const std::string& path) {
  const Parsed parsed = parsed_from(source);
  const auto sites = Mutations::instance().find(mutation)->sites(parsed, made_up_facts(parsed));
  const Site asked{parsed.statements().back().id, path};
  return std::find(sites.begin(), sites.end(), asked) != sites.end();
}

std::vector<std::string> written_by(const std::string& text) {
  const Parsed parsed = parsed_from(text + "\n");
  std::vector<std::string> names;
  for (const std::string_view name : effects_of(parsed.statement(0)).written) names.emplace_back(name);
  return names;
}

bool writes_name(const std::string& text, const std::string& name) {
  const auto names = written_by(text);
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(HiddenWrites, OfParametersThatTheTableNames) {
  for (const char* text :
       {"F.batch_norm(x, m, v, training=True)", "F.batch_norm(x, m, v, training=flag)",
        "F.batch_norm(x, m, v, w, b, True)", "torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)",
        "torch.native_batch_norm(x, w, b, m, v, True, 0.1, 1e-5)", "torch.batch_norm_update_stats(x, m, v, 0.1)",
        "F.instance_norm(x, m, v)", "F.instance_norm(x, running_mean=m, running_var=v)",
        "torch.instance_norm(x, None, None, m, v, True, 0.1, 1e-5, False)", "F.embedding(i, w, max_norm=1.0)",
        "F.embedding(i, w, None, 1.0)", "F.embedding_bag(i, w, o, 1.0)", "F.embedding(*given)"})
    EXPECT_TRUE(says(writes_parameter, text)) << text;
  for (const char* text :
       {"F.batch_norm(x, m, v)", "F.batch_norm(x, m, v, training=False)", "F.batch_norm(x, m, v, w, b, False, 0.1)",
        "F.instance_norm(x)", "F.instance_norm(x, None, None)", "F.embedding(i, w)", "F.embedding(i, w, max_norm=None)",
        "F.embedding(i, w, 0)", "torch.add(x, w)"})
    EXPECT_FALSE(says(writes_parameter, text)) << text;
}

TEST(HiddenWrites, InPlaceByAnArgument) {
  for (const char* text : {"F.relu(x, inplace=True)", "F.relu(x, True)", "F.hardtanh(x, -1.0, 1.0, flag)",
                           "F.dropout(x, 0.5, True, True)"})
    EXPECT_TRUE(says(asks_in_place, text)) << text;
  for (const char* text :
       {"F.relu(x)", "F.relu(x, False)", "F.relu(x, inplace=False)", "torch.sum(x, 1, True)", "nn.ReLU(inplace=True)",
        "torch.add(x, y)", "F.dropout(x, 0.5, True)", "F.dropout2d(x, 0.5, True)"})
    EXPECT_FALSE(says(asks_in_place, text)) << text;
}

TEST(HiddenWrites, AreEffects) {
  EXPECT_TRUE(writes_name("y = F.batch_norm(x, m, v, training=True)", "m"));
  EXPECT_TRUE(writes_name("y = F.batch_norm(x, running_mean=s.m, running_var=v, training=True)", "s"));
  EXPECT_TRUE(writes_name("y = F.embedding(i, w, max_norm=1.0)", "w"));
  EXPECT_TRUE(written_by("y = F.batch_norm(x, m, v)").empty());
  EXPECT_TRUE(writes_name("y = F.relu(x, inplace=True)", "x"));
  EXPECT_TRUE(writes_name("x.data = v", "x"));
  EXPECT_TRUE(writes_name("x.grad = None", "x"));
  EXPECT_TRUE(written_by("self.weight = v").empty()) << "the attribute is bound, and no tensor is written";
}

TEST(HiddenWrites, AreNoReadsOfAValue) {
  // Names of the statement in source order: F, x, m, v.
  const std::string trains = with_last_line("return F.batch_norm(x, m, v, training=True)");
  const std::string judges = with_last_line("return F.batch_norm(x, m, v, training=False)");
  for (const char* path : {"clone2", "clone3"}) {
    EXPECT_FALSE(has_site(trains, "mutate_recover", path)) << "the clone would be updated instead";
    EXPECT_FALSE(has_site(trains, "alias_write", path));
    EXPECT_TRUE(has_site(judges, "mutate_recover", path));
  }
  EXPECT_FALSE(has_site(with_last_line("return F.embedding(x, w, max_norm=1.0)"), "mutate_recover", "clone2"));
  EXPECT_TRUE(has_site(with_last_line("return F.embedding(x, w)"), "mutate_recover", "clone2"));
}

TEST(HiddenWrites, ComeBeforeALaterReadOfTheStatement) {
  // w is the fifth name.
  EXPECT_FALSE(has_site(with_last_line("return F.batch_norm(x, m, v, training=True) + w"), "zero_garbage", "read4"));
  EXPECT_TRUE(has_site(with_last_line("return F.batch_norm(x, m, v) + w"), "zero_garbage", "read4"));
  EXPECT_FALSE(has_site(with_last_line("return F.relu(x, inplace=True) + w"), "zero_garbage", "read2"));
  EXPECT_FALSE(has_site(with_last_line("return F.relu(x, True) + w"), "zero_garbage", "read2"));
  EXPECT_TRUE(has_site(with_last_line("return F.relu(x) + w"), "zero_garbage", "read2"));
}

TEST(HiddenWrites, AreNotPure) {
  const auto pure = [](const std::string& line) {
    const Parsed parsed = parsed_from("import torch\ndef program(x, w):\n    " + line + "\n    return y\n");
    const Statement& statement = parsed.statement(2);
    return is_pure(parsed, find_signature(parsed, statement, statement));
  };
  EXPECT_TRUE(pure("y = torch.nn.functional.embedding(x, w)"));
  EXPECT_FALSE(pure("y = torch.nn.functional.embedding(x, w, max_norm=1.0)"));
  EXPECT_FALSE(pure("y = torch.nn.functional.embedding(x, w, None, 1.0)"));
  EXPECT_FALSE(pure("y = torch.nn.functional.relu(x, True)"));
}

TEST(ValueReads, KnowTorchsFunctionsByTheImport) {
  const auto reads_x = [](const std::string& first) {
    const Parsed parsed = parsed_from(with_last_line("return F.relu(x)", first));
    const Facts facts = made_up_facts(parsed);
    const auto reads = ValueReads(parsed, facts).of(parsed.statements().back());
    return std::any_of(reads.begin(), reads.end(), [](const ValueRead& read) { return read.node.text() == "x"; });
  };
  EXPECT_TRUE(reads_x("import torch.nn.functional as F"));
  EXPECT_TRUE(reads_x("from torch.nn import functional as F"));
  EXPECT_FALSE(reads_x("class F: relu = print")) << "a class of the file";
  EXPECT_FALSE(reads_x("import mine as F"));
}

}  // namespace
}  // namespace jp::mutate
