# What makes a build faster and changes nothing of what is built: ccache where it is installed, and, by choice, precompiled
# headers of others' code. Headers of ours are in none of them, so that changing one rebuilds only what includes it.
# docs/decisions/0009-build-time.md has the figures.

# ccache takes objects that were compiled with a precompiled header only under these settings.
find_program(JITPROBE_CCACHE ccache)
set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${JITPROBE_CCACHE})
foreach(language C CXX)
  if(JITPROBE_CCACHE AND (NOT CMAKE_${language}_COMPILER_LAUNCHER OR CMAKE_${language}_COMPILER_LAUNCHER STREQUAL ccache))
    set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
  endif()
endforeach()

# Off: g++ 12 forgets which headers are the system's, so that warnings about the library's own code become errors (seen in
# codec/base64.cpp at -O3). Always off in the preset `tidy`: clang can't read g++'s.
option(JITPROBE_PCH "Precompile the headers of others' code" OFF)

# jitprobe_precompiled(NAME headers...): target jp_precompiled_NAME, for jitprobe_precompile.
function(jitprobe_precompiled name)
  if(NOT JITPROBE_PCH)
    return()
  endif()
  set(source ${PROJECT_BINARY_DIR}/precompiled_${name}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "")
  add_library(jp_precompiled_${name} OBJECT ${source})
  target_link_libraries(jp_precompiled_${name} PRIVATE ${JITPROBE_PRECOMPILED_LINKS})
  target_precompile_headers(jp_precompiled_${name} PRIVATE ${ARGN})
endfunction()

# jitprobe_precompile(TARGET NAME): the target's sources see the headers of jp_precompiled_NAME.
function(jitprobe_precompile target name)
  if(JITPROBE_PCH)
    # Otherwise g++ writes what it includes in a form that ccache can't tell apart.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    target_precompile_headers(${target} REUSE_FROM jp_precompiled_${name})
  endif()
endfunction()

# jitprobe_cold(TARGET): what runs seldom beside the programs under test is compiled with -O1, in 0.68 to 0.80 of the
# time that -O3 takes. Generation, mutation, judging and running stay at -O3.
function(jitprobe_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
