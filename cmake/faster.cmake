# What makes a build faster and changes nothing of what is built. docs/decisions/0009-build-time.md has the figures.

# ccache, where it is installed and nothing else launches the compiler.
find_program(JITPROBE_CCACHE ccache)
foreach(language C CXX)
  if(JITPROBE_CCACHE AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${JITPROBE_CCACHE})
  endif()
endforeach()

option(JITPROBE_UNITY "Compile rules several at a time" ON)

# jitprobe_cold(TARGET): what runs seldom beside the programs under test is compiled with -O1, in 0.68 to 0.80 of the
# time that -O3 takes. Generation, mutation, judging and running stay at -O3.
function(jitprobe_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
