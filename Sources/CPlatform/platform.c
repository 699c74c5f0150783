// Layer: below everything. The inline parts live in the header; handlers with state live here.
#include "CPlatform.h"
