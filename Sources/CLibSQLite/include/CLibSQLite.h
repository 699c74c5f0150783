/* SQLite's interface, what Swift cannot call of it, and the calls that SQLite makes for every row and every cell. */
#ifndef CLIBSQLITE_H
#define CLIBSQLITE_H

#include <sqlite3.h>
#include <stdint.h>

/* Kinds of cells. */
enum { SQL_CELL_NULL = 0, SQL_CELL_INTEGER = 1, SQL_CELL_REAL = 2, SQL_CELL_TEXT = 3, SQL_CELL_BLOB = 4 };

/* The values of one column for the rows of a batch. */
typedef struct sql_column {
  /* Of all cells, 1 a cell; null where the column was not read yet. */
  const uint8_t *kinds;
  /* Integers, bits of doubles, or addresses of text and data. */
  const int64_t *words;
  /* Bytes of text and data. */
  const uint32_t *lengths;
  /* What realm_type tells of the cells, 1 a cell; null where it is what SQLite says. */
  const uint8_t *subtypes;
  /* Whether text and data stay where they are for as long as the statement runs. */
  int is_lasting;
} sql_column;

/* A table's cursor. Rows are those of a batch, one after the other or along a chain. */
typedef struct sql_cursor {
  sqlite3_vtab_cursor base;
  /* The Swift object that fills batches. */
  void *object;
  int64_t row, row_count;
  /* The row after each, -1 for none; null where they follow each other. */
  const int32_t *chain;
  sql_column *columns;
  int column_count;
} sql_cursor;

typedef struct sql_table {
  sqlite3_vtab base;
  void *object;
} sql_table;

/* Says what Swift does; results are SQLite's codes. `refill` makes the next batch, with 0 rows at the end; `read` reads a column
   of the batch. */
void sql_set_calls(int (*refill)(sql_cursor *cursor), int (*read)(sql_cursor *cursor, int column));

int sql_cursor_next(sqlite3_vtab_cursor *cursor);
int sql_cursor_eof(sqlite3_vtab_cursor *cursor);
int sql_cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column);

/* The time of a file's last change in nanoseconds; 0 where it cannot be told. */
int64_t sql_change_time(const char *path);

/* Work that another thread makes unwanted when so much time is over; null where there is no memory or thread for it. `ends_process`:
   where the alarm is not stopped soon afterwards, the process gets SIGTERM. */
typedef struct sql_alarm sql_alarm;
sql_alarm *sql_alarm_start(int64_t nanoseconds, int ends_process);
/* The address of its platform_work, which lives until the alarm is stopped. */
uintptr_t sql_alarm_work(const sql_alarm *alarm);
void sql_alarm_stop(sql_alarm *alarm);

/* Locks what statements could leave their cage by. */
void sql_lock_down(sqlite3 *database);

static inline char *sql_copied_text(const char *text) { return sqlite3_mprintf("%s", text); }

#endif
