# Installed packages are found, never fetched. One that is missing is named with its Debian package; `./dev setup`
# installs them all. jitprobe_need(PACKAGE DEBIAN [VERSION]): at least that version.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

macro(jitprobe_need package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} was not found: install ${debian}, or run ./dev setup")
  endif()
endmacro()

jitprobe_need(fmt libfmt-dev)
jitprobe_need(CLI11 libcli11-dev)
jitprobe_need(nlohmann_json nlohmann-json3-dev)
jitprobe_need(SQLite3 libsqlite3-dev)
jitprobe_need(OpenSSL libssl-dev 3.0)
jitprobe_need(utf8cpp libutfcpp-dev)
jitprobe_need(GTest libgtest-dev)
jitprobe_need(benchmark libbenchmark-dev)

# Headers alone, without a package of CMake's.
find_path(JITPROBE_DTL dtl/dtl.hpp)
if(NOT JITPROBE_DTL)
  message(FATAL_ERROR "dtl was not found: install libdtl-dev, or run ./dev setup")
endif()
add_library(dtl INTERFACE)
target_include_directories(dtl SYSTEM INTERFACE ${JITPROBE_DTL})

pkg_check_modules(TREE_SITTER IMPORTED_TARGET tree-sitter)
if(NOT TREE_SITTER_FOUND)
  message(FATAL_ERROR "tree-sitter was not found: install libtree-sitter-dev, or run ./dev setup")
endif()

pkg_check_modules(HTTPLIB IMPORTED_TARGET cpp-httplib)
if(NOT HTTPLIB_FOUND)
  message(FATAL_ERROR "cpp-httplib was not found: install libcpp-httplib-dev, or run ./dev setup")
endif()

pkg_check_modules(LIBEDIT IMPORTED_TARGET libedit)
if(NOT LIBEDIT_FOUND)
  message(FATAL_ERROR "libedit was not found: install libedit-dev, or run ./dev setup")
endif()

# The grammar is two generated C files from its source distribution, which `./dev setup` unpacks; never committed.
set(JITPROBE_GRAMMAR ${PROJECT_SOURCE_DIR}/.deps/tree-sitter-python CACHE PATH "Unpacked tree-sitter-python 0.23.6")
if(NOT EXISTS ${JITPROBE_GRAMMAR}/src/parser.c)
  message(FATAL_ERROR "the tree-sitter-python grammar is not in ${JITPROBE_GRAMMAR}: run ./dev setup")
endif()
add_library(tree_sitter_python STATIC ${JITPROBE_GRAMMAR}/src/parser.c ${JITPROBE_GRAMMAR}/src/scanner.c)
target_include_directories(tree_sitter_python PRIVATE ${JITPROBE_GRAMMAR}/src)
target_compile_options(tree_sitter_python PRIVATE -w)

# jitprobe_movable(TARGET): on another machine it finds its libraries in the folder lib beside its own (scripts/carry.sh).
# Those of a library's own are looked for there too, as only the older form of the entry has it.
function(jitprobe_movable target)
  set_property(TARGET ${target} APPEND PROPERTY BUILD_RPATH "$ORIGIN/../lib")
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
endfunction()
