// Requests that mutate: /api/lineage, /api/replay; the streams /api/sites, /api/apply, /api/random.
#pragma once

#include "campaign/making/step.h"
#include "codec/json.h"
#include "explore/explorer.h"
#include "explore/reply.h"
#include "explore/stream.h"

namespace jp::explore {

Reply replay(Explorer& explorer, const codec::Json& body);
Reply lineage(const codec::Json& body);

/// The works of streams: one that tells a program's sites, one that makes a step, one that draws steps. An Error says
/// what is wrong with the request.
Result<Stream::Work> sites_work(Explorer& explorer, const codec::Json& body);
Result<Stream::Work> apply_work(Explorer& explorer, const codec::Json& body);
Result<Stream::Work> random_work(Explorer& explorer, const codec::Json& body);

/// What a profile run shows of a program, from the cache if it has been made; an Error says why there is nothing.
Result<campaign::Profiled> profiled(Explorer& explorer, pyrunner::Runner& runner, const mutate::Parsed& parsed);
/// One checked step (campaign/making/step.h), under that number; nothing if it was refused.
std::optional<campaign::Profiled> numbered_step(pyrunner::Runner& runner, const campaign::Profiled& current,
                                                Choices& choices, const mutate::Weights& weights, int number);

}  // namespace jp::explore
