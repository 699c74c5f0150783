/* SQLite's interface for programs. */
#include <sqlite3.h>
