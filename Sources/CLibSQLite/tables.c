/* The calls that SQLite makes for every row and every cell: in C, because a call into Swift for each takes longer than the
   rest of the work. */
#include "CLibSQLite.h"
#include <string.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

static struct {
  int (*filter)(sql_cursor *cursor, int plan, int count, sqlite3_value **values);
  int (*refill)(sql_cursor *cursor);
  int (*read)(sql_cursor *cursor, int column);
} calls;

void sql_set_calls(
    int (*filter)(sql_cursor *cursor, int plan, int count, sqlite3_value **values),
    int (*refill)(sql_cursor *cursor), int (*read)(sql_cursor *cursor, int column)) {
  calls.filter = filter;
  calls.refill = refill;
  calls.read = read;
}

/* Goes to the rows that a value of the plan names; false where Swift must say which they are. */
static int finds_rows(sql_cursor *cursor, int plan, int count, sqlite3_value **values) {
  if (!cursor->keyed || plan != cursor->keyed_plan || cursor->keyed_value >= count ||
      sqlite3_value_type(values[cursor->keyed_value]) != cursor->keyed_type) {
    return 0;
  }
  int32_t first = sql_rows_first(cursor->keyed, values[cursor->keyed_value]);
  cursor->row = cursor->keyed_row = first < 0 ? 0 : first;
  cursor->row_count = first < 0 ? 0 : cursor->keyed->ends ? cursor->keyed->ends[first] : first + 1;
  return 1;
}

int sql_cursor_filter(
    sqlite3_vtab_cursor *base, int plan, const char *description, int count, sqlite3_value **values) {
  (void)description;
  sql_cursor *cursor = (sql_cursor *)base;
  if (finds_rows(cursor, plan, count, values)) return SQLITE_OK;
  int code = calls.filter(cursor, plan, count, values);
  if (code == SQLITE_OK) finds_rows(cursor, plan, count, values);
  return code;
}

int sql_cursor_next(sqlite3_vtab_cursor *base) {
  sql_cursor *cursor = (sql_cursor *)base;
  if (++cursor->row < cursor->row_count || cursor->keyed) return SQLITE_OK;
  return calls.refill(cursor);
}

int sql_cursor_eof(sqlite3_vtab_cursor *base) {
  sql_cursor *cursor = (sql_cursor *)base;
  return cursor->row >= cursor->row_count;
}

int sql_cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index) {
  sql_cursor *cursor = (sql_cursor *)base;
  sql_column *column = &cursor->columns[index];
  if (!column->kinds) {
    int code = calls.read(cursor, index);
    if (code != SQLITE_OK) return code;
  }
  /* SQLite compares the value of each row again: this one is in reach, where those of the rows lie all over the file. */
  int64_t row = cursor->keyed && index == cursor->keyed_column ? cursor->keyed_row : cursor->row;
  switch (column->kinds[row]) {
    case SQL_CELL_INTEGER: sqlite3_result_int64(context, column->words[row]); break;
    case SQL_CELL_REAL: {
      double value;
      memcpy(&value, &column->words[row], sizeof value);
      sqlite3_result_double(context, value);
      break;
    }
    case SQL_CELL_TEXT:
      sqlite3_result_text64(
          context, (const char *)(intptr_t)column->words[row], column->lengths[row],
          column->is_lasting ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    case SQL_CELL_BLOB:
      sqlite3_result_blob64(
          context, (const void *)(intptr_t)column->words[row], column->lengths[row],
          column->is_lasting ? SQLITE_STATIC : SQLITE_TRANSIENT);
      break;
    default: return SQLITE_OK;
  }
  if (column->subtypes) sqlite3_result_subtype(context, column->subtypes[row]);
  return SQLITE_OK;
}

void sql_lock_down(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, (int *)0);
}

int64_t sql_change_time(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return 0;
  return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}
