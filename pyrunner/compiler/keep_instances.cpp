// A plugin of g++: `#pragma jitprobe instantiate` instantiates the templates that wait for the end of the file. At the
// end of a header that is being precompiled it puts them into the precompiled header, where each use of it finds them;
// g++ by itself makes them anew for each file that includes the header.
#include "gcc-plugin.h"
// g++'s own headers need this one first.
#include "c-family/c-pragma.h"
#include "cp/cp-tree.h"
#include "plugin-version.h"

int plugin_is_GPL_compatible;  // g++ asks for this name

namespace {

void instantiate(cpp_reader* /*reader*/) { instantiate_pending_templates(0); }

void add_pragma(void* /*of g++*/, void* /*ours*/) { c_register_pragma("jitprobe", "instantiate", instantiate); }

}  // namespace

int plugin_init(plugin_name_args* plugin, plugin_gcc_version* compiler) {
  if (!plugin_default_version_check(compiler, &gcc_version)) return 1;
  register_callback(plugin->base_name, PLUGIN_PRAGMAS, add_pragma, nullptr);
  return 0;
}
