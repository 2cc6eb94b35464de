# INPUT's text as a C++ raw string VARIABLE in OUTPUT, in pieces that compilers accept.
file(READ ${INPUT} text)
get_filename_component(name ${INPUT} NAME)
string(LENGTH "${text}" length)
set(body "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${text}" ${at} 8000 piece)
  string(APPEND body "R\"JANUS(${piece})JANUS\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE ${OUTPUT}
     "// From ${name}; do not edit.\n#pragma once\nnamespace janus {\ninline constexpr const char ${VARIABLE}[] =\n${body};\n} // namespace janus\n")
