/* libyaml's event parser. */
#include <yaml.h>
