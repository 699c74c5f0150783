/* libedit's native interface; its variadic calls are wrapped here because Swift cannot make them. */
#include <histedit.h>
